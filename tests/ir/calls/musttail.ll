; Nothing may stand between a musttail call and its ret; its arguments are handed over before it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @forward(
; CHECK: store i64 add (i64 ptrtoint (ptr @target to i64)
; CHECK: %z = musttail call double @target(double %x)
; CHECK-NEXT: ret double %z
define double @forward(double %x) {
  %z = musttail call double @target(double %x)
  ret double %z
}

; CHECK-LABEL: define void @thunk(
; CHECK: musttail call void (ptr, ...) %f(ptr %this, ...)
; CHECK-NEXT: ret void
define void @thunk(ptr %this, ...) {
  %f = load ptr, ptr %this
  %x = load double, ptr %this
  %y = fadd double %x, 1.0
  store double %y, ptr %this
  musttail call void (ptr, ...) %f(ptr %this, ...)
  ret void
}

; CHECK-LABEL: define { float, double } @aggregate(
; CHECK: musttail call { float, double } @pair(
; CHECK-NEXT: ret { float, double }
define { float, double } @aggregate(double %x, float %y) {
  %s = fmul double %x, %x
  %z = musttail call { float, double } @pair(double %s, float %y)
  ret { float, double } %z
}

; CHECK-LABEL: define double @one_of_two(
define double @one_of_two(double %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %s = fdiv double %x, 3.0
  %z = musttail call double @other(double %s, i1 false)
  ret double %z
b:
  %n = fneg double %x
  ret double %n
}

; A library function that is known otherwise.
; CHECK-LABEL: define double @library(
; CHECK: musttail call double @sin(double %x)
; CHECK-NEXT: ret double
define double @library(double %x) {
  %z = musttail call double @sin(double %x)
  ret double %z
}

; CHECK-LABEL: define void @memory(
; CHECK: musttail call void @byval(
; CHECK-NEXT: ret void
define void @memory(ptr byval(double) %p) {
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  musttail call void @byval(ptr byval(double) %p)
  ret void
}

; CHECK-LABEL: define ptr @moves(
; CHECK: musttail call ptr @memcpy(
; CHECK-NEXT: ret ptr
define ptr @moves(ptr %to, ptr %from, i64 %n) {
  %z = musttail call ptr @memcpy(ptr %to, ptr %from, i64 %n)
  ret ptr %z
}

; CHECK-LABEL: define i32 @prints(
; CHECK: musttail call i32 (ptr, ...) @printf(
; CHECK-NEXT: ret i32
define i32 @prints(ptr %f, ...) {
  %z = musttail call i32 (ptr, ...) @printf(ptr %f, ...)
  ret i32 %z
}

declare double @target(double)
declare { float, double } @pair(double, float)
declare double @other(double, i1)
declare double @sin(double)
declare void @byval(ptr byval(double))
declare ptr @memcpy(ptr, ptr, i64)
declare i32 @printf(ptr, ...)
