; Gathers and scatters go to the planes by the same pointers, moved.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x double> @gather(
; CHECK: getelementptr i8, <4 x ptr> %p, <4 x i64> splat (i64 [[RESIDUE]])
; CHECK: call <4 x double> @llvm.masked.gather.v4f64.v4p0(
; CHECK: getelementptr i8, <4 x ptr> %p, <4 x i64> splat (i64 [[COPY]])
; CHECK: call <4 x double> @llvm.masked.gather.v4f64.v4p0(
define <4 x double> @gather(<4 x ptr> %p, <4 x i1> %m, <4 x double> %other) {
  %x = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %p, <4 x i1> %m, <4 x double> %other)
  ret <4 x double> %x
}

; CHECK-LABEL: define void @scatter(
; CHECK: getelementptr i8, <2 x ptr> %p, <2 x i64> splat (i64 [[RESIDUE]])
; CHECK: call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> {{%[0-9]+}}
; CHECK: getelementptr i8, <2 x ptr> %p, <2 x i64> splat (i64 [[COPY]])
; CHECK: call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> %x
; CHECK: call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> %x, <2 x ptr> align 4 %p
define void @scatter(<2 x float> %x, <2 x ptr> %p, <2 x i1> %m) {
  call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> %x, <2 x ptr> align 4 %p, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define void @formats(
define void @formats(<4 x ptr> %p, <4 x i1> %m, <1 x ptr> %p1, <1 x i1> %m1) {
  %a = call <4 x half> @llvm.masked.gather.v4f16.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x half> poison)
  call void @llvm.masked.scatter.v4f16.v4p0(<4 x half> %a, <4 x ptr> %p, <4 x i1> %m)
  %b = call <1 x double> @llvm.masked.gather.v1f64.v1p0(<1 x ptr> %p1, <1 x i1> %m1, <1 x double> zeroinitializer)
  call void @llvm.masked.scatter.v1f64.v1p0(<1 x double> %b, <1 x ptr> %p1, <1 x i1> splat (i1 true))
  %c = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x i64> poison)
  call void @llvm.masked.scatter.v4i64.v4p0(<4 x i64> %c, <4 x ptr> %p, <4 x i1> %m)
  ret void
}
