; optnone and the like change nothing; naked functions and bodies that are elsewhere are left alone.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @optnone(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @optnone(double %x) noinline optnone {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define void @naked(
; CHECK-NEXT: call void asm sideeffect "ret", ""()
; CHECK-NEXT: unreachable
define void @naked(double %x) naked {
  call void asm sideeffect "ret", ""()
  unreachable
}

; CHECK-LABEL: define available_externally double @elsewhere(
; CHECK-NEXT: %z = fadd double %x, 1.000000e+00
; CHECK-NEXT: ret double %z
define available_externally double @elsewhere(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @calls_elsewhere(
; CHECK: store i64 add (i64 ptrtoint (ptr @elsewhere to i64)
define double @calls_elsewhere(double %x) {
  %z = call double @elsewhere(double %x)
  ret double %z
}

; CHECK-LABEL: define double @hot(
define double @hot(double %x) hot minsize optsize noredzone "frame-pointer"="all" "no-builtins" uwtable sanitize_address {
  %z = fadd double %x, 1.0
  ret double %z
}
