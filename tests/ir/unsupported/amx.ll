; Tiles and opaque target types.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @tiles(
; CHECK: call x86_amx @llvm.x86.cast.vector.to.tile.v256i32(
define void @tiles(<256 x i32> %v, double %x, ptr %p) {
  %t = call x86_amx @llvm.x86.cast.vector.to.tile.v256i32(<256 x i32> %v)
  %w = call <256 x i32> @llvm.x86.cast.tile.to.vector.v256i32(x86_amx %t)
  %z = fadd double %x, 1.0
  store double %z, ptr %p
  ret void
}

; CHECK-LABEL: define void @opaque(
define void @opaque(target("spirv.Image", i32, 0) %t, double %x, ptr %p) {
  store double %x, ptr %p
  ret void
}

; CHECK-LABEL: define void @holds_type(
define void @holds_type({ double, target("spirv.Image", i32, 0) } %t) {
  ret void
}
