; `contract` on a target without fused operations changes nothing, so the raised function must not fuse.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @contract(
; CHECK: %a = fmul double %x, %y
; CHECK: [[FENCED:%[0-9]+]] = call double @llvm.arithmetic.fence.f64(double %a)
; CHECK: %b = fadd double [[FENCED]], %c
define double @contract(double %x, double %y, double %c) {
  %a = fmul contract double %x, %y
  %b = fadd contract double %a, %c
  ret double %b
}

; CHECK-LABEL: define <2 x double> @square(
; CHECK: %a = fmul <2 x double> %x, %x
; CHECK: [[FENCED:%[0-9]+]] = call <2 x double> @llvm.arithmetic.fence.v2f64(<2 x double> %a)
; CHECK: %b = fsub <2 x double> [[FENCED]], [[FENCED]]
define <2 x double> @square(<2 x double> %x) {
  %a = fmul contract <2 x double> %x, %x
  %b = fsub contract <2 x double> %a, %a
  ret <2 x double> %b
}

; With them, the flags stay.
; CHECK-LABEL: define double @fma_target(
; CHECK: %a = fmul contract double %x, %y
; CHECK: %b = fadd contract double %a, %c
define double @fma_target(double %x, double %y, double %c) #0 {
  %a = fmul contract double %x, %y
  %b = fadd contract double %a, %c
  ret double %b
}

attributes #0 = { "target-features"="+avx,+fma" }
