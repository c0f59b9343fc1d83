; Minima and maxima take the shadow of the lane that was picked. Integer reductions are none of ours.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @largest(
; CHECK: %z = call double @llvm.vector.reduce.fmax.v2f64(<2 x double> %x)
; CHECK: fcmp oeq double {{%[0-9]+}}, %z
; CHECK: fcmp oeq double {{%[0-9]+}}, %z
define double @largest(<2 x double> %x) {
  %z = call double @llvm.vector.reduce.fmax.v2f64(<2 x double> %x)
  ret double %z
}

; CHECK-LABEL: define float @others(
define float @others(<4 x float> %x, <4 x i32> %i, ptr %p) {
  %a = call float @llvm.vector.reduce.fmin.v4f32(<4 x float> %x)
  %b = call float @llvm.vector.reduce.fmaximum.v4f32(<4 x float> %x)
  %c = call float @llvm.vector.reduce.fminimum.v4f32(<4 x float> %x)
  %d = fadd float %a, %b
  %e = fadd float %c, %d
  %n = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %i)
  store i32 %n, ptr %p
  ret float %e
}
