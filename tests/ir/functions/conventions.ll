; Other calling conventions are the program's business; shadows travel beside them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define fastcc double @fast(
define fastcc double @fast(double %x) {
  %z = tail call fastcc double @fast(double %x)
  ret double %z
}

; CHECK-LABEL: define preserve_mostcc float @preserve(
define preserve_mostcc float @preserve(float %x) {
  %z = fadd float %x, 1.0
  ret float %z
}

; CHECK-LABEL: define tailcc double @guaranteed(
; CHECK: tail call tailcc double @guaranteed(
define tailcc double @guaranteed(double %x) {
  %z = musttail call tailcc double @guaranteed(double %x)
  ret double %z
}

; CHECK-LABEL: define swiftcc double @swift(
define swiftcc double @swift(double %x, ptr swiftself %s, ptr swifterror %e) {
  %z = fadd double %x, 1.0
  %i = load ptr, ptr %e
  store ptr %i, ptr %e
  ret double %z
}

; CHECK-LABEL: define x86_vectorcallcc double @vectorcall(
define x86_vectorcallcc double @vectorcall(double inreg %x) {
  %z = fadd double %x, 1.0
  ret double %z
}
