; Structs are copied by integer loads and stores: the planes go along, unless the types say that it is an integer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @copy(
; CHECK: %i = load i64, ptr %from
; CHECK: [[E:%[0-9]+]] = load i64, ptr
; CHECK: [[C:%[0-9]+]] = load i64, ptr
; CHECK: store i64 [[E]], ptr
; CHECK: store i64 [[C]], ptr
; CHECK: store i64 %i, ptr %to
define void @copy(ptr %from, ptr %to) {
  %i = load i64, ptr %from
  store i64 %i, ptr %to
  ret void
}

; CHECK-LABEL: define void @integer(
; CHECK-NEXT: %i = load i64, ptr %from
; CHECK-NEXT: store i64 %i, ptr %to
; CHECK-NEXT: ret void
define void @integer(ptr %from, ptr %to) {
  %i = load i64, ptr %from, !tbaa !0
  store i64 %i, ptr %to, !tbaa !0
  ret void
}

; CHECK-LABEL: define void @character(
; CHECK: getelementptr i8, ptr %from, i64 [[RESIDUE]]
; CHECK: getelementptr i8, ptr %to, i64 [[RESIDUE]]
define void @character(ptr %from, ptr %to) {
  %i = load i32, ptr %from, !tbaa !3
  store i32 %i, ptr %to, !tbaa !3
  ret void
}

; A constant restarts what was there.
; CHECK-LABEL: define void @constant(
; CHECK: store i64 0, ptr
; CHECK: store i64 4607182418800017408, ptr %to
define void @constant(ptr %to, ptr %from) {
  store i64 4607182418800017408, ptr %to
  %i = load i32, ptr %from
  store i32 %i, ptr %to
  ret void
}

; CHECK-LABEL: define void @vectors(
; CHECK: load <4 x i64>, ptr {{%[0-9]+}}, align
define void @vectors(ptr %from, ptr %to) {
  %a = load <4 x i64>, ptr %from
  store <4 x i64> %a, ptr %to
  %b = load i512, ptr %from
  store i512 %b, ptr %to
  %c = load <128 x i64>, ptr %from
  store <128 x i64> %c, ptr %to
  %d = load i17, ptr %from
  store i17 %d, ptr %to
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !4, i64 0}
!3 = !{!2, !2, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
