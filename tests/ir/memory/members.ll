; Members lie at their offsets, and are aligned as far as those are. The function has no float by itself.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @members(
; CHECK: store float {{.*}}, align 4
; CHECK: store double {{.*}}, align 8
define void @members(ptr %p, { i32, float, double } %x) {
  store { i32, float, double } %x, ptr %p, align 16
  ret void
}

; CHECK-LABEL: define void @packed(
; CHECK: store double {{.*}}, align 1
define void @packed(ptr %p, <{ i8, double }> %x) {
  store <{ i8, double }> %x, ptr %p, align 16
  ret void
}
