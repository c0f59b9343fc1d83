; |x| keeps the size of the residue; copysign turns it; minima and maxima pick one. Whose sign, and which one, are decisions.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @absolute(
; CHECK: %z = call double @llvm.fabs.f64(double %x)
; CHECK: [[IDEAL:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK: xor i1
; CHECK: select i1
define double @absolute(double %x) {
  %z = call double @llvm.fabs.f64(double %x)
  ret double %z
}

; CHECK-LABEL: define double @sign(
; CHECK: %z = call double @llvm.copysign.f64(double %x, double %y)
; CHECK-NEXT: fcmp olt double %y, 0.0
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: [[KEPT:%[0-9]+]] = fcmp oeq double %z, %x
; CHECK: select i1 [[KEPT]], double [[E:%[0-9]+]], double {{%[0-9]+}}
define double @sign(double %x, double %y) {
  %z = call double @llvm.copysign.f64(double %x, double %y)
  ret double %z
}

; CHECK-LABEL: define double @picks(
; CHECK: %a = call double @llvm.minnum.f64(double %x, double %y)
; CHECK-NEXT: fcmp olt double %x, %y
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: fcmp oeq double %a, %x
; CHECK: %b = call double @llvm.maximum.f64(double %a, double %y)
; CHECK-NEXT: fcmp ogt double %a, %y
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: fcmp oeq double %b, %a
; CHECK: %c = call double @fmax(double %b, double %x)
; CHECK-NEXT: fcmp ogt double %b, %x
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: fcmp oeq double %c, %b
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
; CHECK: ret double %d
define double @picks(double %x, double %y) {
  %a = call double @llvm.minnum.f64(double %x, double %y)
  %b = call double @llvm.maximum.f64(double %a, double %y)
  %c = call double @fmax(double %b, double %x)
  %d = call double @llvm.minimumnum.f64(double %c, double %y)
  ret double %d
}

; Nothing is known, so nothing is emitted.
; CHECK-LABEL: define double @constants(
; CHECK: call double @llvm.fabs.f64(double -2.000000e+00)
; CHECK-NOT: fcmp
; CHECK: ret double
define double @constants() {
  %z = call double @llvm.fabs.f64(double -2.0)
  %y = call double @llvm.minnum.f64(double %z, double 1.0)
  ret double %y
}

declare double @fmax(double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.minimumnum.f64(double, double)
