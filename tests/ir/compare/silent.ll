; Comparisons that no error can turn, or whose turn changes nothing: minimum, maximum and clamp.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @maximum(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret double %z
define double @maximum(double %x, double %y) {
  %c = fcmp ogt double %x, %y
  %z = select i1 %c, double %x, double %y
  ret double %z
}

; CHECK-LABEL: define <2 x double> @clamp(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret <2 x double> %z
define <2 x double> @clamp(<2 x double> %x) {
  %c = fcmp ogt <2 x double> %x, zeroinitializer
  %z = select <2 x i1> %c, <2 x double> %x, <2 x double> zeroinitializer
  ret <2 x double> %z
}

; CHECK-LABEL: define double @absolute(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret double %z
define double @absolute(double %x) {
  %c = fcmp olt double %x, 0.0
  %n = fneg double %x
  %z = select i1 %c, double %n, double %x
  ret double %z
}

; CHECK-LABEL: define i1 @itself(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret i1 %z
define i1 @itself(double %x) {
  %z = fcmp une double %x, %x
  ret i1 %z
}

; CHECK-LABEL: define i1 @exact(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret i1 %z
define i1 @exact(i32 %i) {
  %x = sitofp i32 %i to double
  %z = fcmp olt double %x, 3.0
  ret i1 %z
}

; The outcome is used elsewhere too: it may steer anything.
; CHECK-LABEL: define i1 @also_returned(
; CHECK: __nonius_{{(preserving_)?}}compare
; CHECK: ret i1 %c
define i1 @also_returned(double %x, double %y, ptr %p) {
  %c = fcmp ogt double %x, %y
  %z = select i1 %c, double %x, double %y
  store double %z, ptr %p
  ret i1 %c
}

; CHECK-LABEL: define void @unused(
define void @unused(double %x, double %y) {
  %c = fcmp ogt double %x, %y
  ret void
}
