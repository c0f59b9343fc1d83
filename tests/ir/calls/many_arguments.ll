; More floats than the block holds: the last ones are not handed over. An aggregate that is too large is not followed.
; nonius: codegen=slow
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define [1000 x double] @huge(
; CHECK: ret [1000 x double] %x
define [1000 x double] @huge([1000 x double] %x, double %y) {
  %s = fadd double %y, 1.0
  store volatile double %s, ptr null
  ret [1000 x double] %x
}

; CHECK-LABEL: define double @calls_huge(
; CHECK: call [1000 x double] @huge(
define double @calls_huge([1000 x double] %x, double %y) {
  %r = call [1000 x double] @huge([1000 x double] %x, double %y)
  %a = extractvalue [1000 x double] %r, 999
  %b = insertvalue [1000 x double] %r, double %y, 3
  %c = extractvalue [1000 x double] %b, 3
  %d = fadd double %a, %c
  ret double %d
}

; CHECK-LABEL: define [200 x double] @result(
define [200 x double] @result([200 x double] %x, [250 x float] %y, <64 x double> %z, <64 x double> %w, <64 x double> %v) {
  ret [200 x double] %x
}

; CHECK-LABEL: define void @calls_result(
define void @calls_result([200 x double] %x, [250 x float] %y, <64 x double> %z) {
  %r = call [200 x double] @result([200 x double] %x, [250 x float] %y, <64 x double> %z, <64 x double> %z, <64 x double> %z)
  ret void
}
