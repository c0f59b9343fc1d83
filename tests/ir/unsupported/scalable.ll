; Vectors whose length the compiler does not know have no shadow: the code stays as it is.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <vscale x 2 x double> @arithmetic(
; CHECK: %z = fadd <vscale x 2 x double> %x, %y
; CHECK: ret <vscale x 2 x double> %n
define <vscale x 2 x double> @arithmetic(<vscale x 2 x double> %x, <vscale x 2 x double> %y, ptr %p) {
  %z = fadd <vscale x 2 x double> %x, %y
  store <vscale x 2 x double> %z, ptr %p
  %l = load <vscale x 2 x double>, ptr %p
  %c = fcmp olt <vscale x 2 x double> %l, %z
  %s = select <vscale x 2 x i1> %c, <vscale x 2 x double> %l, <vscale x 2 x double> %z
  %e = extractelement <vscale x 2 x double> %s, i32 0
  store double %e, ptr %p
  %i = insertelement <vscale x 2 x double> %s, double %e, i32 1
  %sh = shufflevector <vscale x 2 x double> %i, <vscale x 2 x double> poison, <vscale x 2 x i32> zeroinitializer
  %b = bitcast <vscale x 2 x double> %sh to <vscale x 2 x i64>
  store <vscale x 2 x i64> %b, ptr %p
  %n = fneg <vscale x 2 x double> %sh
  ret <vscale x 2 x double> %n
}

; CHECK-LABEL: define double @with_others(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: ret double %z
define double @with_others(double %x, ptr %p) {
  %v = load <vscale x 4 x float>, ptr %p
  %w = call <vscale x 4 x float> @llvm.sqrt.nxv4f32(<vscale x 4 x float> %v)
  %t = fpext <vscale x 4 x float> %w to <vscale x 4 x double>
  %i = fptosi <vscale x 4 x double> %t to <vscale x 4 x i32>
  %f = sitofp <vscale x 4 x i32> %i to <vscale x 4 x float>
  store <vscale x 4 x float> %f, ptr %p
  %q = call <vscale x 4 x float> @pass(<vscale x 4 x float> %f)
  %r = extractelement <vscale x 4 x float> %q, i32 1
  %d = fpext float %r to double
  %z = fadd double %x, %d
  store double %z, ptr %p
  %a = alloca <vscale x 2 x double>
  call void @fill(ptr %a)
  ret double %z
}

declare <vscale x 4 x float> @pass(<vscale x 4 x float>)
declare void @fill(ptr)
