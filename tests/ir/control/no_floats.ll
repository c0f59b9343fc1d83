; Functions and blocks without floats pay nothing.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i64 @integers(
; CHECK-NEXT: %z = add i64 %x, 1
; CHECK-NEXT: ret i64 %z
define i64 @integers(i64 %x) {
  %z = add i64 %x, 1
  ret i64 %z
}

; CHECK-LABEL: define void @empty()
; CHECK-NEXT: ret void
define void @empty() {
  ret void
}

; CHECK-LABEL: define ptr @pointers(
; CHECK-NEXT: %z = load ptr, ptr %p
; CHECK-NEXT: store ptr %z, ptr %q
; CHECK-NEXT: ret ptr %z
define ptr @pointers(ptr %p, ptr %q) {
  %z = load ptr, ptr %p
  store ptr %z, ptr %q
  ret ptr %z
}

; CHECK-LABEL: define double @some_blocks(
; CHECK: integers:
; CHECK-NEXT: %j = mul i32 %i, 3
; CHECK-NEXT: %k = icmp eq i32 %j, 9
; CHECK-NEXT: br i1 %k
define double @some_blocks(i32 %i, double %x) {
  br label %integers
integers:
  %j = mul i32 %i, 3
  %k = icmp eq i32 %j, 9
  br i1 %k, label %a, label %b
a:
  ret double %x
b:
  ret double 1.0
}
