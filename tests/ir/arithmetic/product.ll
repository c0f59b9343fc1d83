; The error of a product is one fused operation; the residues are cross-multiplied.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @product(
; CHECK: %z = fmul double %x, %y
; CHECK-NEXT: [[NEG:%[0-9]+]] = fneg double %z
; CHECK-NEXT: [[MU:%[0-9]+]] = call double @llvm.fma.f64(double %x, double %y, double [[NEG]])
; CHECK-NEXT: [[E:%[0-9]+]] = call double @llvm.fma.f64(double %x, double [[EY:%[0-9]+]], double [[MU]])
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fadd double %y, [[EY]]
; CHECK-NEXT: call double @llvm.fma.f64(double [[IDEAL]], double {{%[0-9]+}}, double [[E]])
define double @product(double %x, double %y) {
  %z = fmul double %x, %y
  ret double %z
}

; A constant has no residue.
; CHECK-LABEL: define double @scaled(
; CHECK: %z = fmul double %x, 3.000000e+00
; CHECK-NEXT: fneg double %z
; CHECK-NEXT: [[MU:%[0-9]+]] = call double @llvm.fma.f64(
; CHECK-NEXT: call double @llvm.fma.f64(double 3.000000e+00, double {{%[0-9]+}}, double [[MU]])
; CHECK-NOT: llvm.fma
; CHECK: ret double %z
define double @scaled(double %x) {
  %z = fmul double %x, 3.0
  ret double %z
}

; There is no fused operation for quads: the product is split.
; CHECK-LABEL: define fp128 @quad(
; CHECK-NOT: llvm.fma
; CHECK: ret fp128 %z
define fp128 @quad(fp128 %x, fp128 %y) {
  %z = fmul fp128 %x, %y
  ret fp128 %z
}

; A float's ideal is the product of ideals.
; CHECK-LABEL: define float @float(
; CHECK: %z = fmul float %x, %y
; CHECK-NEXT: fmul double {{%[0-9]+}}, {{%[0-9]+}}
define float @float(float %x, float %y) {
  %z = fmul float %x, %y
  ret float %z
}
