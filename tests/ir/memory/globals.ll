; Globals of every kind are memory like any other.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@plain = global double 1.0
@constant = constant [2 x float] [float 1.0, float 2.0]
@thread = thread_local global double 0.0
@thread_exec = thread_local(localexec) global float 0.0
@weak = weak global double 0.0
@external = external global double
@alias = alias double, ptr @plain
@in_section = global double 0.0, section "numbers", align 32
@common = common global x86_fp80 zeroinitializer

; CHECK-LABEL: define double @use(
; CHECK: store double {{.*}}, ptr getelementptr (i8, ptr @plain, i64 [[RESIDUE]])
; CHECK: store double {{.*}}, ptr getelementptr (i8, ptr @plain, i64 [[COPY]])
; CHECK: store double %z, ptr @plain
define double @use(double %x) {
  %a = load double, ptr @plain
  %z = fadd double %a, %x
  store double %z, ptr @plain
  store double %z, ptr @weak
  store double %z, ptr @external
  store double %z, ptr @alias
  store double %z, ptr @in_section
  %l = fpext double %z to x86_fp80
  store x86_fp80 %l, ptr @common
  %f = load float, ptr getelementptr inbounds ([2 x float], ptr @constant, i64 0, i64 1)
  %d = fpext float %f to double
  ret double %d
}

; CHECK-LABEL: define double @thread_locals(
; CHECK: %p = call ptr @llvm.threadlocal.address.p0(ptr @thread)
; CHECK: getelementptr i8, ptr {{%[0-9]+|%p}}, i64 [[RESIDUE]]
define double @thread_locals(float %x) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @thread)
  %a = load double, ptr %p
  %q = call ptr @llvm.threadlocal.address.p0(ptr @thread_exec)
  store float %x, ptr %q
  store float %x, ptr @thread_exec
  ret double %a
}
declare ptr @llvm.threadlocal.address.p0(ptr)
