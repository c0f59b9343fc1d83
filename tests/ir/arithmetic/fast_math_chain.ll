; The code generator fuses operations with one use: shadow code must not become a second one.
; It follows a strict replay, and the residue of the chain's end is measured from the program's value.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @chain(
; CHECK: %a = fmul fast double %x, %y
; CHECK-NOT: %a
; CHECK: %b = fadd fast double %a, %c
; CHECK-NOT: {{[, ]}}%a{{[, )]}}
; CHECK: ret double %b
define double @chain(double %x, double %y, double %c) #0 {
  %a = fmul fast double %x, %y
  %b = fadd fast double %a, %c
  ret double %b
}

; Two uses: it is computed once and rounded, so shadow code may look at it.
; CHECK-LABEL: define double @used_twice(
; CHECK: %a = fmul fast double %x, %y
; CHECK-NEXT: fneg double %a
; CHECK: ret double %c
define double @used_twice(double %x, double %y) #0 {
  %a = fmul fast double %x, %y
  %b = fadd fast double %a, %x
  %c = fadd fast double %b, %a
  ret double %c
}

; Links stay beside the operation that uses them, across the checks of a store between.
; CHECK-LABEL: define double @apart(
; CHECK: store double %x, ptr %p
; CHECK: %a = fmul fast double %x, %y
; CHECK: %b = fadd fast double %a, %x
define double @apart(double %x, double %y, ptr %p) #0 {
  %a = fmul fast double %x, %y
  store double %x, ptr %p
  %b = fadd fast double %a, %x
  ret double %b
}

attributes #0 = { "target-features"="+avx2,+fma" }
