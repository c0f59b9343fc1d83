; A vector of one lane is reduced to that lane.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @sum(
; CHECK: %z = call double @llvm.vector.reduce.fadd.v1f64(double 0.000000e+00, <1 x double> %x)
; CHECK: ret double %z
define double @sum(<1 x double> %x) {
  %z = call double @llvm.vector.reduce.fadd.v1f64(double 0.0, <1 x double> %x)
  ret double %z
}

; CHECK-LABEL: define float @largest(
; CHECK: ret float %z
define float @largest(<1 x float> %x) {
  %z = call float @llvm.vector.reduce.fmax.v1f32(<1 x float> %x)
  ret float %z
}
