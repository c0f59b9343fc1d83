; Lanes move with their shadows, also at an index that is known only at run time.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @extract(
; CHECK: %z = extractelement <4 x float> %x, i32 %i
; CHECK-NEXT: extractelement <4 x double> {{%[0-9]+}}, i32 %i
define float @extract(<4 x float> %x, i32 %i) {
  %z = extractelement <4 x float> %x, i32 %i
  ret float %z
}

; CHECK-LABEL: define <4 x double> @insert(
; CHECK: %z = insertelement <4 x double> %x, double %e, i64 %i
; CHECK-NEXT: insertelement <4 x double> {{%[0-9]+}}, double {{%[0-9]+}}, i64 %i
define <4 x double> @insert(<4 x double> %x, double %e, i64 %i) {
  %z = insertelement <4 x double> %x, double %e, i64 %i
  ret <4 x double> %z
}

; CHECK-LABEL: define <2 x double> @insert_exact(
; CHECK: insertelement <2 x double> {{%[0-9]+}}, double 0.000000e+00, i32 1
define <2 x double> @insert_exact(<2 x double> %x) {
  %z = insertelement <2 x double> %x, double 7.0, i32 1
  ret <2 x double> %z
}

; CHECK-LABEL: define <3 x double> @shuffle(
; CHECK: %z = shufflevector <2 x double> %x, <2 x double> %y, <3 x i32> <i32 3, i32 poison, i32 0>
; CHECK-NEXT: shufflevector <2 x double> {{%[0-9]+}}, <2 x double> {{%[0-9]+}}, <3 x i32> <i32 3, i32 poison, i32 0>
define <3 x double> @shuffle(<2 x double> %x, <2 x double> %y) {
  %z = shufflevector <2 x double> %x, <2 x double> %y, <3 x i32> <i32 3, i32 poison, i32 0>
  ret <3 x double> %z
}

; CHECK-LABEL: define <1 x half> @to_one(
; CHECK: shufflevector <8 x double> {{%[0-9]+}}, <8 x double> {{.*}}, <1 x i32>
define <1 x half> @to_one(<8 x half> %x) {
  %z = shufflevector <8 x half> %x, <8 x half> poison, <1 x i32> <i32 5>
  ret <1 x half> %z
}

; CHECK-LABEL: define <8 x float> @splat(
; CHECK: shufflevector <1 x double>
define <8 x float> @splat(float %x) {
  %a = insertelement <1 x float> poison, float %x, i64 0
  %z = shufflevector <1 x float> %a, <1 x float> poison, <8 x i32> zeroinitializer
  ret <8 x float> %z
}

; CHECK-LABEL: define <4 x i32> @integers(
; CHECK-NOT: double
; CHECK: ret <4 x i32>
define <4 x i32> @integers(<4 x i32> %x, <4 x i32> %y, i32 %e) {
  %a = shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %b = insertelement <4 x i32> %a, i32 %e, i32 2
  ret <4 x i32> %b
}

; CHECK-LABEL: define double @out_of_range(
define double @out_of_range(<2 x double> %x) {
  %a = extractelement <2 x double> %x, i32 7
  %b = insertelement <2 x double> %x, double %a, i32 9
  %c = extractelement <2 x double> %b, i64 0
  %d = extractelement <2 x double> <double 1.0, double 2.0>, i8 1
  %e = fadd double %c, %d
  ret double %e
}
