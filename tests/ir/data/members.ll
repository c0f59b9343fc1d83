; Members of aggregates move with their shadows, at any depth.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%named = type { double, ptr }

; CHECK-LABEL: define double @extract(
; CHECK: %z = extractvalue { i32, { float, [2 x double] } } %x, 1, 1, 1
; CHECK: store double {{%[0-9]+}}, ptr
define double @extract({ i32, { float, [2 x double] } } %x) {
  %z = extractvalue { i32, { float, [2 x double] } } %x, 1, 1, 1
  ret double %z
}

; CHECK-LABEL: define { i32, { float, [2 x double] } } @insert(
; CHECK: %z = insertvalue { i32, { float, [2 x double] } } %x, [2 x double] %y, 1, 1
define { i32, { float, [2 x double] } } @insert({ i32, { float, [2 x double] } } %x, [2 x double] %y) {
  %z = insertvalue { i32, { float, [2 x double] } } %x, [2 x double] %y, 1, 1
  ret { i32, { float, [2 x double] } } %z
}

; CHECK-LABEL: define { double, double } @build(
; CHECK: ret { double, double } %b
define { double, double } @build(double %x) {
  %s = fmul double %x, %x
  %a = insertvalue { double, double } poison, double %s, 0
  %b = insertvalue { double, double } %a, double 1.0, 1
  ret { double, double } %b
}

; CHECK-LABEL: define <2 x float> @vectors(
define <2 x float> @vectors([2 x <2 x float>] %x, <2 x float> %y) {
  %a = insertvalue [2 x <2 x float>] %x, <2 x float> %y, 1
  %b = extractvalue [2 x <2 x float>] %a, 0
  %c = extractvalue [2 x <2 x float>] %a, 1
  %d = fadd <2 x float> %b, %c
  ret <2 x float> %d
}

; CHECK-LABEL: define {} @empty(
define {} @empty({} %x, [0 x double] %y, double %d) {
  ret {} %x
}

; CHECK-LABEL: define double @packed(
define double @packed(<{ i8, double }> %x, %named %y) {
  %a = extractvalue <{ i8, double }> %x, 1
  %b = extractvalue %named %y, 0
  %c = fadd double %a, %b
  ret double %c
}
