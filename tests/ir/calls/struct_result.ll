; Every float of a struct that is returned in registers has a slot.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define { double, float } @make(
; CHECK: getelementptr i8, ptr {{%[0-9]+}}, i64 [[RET]]
; CHECK: getelementptr i8, ptr {{%[0-9]+}}, i64 80
define { double, float } @make(double %x, float %y) {
  %s = fadd double %x, 1.0
  %t = fadd float %y, 1.0
  %a = insertvalue { double, float } poison, double %s, 0
  %b = insertvalue { double, float } %a, float %t, 1
  ret { double, float } %b
}

; CHECK-LABEL: define double @take(
; CHECK: %r = call { double, float } @make(
; CHECK: getelementptr i8, ptr {{%[0-9]+}}, i64 [[RET]]
; CHECK: getelementptr i8, ptr {{%[0-9]+}}, i64 80
define double @take(double %x, float %y) {
  %r = call { double, float } @make(double %x, float %y)
  %a = extractvalue { double, float } %r, 0
  ret double %a
}

; CHECK-LABEL: define [2 x <2 x float>] @vectors(
define [2 x <2 x float>] @vectors([2 x <2 x float>] %x) {
  %r = call [2 x <2 x float>] @vectors([2 x <2 x float>] %x)
  ret [2 x <2 x float>] %r
}

; CHECK-LABEL: define { double, double } @constant(
define { double, double } @constant() {
  ret { double, double } { double 1.0, double 2.0 }
}

; CHECK-LABEL: define { double, double } @nothing(
define { double, double } @nothing() {
  ret { double, double } poison
}
