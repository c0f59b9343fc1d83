; x32: the machine's registers with pointers of 32 bits have no room for the planes.
; nonius: codegen=off
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnux32"

; CHECK-NOT: @{{(__)?}}nonius
define double @f(double %x, ptr %p) {
  %z = fadd double %x, %x
  store double %z, ptr %p
  ret double %z
}
