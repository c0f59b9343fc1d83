; A format of another machine, still valid here.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define ppc_fp128 @arithmetic(
; CHECK: %z = fadd ppc_fp128 %x, %y
; CHECK: ret ppc_fp128
define ppc_fp128 @arithmetic(ppc_fp128 %x, ppc_fp128 %y, double %d, ptr %p) {
  %z = fadd ppc_fp128 %x, %y
  store ppc_fp128 %z, ptr %p
  %e = fpext double %d to ppc_fp128
  %t = fptrunc ppc_fp128 %z to double
  %s = fadd double %t, %d
  store double %s, ptr %p
  %c = fcmp olt ppc_fp128 %z, %e
  %i = fptosi ppc_fp128 %z to i64
  %f = sitofp i64 %i to ppc_fp128
  %r = call ppc_fp128 @llvm.sqrt.ppcf128(ppc_fp128 %f)
  %n = fneg ppc_fp128 %r
  %v = insertelement <2 x ppc_fp128> poison, ppc_fp128 %n, i32 0
  %w = fmul <2 x ppc_fp128> %v, %v
  %u = extractelement <2 x ppc_fp128> %w, i32 0
  %b = bitcast ppc_fp128 %u to i128
  store i128 %b, ptr %p
  %q = bitcast ppc_fp128 %u to fp128
  store fp128 %q, ptr %p
  ret ppc_fp128 %u
}
