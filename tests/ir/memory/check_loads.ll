; `check-loads`: a load whose copy is not the value, although there was a residue, is reported.
; nonius: options="check-loads=1"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @double(
; CHECK: [[HAD:%[0-9]+]] = fcmp une double
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}load_mismatch(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define double @double(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define <4 x half> @half(
; CHECK: icmp ne <4 x i16>
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}load_mismatch(ptr @nonius.table, i32 {{[0-9]+}}, i32 4,
define <4 x half> @half(ptr %p) {
  %x = load <4 x half>, ptr %p
  ret <4 x half> %x
}

; CHECK-LABEL: define { float, x86_fp80 } @members(
; CHECK-COUNT-2: call {{.*}}@__nonius_{{(preserving_)?}}load_mismatch(
define { float, x86_fp80 } @members(ptr %p) {
  %x = load { float, x86_fp80 }, ptr %p
  ret { float, x86_fp80 } %x
}

; CHECK-LABEL: define <100 x double> @too_many(
; CHECK-NOT: __nonius_{{(preserving_)?}}load_mismatch
; CHECK: ret <100 x double>
define <100 x double> @too_many(ptr %p) {
  %x = load <100 x double>, ptr %p
  ret <100 x double> %x
}
