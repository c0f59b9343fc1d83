; Atomic loads and stores keep their order; shadows are ordinary accesses beside them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @load(
; CHECK: %x = load atomic double, ptr %p acquire, align 8
; CHECK: load double, ptr
; CHECK: load double, ptr
define double @load(ptr %p) {
  %x = load atomic double, ptr %p acquire, align 8
  ret double %x
}

; CHECK-LABEL: define void @store(
; CHECK: store float {{%[0-9]+}}, ptr
; CHECK: store float %x, ptr
; CHECK: store atomic float %x, ptr %p seq_cst, align 4
define void @store(float %x, ptr %p) {
  store atomic float %x, ptr %p seq_cst, align 4
  ret void
}

; CHECK-LABEL: define void @integers(
define void @integers(ptr %p, ptr %q) {
  %i = load atomic i64, ptr %p monotonic, align 8
  store atomic i64 %i, ptr %q release, align 8
  fence seq_cst
  ret void
}
