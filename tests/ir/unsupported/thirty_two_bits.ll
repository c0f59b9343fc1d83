; The same machine with 32 bits has no room for the planes.
; nonius: codegen=off
target triple = "i686-pc-linux-gnu"

; CHECK-NOT: @{{(__)?}}nonius
define double @f(double %x) {
  %z = fadd double %x, %x
  ret double %z
}
