; main, constructors and destructors: nobody leaves them shadows.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @destruct, ptr null }]
@value = global double 0.0
@format = private constant [4 x i8] c"%g\0A\00"

; Ours comes first in time: priority 0.
; CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] {{.*}}@construct{{.*}}{ i32 0, ptr @nonius.register, ptr null }
define internal void @construct() {
  %x = load double, ptr @value
  %z = fadd double %x, 1.0
  store double %z, ptr @value
  ret void
}

define internal void @destruct() {
  %x = load double, ptr @value
  %z = fdiv double %x, 3.0
  store double %z, ptr @value
  ret void
}

; What is printed is checked as output.
; CHECK-LABEL: define i32 @main(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: call i32 (ptr, ...) @printf(ptr @format, double %z)
; CHECK: call void @__nonius_flush()
; CHECK: call void @abort()
define i32 @main(i32 %n, ptr %v) {
  %x = load double, ptr @value
  %z = fdiv double %x, 3.0
  %w = call i32 (ptr, ...) @printf(ptr @format, double %z)
  call void @abort()
  unreachable
}

declare i32 @printf(ptr, ...)
declare void @abort() noreturn
