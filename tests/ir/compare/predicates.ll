; A comparison that the rounded ideals decide otherwise goes to the runtime, an equality with what may be a recorded number;
; NaN tests and constant outcomes do not.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i1 @oeq(
; CHECK: %z = fcmp oeq double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp oeq double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}near(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @oeq(double %x, double %y) {
  %z = fcmp oeq double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ogt(
; CHECK: %z = fcmp ogt double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ogt double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ogt(double %x, double %y) {
  %z = fcmp ogt double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @oge(
; CHECK: %z = fcmp oge double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp oge double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @oge(double %x, double %y) {
  %z = fcmp oge double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @olt(
; CHECK: %z = fcmp olt double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp olt double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @olt(double %x, double %y) {
  %z = fcmp olt double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ole(
; CHECK: %z = fcmp ole double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ole double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ole(double %x, double %y) {
  %z = fcmp ole double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @one(
; CHECK: %z = fcmp one double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp one double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}near(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @one(double %x, double %y) {
  %z = fcmp one double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ueq(
; CHECK: %z = fcmp ueq double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ueq double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}near(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ueq(double %x, double %y) {
  %z = fcmp ueq double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ugt(
; CHECK: %z = fcmp ugt double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ugt double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ugt(double %x, double %y) {
  %z = fcmp ugt double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @uge(
; CHECK: %z = fcmp uge double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp uge double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @uge(double %x, double %y) {
  %z = fcmp uge double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ult(
; CHECK: %z = fcmp ult double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ult double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ult(double %x, double %y) {
  %z = fcmp ult double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ule(
; CHECK: %z = fcmp ule double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp ule double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @ule(double %x, double %y) {
  %z = fcmp ule double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @une(
; CHECK: %z = fcmp une double %x, %y
; CHECK: [[X:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK-NEXT: [[Y:%[0-9]+]] = fadd double %y, {{%[0-9]+}}
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fcmp une double [[X]], [[Y]]
; CHECK-NEXT: xor i1 %z, [[IDEAL]]
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}near(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define i1 @une(double %x, double %y) {
  %z = fcmp une double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @ord(
; CHECK-NOT: __nonius_{{(preserving_)?}}{{compare|near}}
; CHECK: ret i1 %z
define i1 @ord(double %x, double %y) {
  %z = fcmp ord double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @uno(
; CHECK-NOT: __nonius_{{(preserving_)?}}{{compare|near}}
; CHECK: ret i1 %z
define i1 @uno(double %x, double %y) {
  %z = fcmp uno double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @true(
; CHECK-NOT: __nonius_{{(preserving_)?}}{{compare|near}}
; CHECK: ret i1 %z
define i1 @true(double %x, double %y) {
  %z = fcmp true double %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @false(
; CHECK-NOT: __nonius_{{(preserving_)?}}{{compare|near}}
; CHECK: ret i1 %z
define i1 @false(double %x, double %y) {
  %z = fcmp false double %x, %y
  ret i1 %z
}
