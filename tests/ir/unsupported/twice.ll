; A module that is instrumented already stays as it is.
; nonius: passes="nonius,nonius,verify"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
; CHECK-LABEL: define double @f(
; CHECK-COUNT-1: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: ret double %z
define double @f(double %x) {
  %z = fadd double %x, %x
  ret double %z
}
