; A square root's residue through the remainder x - z*z; the C function and the intrinsic alike.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @intrinsic(
; CHECK: %z = call double @llvm.sqrt.f64(double %x)
; CHECK-NEXT: [[NEG:%[0-9]+]] = fneg double %z
; CHECK-NEXT: call double @llvm.fma.f64(double [[NEG]], double %z, double %x)
; CHECK: [[IDEAL:%[0-9]+]] = call double @llvm.sqrt.f64(
; CHECK: [[BOTH:%[0-9]+]] = fadd double %z, [[IDEAL]]
; CHECK: fdiv double {{%[0-9]+}}, [[BOTH]]
define double @intrinsic(double %x) {
  %z = call double @llvm.sqrt.f64(double %x)
  ret double %z
}

; CHECK-LABEL: define double @library(
; CHECK: %z = call double @sqrt(double %x)
; CHECK: call double @llvm.fma.f64(
define double @library(double %x) {
  %z = call double @sqrt(double %x)
  ret double %z
}

; CHECK-LABEL: define float @float(
; CHECK: %z = call float @sqrtf(float %x)
; CHECK-NEXT: call double @llvm.sqrt.f64(
define float @float(float %x) {
  %z = call float @sqrtf(float %x)
  ret float %z
}

; The wider root of an x87 value is the runtime's.
; CHECK-LABEL: define x86_fp80 @x87(
; CHECK: call fp128 @__nonius_q_sqrt(
define x86_fp80 @x87(x86_fp80 %x) {
  %z = call x86_fp80 @sqrtl(x86_fp80 %x)
  ret x86_fp80 %z
}

; CHECK-LABEL: define <2 x x86_fp80> @x87_lanes(
; CHECK-COUNT-2: call fp128 @__nonius_q_sqrt(
define <2 x x86_fp80> @x87_lanes(<2 x x86_fp80> %x) {
  %z = call <2 x x86_fp80> @llvm.sqrt.v2f80(<2 x x86_fp80> %x)
  ret <2 x x86_fp80> %z
}

; CHECK-LABEL: define fp128 @quad(
; CHECK: ret fp128 %z
define fp128 @quad(fp128 %x) {
  %z = call fp128 @llvm.sqrt.f128(fp128 %x)
  ret fp128 %z
}

declare double @sqrt(double)
declare float @sqrtf(float)
declare x86_fp80 @sqrtl(x86_fp80)
declare double @llvm.sqrt.f64(double)
declare fp128 @llvm.sqrt.f128(fp128)
declare <2 x x86_fp80> @llvm.sqrt.v2f80(<2 x x86_fp80>)
