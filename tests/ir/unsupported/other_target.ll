; Only x86-64 is instrumented.
; nonius: codegen=off
target triple = "aarch64-unknown-linux-gnu"

; CHECK-LABEL: define double @f(
; CHECK-NEXT: %z = fadd double %x, %x
; CHECK-NEXT: ret double %z
; CHECK-NOT: @{{(__)?}}nonius
define double @f(double %x) {
  %z = fadd double %x, %x
  ret double %z
}
