; Constrained operations whose exceptions are ignored or may trap are shadowed like the plain ones.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @arithmetic(
; CHECK: %a = call double @llvm.experimental.constrained.fadd.f64(
; CHECK: fsub double %a, %x
; CHECK: %b = call double @llvm.experimental.constrained.fmul.f64(
; CHECK: call double @llvm.fma.f64(
; CHECK: %h = call double @llvm.experimental.constrained.sin.f64(
; CHECK: call double @__nonius_r_sin(
define double @arithmetic(double %x, double %y) strictfp {
  %a = call double @llvm.experimental.constrained.fadd.f64(double %x, double %y, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  %b = call double @llvm.experimental.constrained.fmul.f64(double %a, double %y, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %c = call double @llvm.experimental.constrained.fsub.f64(double %b, double %y, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %d = call double @llvm.experimental.constrained.fdiv.f64(double %c, double %x, metadata !"round.towardzero", metadata !"fpexcept.ignore") strictfp
  %e = call double @llvm.experimental.constrained.frem.f64(double %d, double %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %f = call double @llvm.experimental.constrained.sqrt.f64(double %e, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %g = call double @llvm.experimental.constrained.fma.f64(double %f, double %x, double %y, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %h = call double @llvm.experimental.constrained.sin.f64(double %g, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %i = call double @llvm.experimental.constrained.pow.f64(double %h, double %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %j = call double @llvm.experimental.constrained.fmuladd.f64(double %i, double %x, double %y, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %k = call double @llvm.experimental.constrained.floor.f64(double %j, metadata !"fpexcept.ignore") strictfp
  %l = call double @llvm.experimental.constrained.powi.f64(double %k, i32 3, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %m = call double @llvm.experimental.constrained.maxnum.f64(double %l, double %x, metadata !"fpexcept.ignore") strictfp
  %n = call double @llvm.experimental.constrained.ldexp.f64.i32(double %m, i32 3, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret double %n
}

; CHECK-LABEL: define i32 @conversions(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define i32 @conversions(double %x, float %y, i64 %n, ptr %p) strictfp {
  %a = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  store float %a, ptr %p
  %b = call double @llvm.experimental.constrained.fpext.f64.f32(float %y, metadata !"fpexcept.ignore") strictfp
  store double %b, ptr %p
  %c = call double @llvm.experimental.constrained.sitofp.f64.i64(i64 %n, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  store double %c, ptr %p
  %d = call double @llvm.experimental.constrained.uitofp.f64.i64(i64 %n, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  store double %d, ptr %p
  %e = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %x, metadata !"fpexcept.ignore") strictfp
  %f = call i32 @llvm.experimental.constrained.fptoui.i32.f32(float %y, metadata !"fpexcept.ignore") strictfp
  %g = call i1 @llvm.experimental.constrained.fcmp.f64(double %x, double 1.0, metadata !"olt", metadata !"fpexcept.ignore") strictfp
  %h = call i1 @llvm.experimental.constrained.fcmps.f64(double %x, double 1.0, metadata !"une", metadata !"fpexcept.ignore") strictfp
  %i = call i64 @llvm.experimental.constrained.lrint.i64.f64(double %x, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  %j = call i64 @llvm.experimental.constrained.lround.i64.f64(double %x, metadata !"fpexcept.ignore") strictfp
  %k = call i1 @llvm.experimental.constrained.fcmp.f64(double %x, double 1.0, metadata !"uno", metadata !"fpexcept.ignore") strictfp
  %s = select i1 %g, i32 %e, i32 %f
  ret i32 %s
}

; CHECK-LABEL: define <4 x float> @lanes(
define <4 x float> @lanes(<4 x float> %x) strictfp {
  %a = call <4 x float> @llvm.experimental.constrained.fadd.v4f32(<4 x float> %x, <4 x float> %x, metadata !"round.dynamic", metadata !"fpexcept.maytrap") strictfp
  %b = call <4 x i1> @llvm.experimental.constrained.fcmp.v4f32(<4 x float> %a, <4 x float> %x, metadata !"ogt", metadata !"fpexcept.maytrap") strictfp
  %c = select <4 x i1> %b, <4 x float> %a, <4 x float> %x
  ret <4 x float> %c
}
