; There is no evaluator for quads: their functions restart, and are counted as lost.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define fp128 @quad(
; CHECK-NOT: __nonius_q_sin
; CHECK: ret fp128
define fp128 @quad(fp128 %x, i32 %n) {
  %a = call fp128 @llvm.sin.f128(fp128 %x)
  %b = call fp128 @llvm.pow.f128(fp128 %a, fp128 %x)
  %c = call fp128 @llvm.floor.f128(fp128 %b)
  %d = call fp128 @llvm.powi.f128.i32(fp128 %c, i32 %n)
  %e = call fp128 @llvm.ldexp.f128.i32(fp128 %d, i32 %n)
  ret fp128 %e
}
