; A function of the program that has a library's name, or another type, is not the library's.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @sin(
; CHECK-NOT: __nonius_r_sin
; CHECK: ret double %z
define double @sin(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @caller(
; CHECK: call double @sin(double %x)
; CHECK-NOT: __nonius_r_sin
; CHECK: ret double
define double @caller(double %x, i32 %n) {
  %a = call double @sin(double %x)
  %b = call i32 @cos(i32 %n)
  %c = call float @pow(double %a, float 1.0)
  %d = call double @sqrt(float %c)
  %e = call <2 x double> @exp(<2 x double> splat (double 1.0))
  %f = call double @frexp(double %x)
  %g = call double @floor()
  %h = call double @hypot(double %d)
  ret double %f
}
declare i32 @cos(i32)
declare float @pow(double, float)
declare double @sqrt(float)
declare <2 x double> @exp(<2 x double>)
declare double @frexp(double)
declare double @floor()
declare double @hypot(double)
