; An intrinsic that may stand in the entry block only.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @convergence(
define double @convergence(double %x) convergent {
  %t = call token @llvm.experimental.convergence.entry()
  %a = call double @convergent(double %x) convergent [ "convergencectrl"(token %t) ]
  ret double %a
}

declare double @convergent(double) convergent
