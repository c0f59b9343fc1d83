; The remainder keeps the program's quotient; where the ideal may have another, the runtime looks, and gives the residue of
; each lane. Quads restart.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @double(
; CHECK: %z = frem double %x, %y
; CHECK: [[OVER:%[0-9]+]] = fsub double %x, %z
; CHECK: fdiv double [[OVER]], %y
; CHECK: call void @__nonius_remainder(
; CHECK: call double @__nonius_r_fmod(double %x, double {{%[0-9]+}}, double %y, double {{%[0-9]+}}, double %z)
define double @double(double %x, double %y) {
  %z = frem double %x, %y
  ret double %z
}

; CHECK-LABEL: define float @float(
; CHECK: call void @__nonius_remainder(
; CHECK: call double @__nonius_r_fmod(
define float @float(float %x, float %y) {
  %z = frem float %x, %y
  ret float %z
}

; CHECK-LABEL: define x86_fp80 @x87(
; CHECK: call void @__nonius_remainder(
define x86_fp80 @x87(x86_fp80 %x, x86_fp80 %y) {
  %z = frem x86_fp80 %x, %y
  ret x86_fp80 %z
}

; CHECK-LABEL: define fp128 @quad(
; CHECK-NOT: __nonius_remainder
; CHECK: ret fp128
define fp128 @quad(fp128 %x, fp128 %y) {
  %z = frem fp128 %x, %y
  ret fp128 %z
}

; CHECK-LABEL: define <3 x double> @lanes(
; CHECK-COUNT-3: call double @__nonius_r_fmod(
; CHECK-NOT: call double @__nonius_r_fmod(
define <3 x double> @lanes(<3 x double> %x, <3 x double> %y) {
  %z = frem <3 x double> %x, %y
  ret <3 x double> %z
}
