; Ideals are rounded to the format of the comparison before they are compared.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i1 @half(
; CHECK: fptrunc double {{%[0-9]+}} to half
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(
define i1 @half(half %x, half %y) {
  %z = fcmp olt half %x, %y
  ret i1 %z
}

; Through float: not every system library narrows a double to bfloat.
; CHECK-LABEL: define i1 @bfloat(
; CHECK: [[F:%[0-9]+]] = fptrunc double {{%[0-9]+}} to float
; CHECK: fptrunc float [[F]] to bfloat
define i1 @bfloat(bfloat %x, bfloat %y) {
  %z = fcmp olt bfloat %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @float(
; CHECK: fptrunc double {{%[0-9]+}} to float
define i1 @float(float %x) {
  %z = fcmp ogt float %x, 1.0
  ret i1 %z
}

; CHECK-LABEL: define i1 @x87(
; CHECK: fptrunc fp128 {{%[0-9]+}} to x86_fp80
define i1 @x87(x86_fp80 %x, x86_fp80 %y) {
  %z = fcmp oeq x86_fp80 %x, %y
  ret i1 %z
}

; CHECK-LABEL: define i1 @quad(
; CHECK: fadd fp128 %x,
define i1 @quad(fp128 %x, fp128 %y) {
  %z = fcmp oeq fp128 %x, %y
  ret i1 %z
}
