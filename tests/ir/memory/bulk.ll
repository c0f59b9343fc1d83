; Copies move the shadows, small ones inline; clearing zeroes the residues.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @small(
; CHECK: [[E:%[0-9]+]] = load <24 x i8>, ptr {{%[0-9]+}}, align 1
; CHECK: [[C:%[0-9]+]] = load <24 x i8>, ptr {{%[0-9]+}}, align 1
; CHECK: store <24 x i8> [[E]], ptr
; CHECK: store <24 x i8> [[C]], ptr
; CHECK-NOT: __nonius_copy
; CHECK: ret void
define void @small(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: define void @bytes(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NOT: i8>
; CHECK: ret void
define void @bytes(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 3, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 0, i1 false)
  ret void
}

; Nothing is called unless residues can be in memory.
; CHECK-LABEL: define void @variable(
; CHECK: [[FLAG:%[0-9]+]] = load i8, ptr @__nonius_floats
; CHECK: [[ANY:%[0-9]+]] = icmp ne i8 [[FLAG]], 0
; CHECK: br i1 [[ANY]]
; CHECK: call void @__nonius_copy(ptr %to, ptr %from, i64 %n)
; CHECK: call void @llvm.memcpy
; CHECK: [[WIDE:%[0-9]+]] = zext i32 %m to i64
; CHECK: call void @__nonius_copy(ptr %from, ptr %to, i64 [[WIDE]])
; CHECK: call void @llvm.memmove
; CHECK: call void @__nonius_copy(ptr %to, ptr %from, i64 800)
; CHECK: call void @llvm.memcpy.inline
define void @variable(ptr %to, ptr %from, i64 %n, i32 %m) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %n, i1 true)
  call void @llvm.memmove.p0.p0.i32(ptr %from, ptr %to, i32 %m, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %to, ptr %from, i64 800, i1 false)
  ret void
}

; CHECK-LABEL: define void @set(
; CHECK: call void @__nonius_clear(ptr %to, i64 %n)
; CHECK: call void @__nonius_clear(ptr %to, i64 16)
define void @set(ptr %to, i64 %n, i8 %x) {
  call void @llvm.memset.p0.i64(ptr %to, i8 %x, i64 %n, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %to, i8 0, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define ptr @library(
; CHECK: call void @__nonius_copy(
; CHECK: call ptr @memcpy(
; CHECK: call void @__nonius_clear(
; CHECK: call ptr @memset(
; CHECK: call ptr @__nonius_libc_realloc(ptr %to, i64 %n)
define ptr @library(ptr %to, ptr %from, i64 %n) {
  %a = call ptr @memcpy(ptr %to, ptr %from, i64 %n)
  %b = call ptr @memset(ptr %to, i32 0, i64 %n)
  %c = call ptr @realloc(ptr %to, i64 %n)
  ret ptr %c
}

; CHECK-LABEL: define void @element(
define void @element(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 %n, i32 8)
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 8 %to, i8 0, i64 16, i32 8)
  call void @llvm.experimental.memset.pattern.p0.i64.i64(ptr %to, i64 4607182418800017408, i64 4, i1 false)
  call void @llvm.experimental.memset.pattern.p0.f64.i64(ptr %to, double 1.0, i64 4, i1 false)
  ret void
}

declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare ptr @realloc(ptr, i64)
