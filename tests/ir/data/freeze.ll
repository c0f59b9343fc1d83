; A frozen value keeps its shadow.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @freeze(
; CHECK: %z = freeze double %x
; CHECK: store double [[E:%[0-9]+]], ptr
; CHECK: store double %z, ptr
; CHECK: store double %z, ptr %p
define void @freeze(double %x, ptr %p) {
  %z = freeze double %x
  store double %z, ptr %p
  ret void
}

; CHECK-LABEL: define void @others(
define void @others(<4 x half> %x, { float, double } %y, ptr %p) {
  %a = freeze <4 x half> %x
  store <4 x half> %a, ptr %p
  %b = freeze { float, double } %y
  store { float, double } %b, ptr %p
  %c = freeze double poison
  store double %c, ptr %p
  %i = load i64, ptr %p
  %f = freeze i64 %i
  store i64 %f, ptr %p
  ret void
}
