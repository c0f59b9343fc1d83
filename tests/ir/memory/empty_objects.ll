; Stack objects of no bytes at all, and such whose type does not tell what they hold.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @odd(
define void @odd(double %x) {
  %a = alloca [0 x double]
  %b = alloca { i8, double }, i32 0
  %c = alloca i8, i32 64
  %d = alloca inalloca double
  store double %x, ptr %c
  call void @fill(ptr %a)
  call void @fill(ptr %b)
  call void @fill(ptr %c)
  ret void
}

declare void @fill(ptr)
