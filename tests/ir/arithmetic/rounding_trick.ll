; Adding 1.5 * 2^52 (2^23 for a float) rounds on purpose: the sum is what it should be.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @trick(
; CHECK: %shifted = fadd double %x, 0x4338000000000000
; CHECK-NOT: fsub double %shifted, %x
; CHECK: ret double %rounded
define double @trick(double %x) {
  %shifted = fadd double %x, 6755399441055744.0
  %rounded = fsub double %shifted, 6755399441055744.0
  ret double %rounded
}

; CHECK-LABEL: define <4 x float> @lanes(
; CHECK: %shifted = fadd <4 x float> %x, splat (float 0x4168000000000000)
; CHECK-NOT: fadd <4 x double> {{%[0-9]+}}, splat
; CHECK: %rounded = fsub
define <4 x float> @lanes(<4 x float> %x) {
  %shifted = fadd <4 x float> %x, splat (float 0x4168000000000000)
  %rounded = fsub <4 x float> %shifted, splat (float 0x4168000000000000)
  ret <4 x float> %rounded
}

; Any other constant rounds by accident.
; CHECK-LABEL: define double @other(
; CHECK: %z = fadd double %x, 0x4330000000000000
; CHECK-NEXT: fsub double %z, %x
define double @other(double %x) {
  %z = fadd double %x, 4503599627370496.0
  ret double %z
}
