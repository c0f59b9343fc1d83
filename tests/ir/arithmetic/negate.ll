; A negation is exact: the residue changes its sign, and nothing is counted as born.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @negate(
; CHECK: %z = fneg double %x
; CHECK-NEXT: fneg double {{%[0-9]+}}
; CHECK-NOT: __nonius_{{(preserving_)?}}nonfinite
; CHECK: ret double %z
define double @negate(double %x) {
  %z = fneg double %x
  ret double %z
}

; CHECK-LABEL: define <4 x float> @lanes(
; CHECK: %z = fneg <4 x float> %x
; CHECK-NEXT: fneg <4 x double> {{%[0-9]+}}
define <4 x float> @lanes(<4 x float> %x) {
  %z = fneg <4 x float> %x
  ret <4 x float> %z
}
