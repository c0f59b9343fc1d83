; Where the rounding mode or exceptions matter, a target without FMA still rounds the product and the sum; so does one
; without the wide format's own fused operation. `fma` itself stays what it is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @without(
; CHECK-NOT: constrained.fmuladd
; CHECK: [[P:%[0-9]+]] = call double @llvm.experimental.constrained.fmul.f64(double %x, double %y, metadata !"round.dynamic", metadata !"fpexcept.ignore") [[STRICT:#[0-9]+]]
; CHECK: call double @llvm.experimental.constrained.fadd.f64(double [[P]], double %z, metadata !"round.dynamic", metadata !"fpexcept.ignore") [[STRICT]]
; CHECK: ret double
define double @without(double %x, double %y, double %z) strictfp {
  %r = call double @llvm.experimental.constrained.fmuladd.f64(double %x, double %y, double %z, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}

; CHECK-LABEL: define <4 x float> @lanes_without(
; CHECK-NOT: constrained.fmuladd
; CHECK: call <4 x float> @llvm.experimental.constrained.fmul.v4f32({{.*}}metadata !"round.tonearest", metadata !"fpexcept.maytrap")
; CHECK: call <4 x float> @llvm.experimental.constrained.fadd.v4f32({{.*}}metadata !"round.tonearest", metadata !"fpexcept.maytrap")
; CHECK: ret <4 x float>
define <4 x float> @lanes_without(<4 x float> %x, <4 x float> %y, <4 x float> %z) strictfp {
  %r = call <4 x float> @llvm.experimental.constrained.fmuladd.v4f32(<4 x float> %x, <4 x float> %y, <4 x float> %z, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  ret <4 x float> %r
}

; CHECK-LABEL: define double @with(
; CHECK: call double @llvm.experimental.constrained.fmuladd.f64(
define double @with(double %x, double %y, double %z) strictfp "target-features"="+avx,+fma" {
  %r = call double @llvm.experimental.constrained.fmuladd.f64(double %x, double %y, double %z, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}

; CHECK-LABEL: define x86_fp80 @wide(
; CHECK: call x86_fp80 @llvm.experimental.constrained.fmul.f80(
; CHECK: call x86_fp80 @llvm.experimental.constrained.fadd.f80(
define x86_fp80 @wide(x86_fp80 %x, x86_fp80 %y, x86_fp80 %z) strictfp "target-features"="+avx,+fma" {
  %r = call x86_fp80 @llvm.experimental.constrained.fmuladd.f80(x86_fp80 %x, x86_fp80 %y, x86_fp80 %z, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret x86_fp80 %r
}

; CHECK-LABEL: define double @fused(
; CHECK: call double @llvm.experimental.constrained.fma.f64(
define double @fused(double %x, double %y, double %z) strictfp {
  %r = call double @llvm.experimental.constrained.fma.f64(double %x, double %y, double %z, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
