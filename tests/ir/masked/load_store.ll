; The planes are mapped everywhere, so a masked load's shadow is loaded whole and then selected. Stores keep the mask.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x double> @load(
; CHECK: %x = call <4 x double> @llvm.masked.load.v4f64.p0(
; CHECK: load <4 x double>, ptr
; CHECK: load <4 x double>, ptr
; CHECK: select <4 x i1> %m, <4 x double> {{%[0-9]+}}, <4 x double> {{%[0-9]+}}
define <4 x double> @load(ptr %p, <4 x i1> %m, <4 x double> %other) {
  %x = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> %m, <4 x double> %other)
  ret <4 x double> %x
}

; CHECK-LABEL: define void @store(
; CHECK: select <4 x i1> %m, <4 x double>
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> {{%[0-9]+}}, ptr {{(align 1 )?}}{{%[0-9]+}}, <4 x i1> %m)
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %x, ptr {{(align 1 )?}}{{%[0-9]+}}, <4 x i1> %m)
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %x, ptr align 4 %p, <4 x i1> %m)
define void @store(ptr %p, <4 x i1> %m, <4 x float> %x) {
  call void @llvm.masked.store.v4f32.p0(<4 x float> %x, ptr align 4 %p, <4 x i1> %m)
  ret void
}

; A masked store without known alignment must not become one that asks for it.
; CHECK-LABEL: define void @unaligned(
; CHECK: call void @llvm.masked.store.v4f64.p0(<4 x double> {{%[0-9]+}}, ptr {{(align 1 )?}}{{%[0-9]+}}, <4 x i1> %m)
define void @unaligned(ptr %p, <4 x i1> %m, <4 x double> %x) {
  call void @llvm.masked.store.v4f64.p0(<4 x double> %x, ptr align 1 %p, <4 x i1> %m)
  ret void
}

; CHECK-LABEL: define void @formats(
define void @formats(ptr %p, <8 x i1> %m, <8 x half> %h, <8 x bfloat> %b, <2 x i1> %m2, <2 x x86_fp80> %l) {
  %a = call <8 x half> @llvm.masked.load.v8f16.p0(ptr %p, <8 x i1> %m, <8 x half> poison)
  call void @llvm.masked.store.v8f16.p0(<8 x half> %a, ptr %p, <8 x i1> %m)
  %c = call <8 x bfloat> @llvm.masked.load.v8bf16.p0(ptr %p, <8 x i1> splat (i1 true), <8 x bfloat> %b)
  call void @llvm.masked.store.v8bf16.p0(<8 x bfloat> %c, ptr %p, <8 x i1> %m)
  ret void
}

; CHECK-LABEL: define <4 x i32> @integers(
define <4 x i32> @integers(ptr %p, <4 x i1> %m, <4 x i32> %x, double %d) {
  %a = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <4 x i1> %m, <4 x i32> %x)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %a, ptr %p, <4 x i1> %m)
  store double %d, ptr %p
  ret <4 x i32> %a
}

; CHECK-LABEL: define <4 x i1> @boolean_lanes(
define <4 x i1> @boolean_lanes(ptr %p, <4 x i1> %m, <4 x i1> %x, double %d) {
  %a = call <4 x i1> @llvm.masked.load.v4i1.p0(ptr %p, <4 x i1> %m, <4 x i1> %x)
  call void @llvm.masked.store.v4i1.p0(<4 x i1> %a, ptr %p, <4 x i1> %m)
  store double %d, ptr %p
  ret <4 x i1> %a
}
