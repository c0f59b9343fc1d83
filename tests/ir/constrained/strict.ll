; A function whose exceptions can be seen keeps its code as it is: shadow arithmetic would raise flags of its own.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @strict(
; CHECK-NEXT: store i8 1, ptr {{.*}}@nonius.ran
; CHECK-NEXT: %a = call double @llvm.experimental.constrained.fadd.f64(
; CHECK-NEXT: %b = call double @llvm.experimental.constrained.fdiv.f64(
; CHECK-NEXT: ret double %b
define double @strict(double %x, double %y) strictfp {
  %a = call double @llvm.experimental.constrained.fadd.f64(double %x, double %y, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %b = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %y, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret double %b
}

; CHECK-LABEL: define double @plain(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @plain(double %x) {
  %z = call double @strict(double %x, double 1.0)
  ret double %z
}

; Only moves floats, so there is nothing to raise.
; CHECK-LABEL: define void @moves(
define void @moves(ptr %p, ptr %q) strictfp {
  %x = load double, ptr %p
  store double %x, ptr %q
  ret void
}
