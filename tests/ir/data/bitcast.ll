; A float that travels as an integer takes its residue and copy along.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @to_integer(
; CHECK: %z = fadd double %x, %y
; CHECK: [[BITS:%[0-9]+]] = bitcast double {{%[0-9]+}} to i64
; CHECK: getelementptr i8, ptr %p, i64 [[RESIDUE]]
; CHECK-NEXT: store i64 [[BITS]], ptr
; CHECK-NEXT: getelementptr i8, ptr %p, i64 [[COPY]]
; CHECK-NEXT: store i64 %i, ptr
; CHECK-NEXT: store i64 %i, ptr %p
define void @to_integer(double %x, double %y, ptr %p) {
  %z = fadd double %x, %y
  %i = bitcast double %z to i64
  store i64 %i, ptr %p
  ret void
}

; CHECK-LABEL: define double @from_integer(
; CHECK: %i = load i64, ptr %p
; CHECK: [[E:%[0-9]+]] = load i64, ptr
; CHECK: [[C:%[0-9]+]] = load i64, ptr
; CHECK: %z = bitcast i64 %i to double
; CHECK-NEXT: [[COPIED:%[0-9]+]] = bitcast i64 [[C]] to double
; CHECK-NEXT: [[VALID:%[0-9]+]] = fcmp oeq double [[COPIED]], %z
; CHECK: select i1 [[VALID]], double
define double @from_integer(ptr %p) {
  %i = load i64, ptr %p
  %z = bitcast i64 %i to double
  ret double %z
}

; CHECK-LABEL: define void @select(
define void @select(i1 %c, float %x, ptr %p, ptr %q) {
  %a = bitcast float %x to i32
  %b = load i32, ptr %q
  %s = select i1 %c, i32 %a, i32 %b
  %f = freeze i32 %s
  store i32 %f, ptr %p
  ret void
}

; CHECK-LABEL: define void @vectors(
define void @vectors(<2 x double> %x, <4 x float> %y, <2 x float> %h, ptr %p) {
  %a = bitcast <2 x double> %x to i128
  store i128 %a, ptr %p
  %b = bitcast <4 x float> %y to <2 x i64>
  store <2 x i64> %b, ptr %p
  %c = bitcast <2 x float> %h to i64
  %d = bitcast i64 %c to <4 x i16>
  store <4 x i16> %d, ptr %p
  %e = load <4 x i32>, ptr %p
  %f = bitcast <4 x i32> %e to <4 x float>
  store <4 x float> %f, ptr %p
  ret void
}

; Other floats in the same bits: nothing is known of them.
; CHECK-LABEL: define <2 x float> @other_floats(
; CHECK: ret <2 x float> %z
define <2 x float> @other_floats(double %x, <2 x half> %h, bfloat %b, <1 x double> %one, ptr %p) {
  %z = bitcast double %x to <2 x float>
  %f = bitcast <2 x half> %h to float
  store float %f, ptr %p
  %g = bitcast bfloat %b to half
  store half %g, ptr %p
  %o = bitcast <1 x double> %one to double
  store double %o, ptr %p
  ret <2 x float> %z
}

; CHECK-LABEL: define i80 @x87(
define i80 @x87(x86_fp80 %x, fp128 %q, ptr %p) {
  %a = bitcast x86_fp80 %x to i80
  store i80 %a, ptr %p
  %b = load i80, ptr %p
  %c = bitcast i80 %b to x86_fp80
  store x86_fp80 %c, ptr %p
  %d = bitcast fp128 %q to i128
  store i128 %d, ptr %p
  ret i80 %b
}

; CHECK-LABEL: define i16 @half(
define i16 @half(half %x, bfloat %y, ptr %p) {
  %a = bitcast half %x to i16
  store i16 %a, ptr %p
  %b = bitcast bfloat %y to <1 x i16>
  store <1 x i16> %b, ptr %p
  %c = load <1 x i16>, ptr %p
  %d = bitcast <1 x i16> %c to <1 x half>
  store <1 x half> %d, ptr %p
  ret i16 %a
}
