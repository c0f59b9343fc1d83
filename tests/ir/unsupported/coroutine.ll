; A coroutine before it is split: nothing may be put before its own begin, and it may suspend anywhere.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define ptr @coroutine(
; CHECK: call token @llvm.coro.id(
define ptr @coroutine(double %x, ptr %p) presplitcoroutine {
entry:
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %size = call i64 @llvm.coro.size.i64()
  %memory = call ptr @malloc(i64 %size)
  %handle = call ptr @llvm.coro.begin(token %id, ptr %memory)
  %s = fadd double %x, 1.0
  %state = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %state, label %suspend [ i8 0, label %resume
                                     i8 1, label %cleanup ]
resume:
  %t = fmul double %s, %x
  store double %t, ptr %p
  br label %cleanup
cleanup:
  %m = call ptr @llvm.coro.free(token %id, ptr %handle)
  call void @free(ptr %m)
  br label %suspend
suspend:
  call void @llvm.coro.end(ptr %handle, i1 false, token none)
  ret ptr %handle
}
declare ptr @malloc(i64)
declare void @free(ptr)
