; The sum of a vector whose length the compiler does not know restarts.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @sum(
; CHECK: %r = call double @llvm.vector.reduce.fadd.nxv2f64(double 0.000000e+00, <vscale x 2 x double> %x)
; CHECK: ret double %z
define double @sum(<vscale x 2 x double> %x) {
  %r = call double @llvm.vector.reduce.fadd.nxv2f64(double 0.0, <vscale x 2 x double> %x)
  %z = fadd double %r, 1.0
  ret double %z
}
