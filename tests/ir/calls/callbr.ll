; asm goto: a call that is a terminator with several ways out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @jumps(
; CHECK: callbr void asm sideeffect "", "x,!i"(double %x)
define i32 @jumps(double %x) {
  callbr void asm sideeffect "", "x,!i"(double %x) to label %direct [label %other]
direct:
  ret i32 0
other:
  ret i32 1
}

; CHECK-LABEL: define double @result(
; CHECK: %z = callbr double asm sideeffect "", "=x,x,!i"(double %s)
define double @result(double %x) {
  %s = fadd double %x, 1.0
  %z = callbr double asm sideeffect "", "=x,x,!i"(double %s) to label %direct [label %other]
direct:
  %w = fadd double %z, 1.0
  ret double %w
other:
  %v = fadd double %z, 2.0
  ret double %v
}
