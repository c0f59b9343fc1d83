; Where the target has no fused operation, fmuladd is a product and a sum, and stays so under AVX2.
; The other way round it would be one rounding less than the program has.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @scalar(
; CHECK: [[PRODUCT:%[0-9]+]] = fmul double %x, %y
; CHECK: fadd double [[PRODUCT]], %c
; CHECK-NOT: llvm.fmuladd
; CHECK: ret double
define double @scalar(double %x, double %y, double %c) {
  %z = call double @llvm.fmuladd.f64(double %x, double %y, double %c)
  ret double %z
}

; CHECK-LABEL: define <4 x float> @lanes(
; CHECK: [[PRODUCT:%[0-9]+]] = fmul <4 x float> %x, %y
; CHECK: fadd <4 x float> [[PRODUCT]], %c
define <4 x float> @lanes(<4 x float> %x, <4 x float> %y, <4 x float> %c) #0 {
  %z = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %x, <4 x float> %y, <4 x float> %c)
  ret <4 x float> %z
}

; A half has fused operations only with AVX512-FP16.
; CHECK-LABEL: define half @half(
; CHECK: [[PRODUCT:%[0-9]+]] = fmul half %x, %y
; CHECK: fadd half [[PRODUCT]], %c
define half @half(half %x, half %y, half %c) #1 {
  %z = call half @llvm.fmuladd.f16(half %x, half %y, half %c)
  ret half %z
}

; Constants alone may be folded away while lowering.
; CHECK-LABEL: define double @constants(
; CHECK-NOT: llvm.fmuladd
; CHECK: ret double
define double @constants() {
  %z = call double @llvm.fmuladd.f64(double 2.0, double 3.0, double 4.0)
  ret double %z
}

; CHECK: attributes {{.*}}"target-features"="+cx8,+sse2
attributes #0 = { "target-features"="+cx8,+sse2,-fma" }
attributes #1 = { "target-features"="+avx2,+fma" }
declare double @llvm.fmuladd.f64(double, double, double)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare half @llvm.fmuladd.f16(half, half, half)
