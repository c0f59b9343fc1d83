; A function with a library's name whose second argument is no integer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @caller(
; CHECK: call double @ldexp(double %x, double %y)
; CHECK: ret double
define double @caller(double %x, double %y) {
  %z = call double @ldexp(double %x, double %y)
  ret double %z
}
declare double @ldexp(double, double)
