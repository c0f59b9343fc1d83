; A mask says which lanes flip; more lanes than a hook takes are not compared.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x i1> @four(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}compare(ptr @nonius.table, i32 {{[0-9]+}}, i32 4, ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, i64 {{%[0-9]+}}, double
define <4 x i1> @four(<4 x float> %x, <4 x float> %y) {
  %z = fcmp olt <4 x float> %x, %y
  ret <4 x i1> %z
}

; CHECK-LABEL: define <64 x i1> @most(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}{{compare|near}}(ptr @nonius.table, i32 {{[0-9]+}}, i32 64,
define <64 x i1> @most(<64 x half> %x, <64 x half> %y) {
  %z = fcmp une <64 x half> %x, %y
  ret <64 x i1> %z
}

; CHECK-LABEL: define <1 x i1> @one(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}{{compare|near}}(ptr @nonius.table, i32 {{[0-9]+}}, i32 1,
define <1 x i1> @one(<1 x fp128> %x, <1 x fp128> %y) {
  %z = fcmp ogt <1 x fp128> %x, %y
  ret <1 x i1> %z
}

; CHECK-LABEL: define <128 x i1> @more(
; CHECK-NOT: __nonius_{{(preserving_)?}}compare
; CHECK: ret <128 x i1>
define <128 x i1> @more(<128 x float> %x, <128 x float> %y) {
  %z = fcmp olt <128 x float> %x, %y
  ret <128 x i1> %z
}
