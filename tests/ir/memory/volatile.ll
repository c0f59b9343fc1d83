; A volatile access happens once, as it is; its shadow is an ordinary one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @seen(
; CHECK: %x = load volatile double, ptr %p
; CHECK-NOT: {{load|store}} volatile
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK-NOT: {{load|store}} volatile
; CHECK: store volatile double %z, ptr %q
; CHECK-NOT: {{load|store}} volatile
; CHECK: ret double %z
define double @seen(ptr %p, ptr %q) {
  %x = load volatile double, ptr %p
  %z = fmul double %x, %x
  store volatile double %z, ptr %q
  ret double %z
}

; A volatile local is seen from outside.
; CHECK-LABEL: define void @local(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: store volatile double %z, ptr %a
define void @local(double %x) {
  %a = alloca double
  %z = fmul double %x, %x
  store volatile double %z, ptr %a
  ret void
}
