; A module without floats gets no table and no constructor: only the list of its functions, for callers to be counted by.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @nonius.defined = private constant [1 x i64]
; CHECK-NEXT: @llvm.used = {{.*}} [ptr @nonius.defined]
; CHECK-NOT: @{{(__)?}}nonius
define i64 @integers(i64 %x) {
  %z = add i64 %x, 1
  ret i64 %z
}
