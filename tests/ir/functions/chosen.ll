; The user chooses functions by pattern.
; nonius: options="only-functions=num_*|skip-functions=*_skipped"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @num_this(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @num_this(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @num_skipped(
; CHECK-NEXT: store i8 1, ptr {{.*}}@nonius.ran
; CHECK-NEXT: %z = fadd
; CHECK-NEXT: ret
define double @num_skipped(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @another(
; CHECK-NEXT: store i8 1, ptr {{.*}}@nonius.ran
; CHECK-NEXT: %z = fadd
; CHECK-NEXT: ret
define double @another(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}
