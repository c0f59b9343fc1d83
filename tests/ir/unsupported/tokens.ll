; Tokens and operand bundles: nothing may come between what belongs together.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @bundles(
; CHECK: call double @may_throw(double %x) [ "deopt"(double %x, i32 1) ]
define double @bundles(double %x) {
  %a = call double @may_throw(double %x) [ "deopt"(double %x, i32 1) ]
  call void @llvm.assume(i1 true) [ "align"(ptr null, i64 8) ]
  ret double %a
}

; CHECK-LABEL: define double @statepoint(
define double @statepoint(double %x) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(double (double)) @may_throw, i32 1, i32 0, double %x, i32 0, i32 0)
  %a = call double @llvm.experimental.gc.result.f64(token %t)
  ret double %a
}

declare double @may_throw(double)
