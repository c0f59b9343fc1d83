; Variable arguments: each with the place where va_arg will look for it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @caller(
; CHECK: store i64 {{[0-9]+}}, ptr
; CHECK: getelementptr i8, ptr [[THREAD:%[0-9]+]], i64 [[VA_COUNT]]
; CHECK-NEXT: store i64 2, ptr
; CHECK: getelementptr i8, ptr [[THREAD]], i64 [[VA_TAG]]
; CHECK: call void (i32, ...) @callee(i32 2, double %x, i32 1, double %y)
define void @caller(double %x, double %y) {
  call void (i32, ...) @callee(i32 2, double %x, i32 1, double %y)
  ret void
}

; CHECK-LABEL: define void @callee(
; CHECK: call void @llvm.va_start.p0(ptr %list)
; CHECK: call void @__nonius_va_start(ptr %list, ptr {{%[0-9]+}})
define void @callee(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %x = va_arg ptr %list, double
  %z = fadd double %x, 1.0
  store volatile double %z, ptr %list
  call void @llvm.va_end.p0(ptr %list)
  ret void
}

; CHECK-LABEL: define void @no_floats(
; CHECK: call void @llvm.va_start.p0(ptr %list)
define void @no_floats(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  %copy = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %x = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  ret void
}

; CHECK-LABEL: define void @others(
define void @others(x86_fp80 %l, float %f, fp128 %q, <4 x float> %v, ptr byval({ double, double }) %s, { double, i32 } %agg) {
  call void (i32, ...) @callee(i32 1, x86_fp80 %l, fp128 %q, <4 x float> %v, ptr byval({ double, double }) %s, double 1.0)
  call void (i32, ...) @callee(i32 1, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0)
  call void (i32, ...) @callee(i32 0)
  call void (i32, ...) @callee(i32 0, { double, i32 } %agg)
  %p = bitcast ptr @callee to ptr
  call void (i32, ...) %p(i32 1, float %f)
  ret void
}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
