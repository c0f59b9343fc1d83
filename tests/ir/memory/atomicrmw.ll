; A read-modify-write loads an old value and stores a new one; both have shadows.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @add(
; CHECK: %old = atomicrmw fadd ptr %p, double %x seq_cst
; CHECK: fcmp oeq double {{%[0-9]+}}, %old
; CHECK: [[NEW:%[0-9]+]] = fadd double %old, %x
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: store double [[NEW]], ptr
define double @add(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst
  ret double %old
}

; CHECK-LABEL: define void @operations(
; CHECK: atomicrmw fsub
; CHECK: fsub float %a, %x
; CHECK: atomicrmw fmax
; CHECK: call float @llvm.maxnum.f32(float %b, float %x)
; CHECK: atomicrmw fmin
; CHECK: call float @llvm.minnum.f32(float %c, float %x)
; CHECK: atomicrmw xchg
; CHECK: store float %x
define void @operations(ptr %p, float %x) {
  %a = atomicrmw fsub ptr %p, float %x monotonic
  %b = atomicrmw fmax ptr %p, float %x monotonic
  %c = atomicrmw fmin ptr %p, float %x monotonic
  %d = atomicrmw xchg ptr %p, float %x monotonic
  %e = atomicrmw fmaximum ptr %p, float %x monotonic
  %f = atomicrmw fminimum ptr %p, float %x monotonic
  ret void
}

; CHECK-LABEL: define void @formats(
define void @formats(ptr %p, half %h, bfloat %b, <2 x float> %v, double %d, fp128 %q) {
  %a = atomicrmw fadd ptr %p, half %h monotonic
  %c = atomicrmw volatile fadd ptr %p, bfloat %b monotonic
  %e = atomicrmw fadd ptr %p, <2 x float> %v monotonic, align 8
  %f = atomicrmw xchg ptr %p, double 2.0 monotonic
  %g = atomicrmw fadd ptr %p, double 1.0 monotonic, align 16
  ret void
}

; CHECK-LABEL: define i32 @integers(
define i32 @integers(ptr %p, i32 %x, double %d) {
  %a = atomicrmw add ptr %p, i32 %x monotonic
  %b = atomicrmw xchg ptr %p, ptr %p monotonic
  store double %d, ptr %p
  ret i32 %a
}
