; The planes keep an access's alignment up to a cache line, whatever it is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @unaligned(
; CHECK: load double, ptr {{%[0-9]+}}, align 1
; CHECK: load double, ptr {{%[0-9]+}}, align 1
; CHECK: store double {{%[0-9]+}}, ptr {{%[0-9]+}}, align 2
; CHECK: store double %x, ptr {{%[0-9]+}}, align 2
define void @unaligned(ptr %p, ptr %q) {
  %x = load double, ptr %p, align 1
  store double %x, ptr %q, align 2
  ret void
}

; CHECK-LABEL: define void @page(
; CHECK: load <4 x double>, ptr {{%[0-9]+}}, align 64
; CHECK: store <4 x double> %x, ptr {{%[0-9]+}}, align 64
define void @page(ptr %p, ptr %q) {
  %x = load <4 x double>, ptr %p, align 4096
  store <4 x double> %x, ptr %q, align 4096
  ret void
}

; CHECK-LABEL: define x86_fp80 @x87(
define x86_fp80 @x87(ptr %p) {
  %x = load x86_fp80, ptr %p, align 1
  store x86_fp80 %x, ptr %p, align 16
  ret x86_fp80 %x
}
