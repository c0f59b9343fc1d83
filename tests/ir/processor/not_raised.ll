; `no-avx` leaves the target's instruction set alone.
; nonius: options="no-avx=1"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: define double @f(double %x) {
define double @f(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK: define double @g(double %x) #0 {
define double @g(double %x) #0 {
  %z = fmul double %x, %x
  ret double %z
}

; CHECK: attributes #0 = { "target-cpu"="x86-64" "target-features"="+sse2" }
attributes #0 = { "target-cpu"="x86-64" "target-features"="+sse2" }
