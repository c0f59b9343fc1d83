; Inline assembly is not seen through: what it makes restarts, what it takes is handed to nobody.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @asm(
; CHECK-NOT: ptrtoint (ptr asm
; CHECK: %z = call double asm "addsd $2, $0", "=x,0,x"(double %x, double %y)
; CHECK: ret double %z
define double @asm(double %x, double %y) {
  %z = call double asm "addsd $2, $0", "=x,0,x"(double %x, double %y)
  ret double %z
}

; CHECK-LABEL: define void @others(
define void @others(double %x, ptr %p) {
  %a = call { double, float } asm "", "=x,=x,x"(double %x)
  call void asm sideeffect "", "*m"(ptr elementtype(double) %p)
  call void asm sideeffect "", "=*m,x,~{memory},~{dirflag}"(ptr elementtype(double) %p, double %x)
  %b = call x86_fp80 asm "fldpi", "={st}"()
  store x86_fp80 %b, ptr %p
  ret void
}
