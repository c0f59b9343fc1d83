; A call through an alias or ifunc has the tag of the name it uses; if that is another address, the shadow restarts.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@alias = alias double (double), ptr @real
@weak_alias = weak alias double (double), ptr @real
@resolved = ifunc double (double), ptr @resolver

; CHECK-LABEL: define double @real(
define double @real(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define internal ptr @resolver(
; CHECK-NEXT: ret ptr @real
define internal ptr @resolver() {
  ret ptr @real
}

; CHECK-LABEL: define double @caller(
; CHECK: store i64 add (i64 ptrtoint (ptr @alias to i64)
; CHECK: %a = call double @alias(double %x)
; CHECK: store i64 add (i64 ptrtoint (ptr @resolved to i64)
; CHECK: %c = call double @resolved(double %b)
define double @caller(double %x) {
  %a = call double @alias(double %x)
  %b = call double @weak_alias(double %a)
  %c = call double @resolved(double %b)
  ret double %c
}
