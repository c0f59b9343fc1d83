; The ideal, rounded to its format, must give the same integer; the runtime looks where it differs.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @signed(
; CHECK: %z = fptosi double %x to i32
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK: fcmp one double
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(ptr @nonius.table, i32 {{[0-9]+}}, i32 1, ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr null)
; CHECK: ret i32 %z
define i32 @signed(double %x) {
  %z = fptosi double %x to i32
  ret i32 %z
}

; CHECK-LABEL: define <4 x i64> @unsigned_lanes(
; CHECK: fptrunc <4 x double> {{%[0-9]+}} to <4 x float>
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(ptr @nonius.table, i32 {{[0-9]+}}, i32 4,
define <4 x i64> @unsigned_lanes(<4 x float> %x) {
  %z = fptoui <4 x float> %x to <4 x i64>
  ret <4 x i64> %z
}

; An exact value needs no look.
; CHECK-LABEL: define i64 @exact(
; CHECK-NOT: __nonius_{{(preserving_)?}}cast
; CHECK: ret i64
define i64 @exact(i32 %i) {
  %x = sitofp i32 %i to double
  %z = fptosi double %x to i64
  ret i64 %z
}

; CHECK-LABEL: define i32 @saturating(
; CHECK: %a = call i32 @llvm.fptosi.sat.i32.f64(double %x)
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call i8 @llvm.fptoui.sat.i8.f16(half %h)
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: ret i32 %a
define i32 @saturating(double %x, half %h, ptr %p) {
  %a = call i32 @llvm.fptosi.sat.i32.f64(double %x)
  %b = call i8 @llvm.fptoui.sat.i8.f16(half %h)
  store i8 %b, ptr %p
  ret i32 %a
}

; CHECK-LABEL: define i64 @functions(
; CHECK-COUNT-6: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: ret i64
define i64 @functions(double %x, float %f, x86_fp80 %l) {
  %a = call i64 @lrint(double %x)
  %b = call i64 @llroundf(float %f)
  %c = call i64 @lrintl(x86_fp80 %l)
  %d = call i64 @llvm.llrint.i64.f64(double %x)
  %e = call i64 @llvm.lround.i64.f32(float %f)
  %g = call <2 x i64> @llvm.lrint.v2i64.v2f64(<2 x double> splat (double 2.5))
  %h = fptosi bfloat 0xR3F80 to i64
  %x87 = fptoui x86_fp80 %l to i64
  %i = call i32 @ilogb(double %x)
  ret i64 %a
}

; CHECK-LABEL: define void @formats(
; CHECK-COUNT-4: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @formats(half %h, bfloat %b, x86_fp80 %l, fp128 %q, ptr %p) {
  %1 = fptosi half %h to i128
  store volatile i128 %1, ptr %p
  %2 = fptosi bfloat %b to i1
  store volatile i1 %2, ptr %p
  %3 = fptoui x86_fp80 %l to i16
  store volatile i16 %3, ptr %p
  %4 = fptosi fp128 %q to i32
  store volatile i32 %4, ptr %p
  ret void
}

declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i8 @llvm.fptoui.sat.i8.f16(half)
declare i64 @lrint(double)
declare i64 @llroundf(float)
declare i64 @lrintl(x86_fp80)
declare i32 @ilogb(double)
declare i64 @llvm.llrint.i64.f64(double)
declare i64 @llvm.lround.i64.f32(float)
declare <2 x i64> @llvm.lrint.v2i64.v2f64(<2 x double>)
