; Arguments' shadows go into the thread's block with the callee's tag; the callee takes them if the tag is its own.
; Its result comes back the same way.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @callee(
; CHECK: [[TAG:%[0-9]+]] = load i64, ptr [[THREAD:%[0-9]+]], align 8
; CHECK: [[MINE:%[0-9]+]] = icmp eq i64 [[TAG]], add (i64 ptrtoint (ptr @callee to i64), i64 [[HASH:-?[0-9]+]])
; CHECK: store i64 0, ptr [[THREAD]]
; CHECK: getelementptr i8, ptr [[THREAD]], i64 [[ARGS]]
; CHECK: select i1 [[MINE]], double {{%[0-9]+}}, double 0.000000e+00
; CHECK: %z = fsub double %x, %y
; CHECK: [[SLOT:%[0-9]+]] = getelementptr i8, ptr [[THREAD]], i64 [[RET]]
; CHECK-NEXT: store double {{%[0-9]+}}, ptr [[SLOT]], align 16
; CHECK: [[TAGS:%[0-9]+]] = getelementptr i8, ptr [[THREAD]], i64 [[RET_TAG]]
; CHECK-NEXT: store i64 add (i64 ptrtoint (ptr @callee to i64), i64 [[RESULT:-?[0-9]+]]), ptr [[TAGS]]
; CHECK: ret double %z
define double @callee(double %x, double %y) {
  %z = fsub double %x, %y
  ret double %z
}

; CHECK-LABEL: define double @caller(
; CHECK: store i64 0, ptr [[THREAD:%[0-9]+]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: [[SLOT:%[0-9]+]] = getelementptr i8, ptr [[THREAD]], i64 [[ARGS]]
; CHECK-NEXT: store double {{%[0-9]+}}, ptr [[SLOT]], align 16
; CHECK: store double 0.000000e+00, ptr {{%[0-9]+}}, align 16
; CHECK: store i64 add (i64 ptrtoint (ptr @callee to i64), i64 [[HASH]]), ptr [[THREAD]]
; CHECK: %z = call double @callee(double %x, double 1.000000e+00)
; CHECK: getelementptr i8, ptr [[THREAD]], i64 [[RET_TAG]]
; CHECK: [[FITS:%[0-9]+]] = icmp eq i64 {{%[0-9]+}}, add (i64 ptrtoint (ptr @callee to i64), i64 [[RESULT]])
; CHECK: select i1 [[FITS]], double
define double @caller(double %x) {
  %z = call double @callee(double %x, double 1.0)
  ret double %z
}

; Nothing to pass, nothing to take: the call stays as it is.
; CHECK-LABEL: define i32 @integers(
; CHECK-NEXT: %z = tail call i32 @integer(i32 %x)
; CHECK-NEXT: ret i32 %z
define i32 @integers(i32 %x) {
  %z = tail call i32 @integer(i32 %x)
  ret i32 %z
}

; Code behind the call needs the frame: it is no tail call any more.
; CHECK-LABEL: define double @tail(
; CHECK: %z = call double @callee(
define double @tail(double %x) {
  %z = tail call double @callee(double %x, double %x)
  ret double %z
}

; CHECK-LABEL: define void @unused(
define void @unused(double %x) {
  %z = call double @callee(double %x, double poison)
  call fastcc void @fast(double undef, float 1.0)
  call void @mixed(i32 1, double %x, ptr null, float 2.0, i64 3)
  ret void
}

; CHECK-LABEL: define double @recursive(
define double @recursive(double %x, i32 %n) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %end, label %again
again:
  %m = sub i32 %n, 1
  %y = call double @recursive(double %x, i32 %m)
  %z = fmul double %y, %x
  ret double %z
end:
  ret double %x
}

declare i32 @integer(i32)
declare fastcc void @fast(double, float)
declare void @mixed(i32, double, ptr, float, i64)
