; 64 lanes, the most that a check looks at, and more than that: carried on without checks.
; nonius: codegen=slow
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @half64(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x i16>
; CHECK: store <64 x half> %sum
; CHECK: store <64 x half> %sum, ptr %to
define void @half64(ptr %from, ptr %to, <64 x half> %y) {
  %x = load <64 x half>, ptr %from
  %difference = fsub <64 x half> %x, %y
  %product = fmul <64 x half> %difference, %y
  %sum = fadd <64 x half> %product, %x
  store <64 x half> %sum, ptr %to
  %less = fcmp olt <64 x half> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @half65(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x i16>
; CHECK: store <65 x half> %sum
; CHECK: store <65 x half> %sum, ptr %to
define void @half65(ptr %from, ptr %to, <65 x half> %y) {
  %x = load <65 x half>, ptr %from
  %difference = fsub <65 x half> %x, %y
  %product = fmul <65 x half> %difference, %y
  %sum = fadd <65 x half> %product, %x
  store <65 x half> %sum, ptr %to
  %less = fcmp olt <65 x half> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @bfloat64(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x i16>
; CHECK: store <64 x bfloat> %sum
; CHECK: store <64 x bfloat> %sum, ptr %to
define void @bfloat64(ptr %from, ptr %to, <64 x bfloat> %y) {
  %x = load <64 x bfloat>, ptr %from
  %difference = fsub <64 x bfloat> %x, %y
  %product = fmul <64 x bfloat> %difference, %y
  %sum = fadd <64 x bfloat> %product, %x
  store <64 x bfloat> %sum, ptr %to
  %less = fcmp olt <64 x bfloat> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @bfloat65(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x i16>
; CHECK: store <65 x bfloat> %sum
; CHECK: store <65 x bfloat> %sum, ptr %to
define void @bfloat65(ptr %from, ptr %to, <65 x bfloat> %y) {
  %x = load <65 x bfloat>, ptr %from
  %difference = fsub <65 x bfloat> %x, %y
  %product = fmul <65 x bfloat> %difference, %y
  %sum = fadd <65 x bfloat> %product, %x
  store <65 x bfloat> %sum, ptr %to
  %less = fcmp olt <65 x bfloat> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @float64(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x float>
; CHECK: store <64 x float> %sum
; CHECK: store <64 x float> %sum, ptr %to
define void @float64(ptr %from, ptr %to, <64 x float> %y) {
  %x = load <64 x float>, ptr %from
  %difference = fsub <64 x float> %x, %y
  %product = fmul <64 x float> %difference, %y
  %sum = fadd <64 x float> %product, %x
  store <64 x float> %sum, ptr %to
  %less = fcmp olt <64 x float> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @float65(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x float>
; CHECK: store <65 x float> %sum
; CHECK: store <65 x float> %sum, ptr %to
define void @float65(ptr %from, ptr %to, <65 x float> %y) {
  %x = load <65 x float>, ptr %from
  %difference = fsub <65 x float> %x, %y
  %product = fmul <65 x float> %difference, %y
  %sum = fadd <65 x float> %product, %x
  store <65 x float> %sum, ptr %to
  %less = fcmp olt <65 x float> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @double64(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x double>
; CHECK: store <64 x double> %sum
; CHECK: store <64 x double> %sum, ptr %to
define void @double64(ptr %from, ptr %to, <64 x double> %y) {
  %x = load <64 x double>, ptr %from
  %difference = fsub <64 x double> %x, %y
  %product = fmul <64 x double> %difference, %y
  %sum = fadd <64 x double> %product, %x
  store <64 x double> %sum, ptr %to
  %less = fcmp olt <64 x double> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @double65(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x double>
; CHECK: store <65 x double> %sum
; CHECK: store <65 x double> %sum, ptr %to
define void @double65(ptr %from, ptr %to, <65 x double> %y) {
  %x = load <65 x double>, ptr %from
  %difference = fsub <65 x double> %x, %y
  %product = fmul <65 x double> %difference, %y
  %sum = fadd <65 x double> %product, %x
  store <65 x double> %sum, ptr %to
  %less = fcmp olt <65 x double> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @x86_fp8064(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x x86_fp80>
; CHECK: store <64 x x86_fp80> %sum
; CHECK: store <64 x x86_fp80> %sum, ptr %to
define void @x86_fp8064(ptr %from, ptr %to, <64 x x86_fp80> %y) {
  %x = load <64 x x86_fp80>, ptr %from
  %difference = fsub <64 x x86_fp80> %x, %y
  %product = fmul <64 x x86_fp80> %difference, %y
  %sum = fadd <64 x x86_fp80> %product, %x
  store <64 x x86_fp80> %sum, ptr %to
  %less = fcmp olt <64 x x86_fp80> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @x86_fp8065(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x x86_fp80>
; CHECK: store <65 x x86_fp80> %sum
; CHECK: store <65 x x86_fp80> %sum, ptr %to
define void @x86_fp8065(ptr %from, ptr %to, <65 x x86_fp80> %y) {
  %x = load <65 x x86_fp80>, ptr %from
  %difference = fsub <65 x x86_fp80> %x, %y
  %product = fmul <65 x x86_fp80> %difference, %y
  %sum = fadd <65 x x86_fp80> %product, %x
  store <65 x x86_fp80> %sum, ptr %to
  %less = fcmp olt <65 x x86_fp80> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @fp12864(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <64 x fp128>
; CHECK: store <64 x fp128> %sum
; CHECK: store <64 x fp128> %sum, ptr %to
define void @fp12864(ptr %from, ptr %to, <64 x fp128> %y) {
  %x = load <64 x fp128>, ptr %from
  %difference = fsub <64 x fp128> %x, %y
  %product = fmul <64 x fp128> %difference, %y
  %sum = fadd <64 x fp128> %product, %x
  store <64 x fp128> %sum, ptr %to
  %less = fcmp olt <64 x fp128> %sum, %x
  %bits = bitcast <64 x i1> %less to i64
  store i64 %bits, ptr %to
  ret void
}

; CHECK-LABEL: define void @fp12865(
; CHECK-NOT: call {{.*}}@__nonius_{{(preserving_)?}}check(ptr @nonius.table
; CHECK: store <65 x fp128>
; CHECK: store <65 x fp128> %sum
; CHECK: store <65 x fp128> %sum, ptr %to
define void @fp12865(ptr %from, ptr %to, <65 x fp128> %y) {
  %x = load <65 x fp128>, ptr %from
  %difference = fsub <65 x fp128> %x, %y
  %product = fmul <65 x fp128> %difference, %y
  %sum = fadd <65 x fp128> %product, %x
  store <65 x fp128> %sum, ptr %to
  %less = fcmp olt <65 x fp128> %sum, %x
  %bits = bitcast <65 x i1> %less to i65
  store i65 %bits, ptr %to
  ret void
}
