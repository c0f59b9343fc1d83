; The C library's functions that move, read or print floats.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @reads(
; CHECK: %n = call i32 (ptr, ...) @scanf(ptr %f, ptr %p, ptr %q)
; CHECK: call void @__nonius_scanned(ptr %f, i32 2, ptr
; CHECK: call i64 @__nonius_libc_fread(
define i32 @reads(ptr %f, ptr %p, ptr %q) {
  %n = call i32 (ptr, ...) @scanf(ptr %f, ptr %p, ptr %q)
  %m = call i64 @fread(ptr %p, i64 8, i64 1, ptr %q)
  %k = call i32 (ptr, ...) @scanf(ptr %f)
  %j = call i32 (ptr, ptr, ...) @sscanf(ptr %f, ptr %q, i32 7, ptr %p, double 1.0)
  ret i32 %n
}

; The program's own function of that name stays.
; CHECK-LABEL: define ptr @calloc(
define ptr @calloc(i64 %n, i64 %m) {
  ret ptr null
}

; CHECK-LABEL: define ptr @calls_own(
; CHECK: call ptr @calloc(
define ptr @calls_own(double %x, ptr %q) {
  store double %x, ptr %q
  %p = call ptr @calloc(i64 8, i64 8)
  call void @qsort(ptr %p, i64 8, i64 8, ptr @compare)
  ret ptr %p
}

; CHECK-LABEL: define i32 @compare(
define i32 @compare(ptr %a, ptr %b) {
  %x = load double, ptr %a
  %y = load double, ptr %b
  %c = fcmp olt double %x, %y
  %z = zext i1 %c to i32
  ret i32 %z
}

; CHECK-LABEL: define void @ends(
; CHECK: call void @__nonius_flush()
; CHECK-NEXT: call void @_exit(i32 1)
define void @ends() {
  call void @_exit(i32 1)
  unreachable
}

; The address of a wrapped function, and a call of it through that address, are the program's.
; CHECK-LABEL: define ptr @address(
; CHECK: call ptr %f(
; CHECK: ret ptr @realloc
define ptr @address(ptr %f, double %x, ptr %p) {
  store double %x, ptr %p
  %a = call ptr %f(ptr %p, i64 8)
  ret ptr @realloc
}

declare i32 @scanf(ptr, ...)
declare i32 @sscanf(ptr, ptr, ...)
declare i64 @fread(ptr, i64, i64, ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare void @_exit(i32)
declare ptr @realloc(ptr, i64)
