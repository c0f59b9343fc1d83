; Functions of every linkage, in comdats or not; each module has its own table and constructor.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$inline = comdat any
$"other" = comdat nodeduplicate

; CHECK-LABEL: define linkonce_odr double @inline(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define linkonce_odr double @inline(double %x) comdat {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define weak double @weak(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define weak double @weak(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define weak_odr hidden float @hidden(
define weak_odr hidden float @hidden(float %x) comdat($"other") {
  %z = fadd float %x, 1.0
  ret float %z
}

; CHECK-LABEL: define internal fastcc double @local(
define internal fastcc double @local(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define protected double @visible(
define protected double @visible(double %x) section "code" align 64 prefix i32 7 prologue i8 144 {
  %z = call fastcc double @local(double %x)
  ret double %z
}

; CHECK-LABEL: define private double @private(
define private double @private(double %x) unnamed_addr {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @uses(
define double @uses(double %x) {
  %a = call double @private(double %x)
  %b = call double @external_weak(double %a)
  ret double %b
}

; CHECK: call void @__nonius_module_start(ptr @nonius.table, i64 {{[0-9]+}}, ptr @nonius.ran, ptr @nonius.lost, ptr @nonius.tallies)
declare extern_weak double @external_weak(double)
