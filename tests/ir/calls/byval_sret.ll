; A byval argument's shadow is copied by the callee from where the caller's lies; sret is memory like any other.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { double, double }

; CHECK-LABEL: define void @caller(
; CHECK: store ptr %p, ptr {{%[0-9]+}}, align 16
; CHECK: store i64 add (i64 ptrtoint (ptr @callee to i64)
; CHECK: call void @callee(ptr byval(%pair) align 8 %p)
define void @caller(ptr %p) {
  call void @callee(ptr byval(%pair) align 8 %p)
  ret void
}

; CHECK-LABEL: define void @callee(
; CHECK: [[FROM:%[0-9]+]] = load ptr, ptr {{%[0-9]+}}, align 16
; CHECK: getelementptr i8, ptr [[FROM]], i64 [[RESIDUE]]
; CHECK: load <16 x i8>
; CHECK: getelementptr i8, ptr [[FROM]], i64 [[COPY]]
; CHECK: load <16 x i8>
; CHECK: getelementptr i8, ptr %p, i64 [[RESIDUE]]
; CHECK: store <16 x i8>
define void @callee(ptr byval(%pair) align 8 %p) {
  %x = load double, ptr %p
  %z = fadd double %x, 1.0
  store double %z, ptr %p
  ret void
}

; CHECK-LABEL: define void @result(
; CHECK: store double %z, ptr %r
define void @result(ptr sret(%pair) %r, double %x) {
  %z = fmul double %x, %x
  store double %z, ptr %r
  %q = getelementptr %pair, ptr %r, i32 0, i32 1
  store double 1.0, ptr %q
  ret void
}

; CHECK-LABEL: define double @takes(
define double @takes(double %x) {
  %r = alloca %pair
  call void @result(ptr sret(%pair) %r, double %x)
  %a = load double, ptr %r
  ret double %a
}

; CHECK-LABEL: define void @only_byval(
define void @only_byval(ptr byval([100 x i8]) %p) {
  ret void
}

; CHECK-LABEL: define void @others(
define void @others(ptr byref(double) %a, ptr %b, ptr byval({}) %c) {
  %m = alloca inalloca double
  call void @inalloca(ptr inalloca(double) %m)
  call void @by_reference(ptr byref(double) %a)
  ret void
}
declare void @inalloca(ptr inalloca(double))
declare void @by_reference(ptr byref(double))
