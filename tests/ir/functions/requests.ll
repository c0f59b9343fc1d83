; The calls of nonius.h get the shadow with the value.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @requests(
; CHECK: call void @__nonius_request_check(ptr @nonius.table, i32 {{[0-9]+}}, double %x, double {{%[0-9]+}}, ptr %t)
; CHECK: call void @__nonius_request_print(ptr @nonius.table, i32 {{[0-9]+}}, double {{%[0-9]+}}, double {{%[0-9]+}}, ptr %t)
; CHECK: [[U:%[0-9]+]] = call double @__nonius_request_ulps(
; CHECK: fadd double %r, [[U]]
define double @requests(double %x, float %y, x86_fp80 %l, ptr %t) {
  call void @__nonius_api_check_d(double %x, ptr %t)
  call void @__nonius_api_print_f(float %y, ptr %t)
  %u = call double @__nonius_api_ulps_l(x86_fp80 %l)
  %r = call double @__nonius_api_resume_d(double %x)
  %z = fadd double %r, %u
  ret double %z
}

; CHECK-LABEL: define void @others(
; CHECK: call void @__nonius_api_region_begin(ptr %t)
define void @others(ptr %t) {
  call void @__nonius_api_region_begin(ptr %t)
  call void @__nonius_api_dump(ptr %t, i64 8)
  call void @__nonius_api_region_end()
  ret void
}

; CHECK-LABEL: define void @unexpected(
define void @unexpected(<2 x double> %v, i32 %n) {
  call void @__nonius_api_check_l(i32 %n)
  call void @__nonius_api_print_d(<2 x double> %v)
  call void @__nonius_api_check_f()
  %u = call double @__nonius_api_ulps_f(i32 %n)
  ret void
}

declare void @__nonius_api_check_d(double, ptr)
declare void @__nonius_api_print_f(float, ptr)
declare double @__nonius_api_ulps_l(x86_fp80)
declare double @__nonius_api_resume_d(double)
declare void @__nonius_api_region_begin(ptr)
declare void @__nonius_api_region_end()
declare void @__nonius_api_dump(ptr, i64)
declare void @__nonius_api_check_l(i32)
declare void @__nonius_api_print_d(<2 x double>)
declare void @__nonius_api_check_f()
declare double @__nonius_api_ulps_f(i32)
