; A fused operation stays one; its error comes from two error-free transformations.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @fused(
; CHECK: %z = call double @llvm.fma.f64(double %x, double %y, double %c)
; CHECK: fmul double %x, %y
define double @fused(double %x, double %y, double %c) {
  %z = call double @llvm.fma.f64(double %x, double %y, double %c)
  ret double %z
}

; CHECK-LABEL: define double @library(
; CHECK: %z = call double @fma(double %x, double %y, double %c)
; CHECK-NEXT: fmul double %x, %y
define double @library(double %x, double %y, double %c) {
  %z = call double @fma(double %x, double %y, double %c)
  ret double %z
}

; CHECK-LABEL: define <3 x float> @lanes(
; CHECK: fmul <3 x double>
; CHECK: fadd <3 x double>
define <3 x float> @lanes(<3 x float> %x, <3 x float> %y, <3 x float> %c) {
  %z = call <3 x float> @llvm.fma.v3f32(<3 x float> %x, <3 x float> %y, <3 x float> %c)
  ret <3 x float> %z
}

; CHECK-LABEL: define fp128 @quad(
define fp128 @quad(fp128 %x, fp128 %y, fp128 %c) {
  %z = call fp128 @llvm.fma.f128(fp128 %x, fp128 %y, fp128 %c)
  ret fp128 %z
}

declare double @fma(double, double, double)
declare double @llvm.fma.f64(double, double, double)
declare <3 x float> @llvm.fma.v3f32(<3 x float>, <3 x float>, <3 x float>)
declare fp128 @llvm.fma.f128(fp128, fp128, fp128)
