; The shadow of a select is the select of the shadows, for scalars, lanes and aggregates.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @scalar(
; CHECK: %z = select i1 %c, double %x, double %y
; CHECK-NEXT: select i1 %c, double {{%[0-9]+}}, double {{%[0-9]+}}
define double @scalar(i1 %c, double %x, double %y) {
  %z = select i1 %c, double %x, double %y
  ret double %z
}

; CHECK-LABEL: define <4 x float> @lanes(
; CHECK: %z = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
; CHECK-NEXT: select <4 x i1> %c, <4 x double> {{%[0-9]+}}, <4 x double> {{%[0-9]+}}
define <4 x float> @lanes(<4 x i1> %c, <4 x float> %x, <4 x float> %y) {
  %z = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  ret <4 x float> %z
}

; CHECK-LABEL: define <4 x double> @one_condition(
; CHECK: select i1 %c, <4 x double> {{%[0-9]+}}, <4 x double> zeroinitializer
define <4 x double> @one_condition(i1 %c, <4 x double> %x) {
  %z = select i1 %c, <4 x double> %x, <4 x double> splat (double 2.0)
  ret <4 x double> %z
}

; CHECK-LABEL: define { double, [2 x float], i32 } @aggregate(
; CHECK: %z = select i1 %c, { double, [2 x float], i32 } %x
; CHECK: select i1 %c, double
; CHECK: select i1 %c, double
; CHECK: select i1 %c, double
define { double, [2 x float], i32 } @aggregate(i1 %c, { double, [2 x float], i32 } %x) {
  %z = select i1 %c, { double, [2 x float], i32 } %x, { double, [2 x float], i32 } zeroinitializer
  ret { double, [2 x float], i32 } %z
}

; A division that the select discards is not demanded, so it is no finding: the hooks carry a mask.
; CHECK-LABEL: define double @discarded(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}nonfinite_of(ptr @nonius.table, i32 {{[0-9]+}}, i32 %{{[0-9]+}}, double %q, double 1.000000e+00, double %x, double 1.000000e+00)
define double @discarded(double %x) {
  %q = fdiv double 1.0, %x
  %c = fcmp une double %x, 0.0
  %z = select i1 %c, double %q, double 0.0
  ret double %z
}

; CHECK-LABEL: define <2 x double> @discarded_lanes(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}nonfinite(
define <2 x double> @discarded_lanes(<2 x double> %x, i1 %b) {
  %q = fdiv <2 x double> splat (double 1.0), %x
  %c = fcmp une <2 x double> %x, zeroinitializer
  %z = select <2 x i1> %c, <2 x double> %q, <2 x double> zeroinitializer
  %w = select i1 %b, <2 x double> %z, <2 x double> %q
  %n = fneg <2 x double> %w
  ret <2 x double> %n
}

; CHECK-LABEL: define ptr @pointers(
define ptr @pointers(i1 %c, ptr %x, ptr %y, double %d) {
  %z = select i1 %c, ptr %x, ptr %y
  store double %d, ptr %z
  ret ptr %z
}
