; Where the target has fused operations, fmuladd is one, and shadowed as such.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @scalar(
; CHECK: %z = call double @llvm.fmuladd.f64(double %x, double %y, double %c)
; CHECK: ret double %z
define double @scalar(double %x, double %y, double %c) #0 {
  %z = call double @llvm.fmuladd.f64(double %x, double %y, double %c)
  ret double %z
}

; CHECK-LABEL: define <8 x double> @lanes(
; CHECK: %z = call <8 x double> @llvm.fmuladd.v8f64(
define <8 x double> @lanes(<8 x double> %x, <8 x double> %y, <8 x double> %c) #1 {
  %z = call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %x, <8 x double> %y, <8 x double> %c)
  ret <8 x double> %z
}

; CHECK-LABEL: define half @half(
; CHECK: %z = call half @llvm.fmuladd.f16(
define half @half(half %x, half %y, half %c) #2 {
  %z = call half @llvm.fmuladd.f16(half %x, half %y, half %c)
  ret half %z
}

; x87 has none on any target.
; CHECK-LABEL: define x86_fp80 @x87(
; CHECK: fmul x86_fp80 %x, %y
define x86_fp80 @x87(x86_fp80 %x, x86_fp80 %y, x86_fp80 %c) #0 {
  %z = call x86_fp80 @llvm.fmuladd.f80(x86_fp80 %x, x86_fp80 %y, x86_fp80 %c)
  ret x86_fp80 %z
}

attributes #0 = { "target-features"="+avx,+fma" }
attributes #1 = { "target-features"="+avx512f" }
attributes #2 = { "target-features"="+avx512f,+avx512fp16,+avx512vl" }
declare double @llvm.fmuladd.f64(double, double, double)
declare <8 x double> @llvm.fmuladd.v8f64(<8 x double>, <8 x double>, <8 x double>)
declare half @llvm.fmuladd.f16(half, half, half)
declare x86_fp80 @llvm.fmuladd.f80(x86_fp80, x86_fp80, x86_fp80)
