; The tag of an indirect call is the address that is called.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @indirect(
; CHECK: [[ADDRESS:%[0-9]+]] = ptrtoint ptr %f to i64
; CHECK: [[TAG:%[0-9]+]] = add i64 [[ADDRESS]],
; CHECK: store i64 [[TAG]], ptr
; CHECK: %z = call float %f(float %x)
; CHECK: icmp eq i64
define float @indirect(ptr %f, float %x) {
  %z = call float %f(float %x)
  ret float %z
}

; CHECK-LABEL: define double @oddities(
define double @oddities(ptr %f, double %x) {
  %a = call double null(double %x)
  %b = call double undef(double %a)
  %c = call double inttoptr (i64 4096 to ptr)(double %b)
  %d = call double @wrong_type(double %c)
  %g = load ptr, ptr %f
  %e = call double %g(double %d)
  ret double %e
}
declare float @wrong_type(i32)
