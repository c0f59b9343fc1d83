; nonius: codegen=off
; Pointers of other address spaces (fs, gs, 32 bits) have no planes: their floats restart.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @segment(
; CHECK: %x = load double, ptr addrspace(257) %p
; CHECK: store double %z, ptr addrspace(256) %q
; CHECK: ret double %z
define double @segment(ptr addrspace(257) %p, ptr addrspace(256) %q) {
  %x = load double, ptr addrspace(257) %p
  %z = fadd double %x, 1.0
  store double %z, ptr addrspace(256) %q
  ret double %z
}

; CHECK-LABEL: define void @others(
define void @others(ptr addrspace(257) %p, ptr %q, double %x, <2 x double> %v) {
  %old = atomicrmw fadd ptr addrspace(257) %p, double %x monotonic
  call void @llvm.memcpy.p0.p257.i64(ptr %q, ptr addrspace(257) %p, i64 16, i1 false)
  call void @llvm.memcpy.p257.p0.i64(ptr addrspace(257) %p, ptr %q, i64 800, i1 false)
  call void @llvm.memset.p257.i64(ptr addrspace(257) %p, i8 0, i64 8, i1 false)
  %i = load i64, ptr addrspace(257) %p
  store i64 %i, ptr %q
  %j = load i64, ptr %q
  store i64 %j, ptr addrspace(257) %p
  store i64 0, ptr addrspace(257) %p
  %a = addrspacecast ptr %q to ptr addrspace(257)
  store double %x, ptr addrspace(257) %a
  ret void
}

; CHECK-LABEL: define void @masked(
define void @masked(ptr addrspace(257) %p, <2 x double> %v, <2 x i1> %m) {
  %w = call <2 x double> @llvm.masked.load.v2f64.p257(ptr addrspace(257) %p, <2 x i1> %m, <2 x double> %v)
  call void @llvm.masked.store.v2f64.p257(<2 x double> %w, ptr addrspace(257) %p, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define void @short_pointers(
define void @short_pointers(ptr addrspace(270) %p, double %x) {
  %a = load double, ptr addrspace(270) %p
  %b = fadd double %a, %x
  store double %b, ptr addrspace(270) %p
  ret void
}
