; Expanding loads and compressing stores are not followed: what they load restarts, what they store does not fit its copy.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x double> @expand(
; CHECK: %x = call <4 x double> @llvm.masked.expandload.v4f64(ptr %p, <4 x i1> %m, <4 x double> %other)
; CHECK: ret <4 x double> %x
define <4 x double> @expand(ptr %p, <4 x i1> %m, <4 x double> %other) {
  %x = call <4 x double> @llvm.masked.expandload.v4f64(ptr %p, <4 x i1> %m, <4 x double> %other)
  ret <4 x double> %x
}

; CHECK-LABEL: define void @compress(
; CHECK: call void @llvm.masked.compressstore.v4f32(<4 x float> %x, ptr %p, <4 x i1> %m)
define void @compress(<4 x float> %x, ptr %p, <4 x i1> %m) {
  call void @llvm.masked.compressstore.v4f32(<4 x float> %x, ptr %p, <4 x i1> %m)
  ret void
}

; CHECK-LABEL: define <4 x float> @in_registers(
define <4 x float> @in_registers(<4 x float> %x, <4 x i1> %m) {
  %z = call <4 x float> @llvm.experimental.vector.compress.v4f32(<4 x float> %x, <4 x i1> %m, <4 x float> %x)
  ret <4 x float> %z
}

declare <4 x double> @llvm.masked.expandload.v4f64(ptr, <4 x i1>, <4 x double>)
declare void @llvm.masked.compressstore.v4f32(<4 x float>, ptr, <4 x i1>)
