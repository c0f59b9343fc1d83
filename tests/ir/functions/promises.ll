; Shadow code reads and writes memory: neither the function nor the calls of it may promise otherwise, or what runs
; behind the pass drops the shadows.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: define double @pure(double %x) #[[PURE:[0-9]+]]
define double @pure(double %x) memory(none) nounwind willreturn {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK: define double @reads(ptr {{(readonly )?}}%p) #[[READS:[0-9]+]]
define double @reads(ptr %p) memory(read) {
  %x = load double, ptr %p
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @calls(
; CHECK: %a = call double @pure(double %x){{$}}
; CHECK: ret double
define double @calls(double %x) {
  %a = call double @pure(double %x) memory(none)
  ret double %a
}

; CHECK-NOT: attributes #[[PURE]] = {{.*}}memory(none)
; CHECK-NOT: attributes #[[READS]] = {{.*}}memory(read)
