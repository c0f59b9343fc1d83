; A stack object that others may fill starts without residues; a register in disguise needs none.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @small(
; CHECK: store <8 x i8> zeroinitializer, ptr
; CHECK: call void @fill(ptr %a)
define void @small() {
  %a = alloca double
  call void @fill(ptr %a)
  %x = load double, ptr %a
  %z = fadd double %x, 1.0
  store double %z, ptr %a
  ret void
}

; CHECK-LABEL: define void @large(
; CHECK: call void @__nonius_clear(ptr %a, i64 800)
; CHECK: call void @fill(ptr %a)
define void @large() {
  %a = alloca [100 x double]
  call void @fill(ptr %a)
  %x = load double, ptr %a
  %z = fadd double %x, 1.0
  store double %z, ptr %a
  ret void
}

; CHECK-LABEL: define void @dynamic(
; CHECK: %a = alloca double, i64 %n
; CHECK-DAG: [[BYTES:%[0-9]+]] = mul i64 %n, 8
; CHECK-DAG: call void @__nonius_clear(ptr %a, i64 [[BYTES]])
; CHECK: call void @__nonius_clear(ptr %b, i64
define void @dynamic(i64 %n, i32 %m) {
  %a = alloca double, i64 %n
  %b = alloca float, i32 %m, align 64
  call void @fill(ptr %a)
  call void @fill(ptr %b)
  %x = load double, ptr %a
  store volatile double %x, ptr %a
  ret void
}

; CHECK-LABEL: define void @in_loop(
define void @in_loop(i32 %n, double %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %stack = call ptr @llvm.stacksave.p0()
  %a = alloca double, i32 %i
  store double %x, ptr %a
  call void @fill(ptr %a)
  call void @llvm.stackrestore.p0(ptr %stack)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @lifetimes(
define void @lifetimes(double %x) {
  %a = alloca [4 x double]
  call void @llvm.lifetime.start.p0(ptr %a)
  store double %x, ptr %a
  call void @fill(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret void
}

declare void @fill(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
