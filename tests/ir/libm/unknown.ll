; Intrinsics that Nonius does not know: the result restarts, the program goes on.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x float> @x86(
; CHECK: call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> %x)
; CHECK: call <4 x float> @llvm.x86.sse.min.ps(<4 x float> %a, <4 x float> %x)
; CHECK: fcmp oeq <4 x float>
define <4 x float> @x86(<4 x float> %x) #0 {
  %a = call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> %x)
  %b = call <4 x float> @llvm.x86.sse.min.ps(<4 x float> %a, <4 x float> %x)
  %c = call <4 x float> @llvm.x86.sse41.round.ps(<4 x float> %b, i32 8)
  %d = call <4 x float> @llvm.x86.sse41.dpps(<4 x float> %c, <4 x float> %x, i8 -1)
  %e = call <4 x float> @llvm.x86.sse.cmp.ps(<4 x float> %d, <4 x float> %x, i8 1)
  %f = call i32 @llvm.x86.sse.cvtss2si(<4 x float> %e)
  %g = call <4 x float> @llvm.x86.avx.vpermilvar.ps(<4 x float> %e, <4 x i32> zeroinitializer)
  ret <4 x float> %g
}

; CHECK-LABEL: define double @others(
define double @others(double %x, <4 x double> %v, <4 x i1> %m, i32 %n) {
  %a = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b = call <4 x double> @llvm.vp.fadd.v4f64(<4 x double> %v, <4 x double> %v, <4 x i1> %m, i32 %n)
  %c = call double @llvm.vp.reduce.fadd.v4f64(double %a, <4 x double> %b, <4 x i1> %m, i32 %n)
  %d = call <4 x double> @llvm.vector.reverse.v4f64(<4 x double> %b)
  %e = call <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double> %d, i64 2)
  %f = call <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double> %d, <2 x double> %e, i64 0)
  %g = call <8 x double> @llvm.vector.interleave2.v8f64(<4 x double> %f, <4 x double> %d)
  %h = call { <4 x double>, <4 x double> } @llvm.vector.deinterleave2.v8f64(<8 x double> %g)
  %i = extractvalue { <4 x double>, <4 x double> } %h, 1
  %j = call double @llvm.experimental.constrained.sqrt.f64(double %c, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  %q = extractelement <4 x double> %i, i32 0
  %r = fadd double %q, %j
  ret double %r
}

; CHECK-LABEL: define i32 @flags(
define i32 @flags(double %x, ptr %p) {
  %a = call i32 @llvm.get.rounding()
  call void @llvm.set.rounding(i32 1)
  %b = call i1 @llvm.is.fpclass.f64(double %x, i32 64)
  %c = call i1 @llvm.is.constant.f64(double %x)
  call void @llvm.assume(i1 %b)
  call void @llvm.sideeffect()
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %d = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  call void @llvm.trap()
  unreachable
}

attributes #0 = { "target-features"="+sse4.1,+avx" }
declare <4 x float> @llvm.x86.sse.rcp.ps(<4 x float>)
declare <4 x float> @llvm.x86.sse.min.ps(<4 x float>, <4 x float>)
