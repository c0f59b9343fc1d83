; The ideal of a sum or product has no order; the program's roundings are what its own result is off by.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @sum(
; CHECK: %z = call double @llvm.vector.reduce.fadd.v4f64(double %start, <4 x double> %x)
; CHECK: extractelement <4 x double> %x, i32 3
; CHECK: [[TOTAL:%[0-9]+]] = fadd double %start, {{%[0-9]+}}
; CHECK: [[OFF:%[0-9]+]] = fsub double {{%[0-9]+}}, %z
; CHECK: fadd double [[OFF]],
define double @sum(double %start, <4 x double> %x) {
  %z = call double @llvm.vector.reduce.fadd.v4f64(double %start, <4 x double> %x)
  ret double %z
}

; CHECK-LABEL: define double @any_order(
; CHECK: %z = call reassoc double @llvm.vector.reduce.fadd.v2f64(double -0.000000e+00, <2 x double> %x)
define double @any_order(<2 x double> %x) {
  %z = call reassoc double @llvm.vector.reduce.fadd.v2f64(double -0.0, <2 x double> %x)
  ret double %z
}

; CHECK-LABEL: define float @product(
; CHECK: %z = call float @llvm.vector.reduce.fmul.v8f32(float 1.000000e+00, <8 x float> %x)
; CHECK-COUNT-8: fmul double
define float @product(<8 x float> %x) {
  %z = call float @llvm.vector.reduce.fmul.v8f32(float 1.0, <8 x float> %x)
  ret float %z
}

; CHECK-LABEL: define void @formats(
define void @formats(<2 x half> %b, <3 x bfloat> %c, <2 x x86_fp80> %d, <2 x fp128> %e, ptr %p) {
  %1 = call half @llvm.vector.reduce.fadd.v2f16(half 0.0, <2 x half> %b)
  store volatile half %1, ptr %p
  %2 = call bfloat @llvm.vector.reduce.fmul.v3bf16(bfloat 1.0, <3 x bfloat> %c)
  store volatile bfloat %2, ptr %p
  %3 = call x86_fp80 @llvm.vector.reduce.fadd.v2f80(x86_fp80 0xK00000000000000000000, <2 x x86_fp80> %d)
  store volatile x86_fp80 %3, ptr %p
  %4 = call fp128 @llvm.vector.reduce.fadd.v2f128(fp128 0xL00000000000000000000000000000000, <2 x fp128> %e)
  store volatile fp128 %4, ptr %p
  ret void
}

; CHECK-LABEL: define double @constant(
define double @constant() {
  %z = call double @llvm.vector.reduce.fadd.v2f64(double 1.0, <2 x double> <double 1.0, double 2.0>)
  ret double %z
}
