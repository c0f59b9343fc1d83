; What does not fit into the registers for arguments stays in its block: wide vectors, other formats, and code for processors
; whose registers no hook keeps.
; nonius: options="cold-inline=0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: nonius.cold.
define void @wide(<4 x double> %x, ptr %p) #0 {
  %s = fsub <4 x double> %x, <double 0.1, double 0.2, double 0.3, double 0.4>
  store <4 x double> %s, ptr %p
  ret void
}

define i1 @long(x86_fp80 %x, x86_fp80 %y) #0 {
  %z = fcmp oeq x86_fp80 %x, %y
  ret i1 %z
}

define i1 @avx512(double %x, double %y) #1 {
  %s = fsub double %x, %y
  %z = fcmp ogt double %s, 0.3
  ret i1 %z
}

attributes #0 = { "target-features"="+avx2,+fma" }
attributes #1 = { "target-features"="+avx2,+fma,+avx512f,+avx512vl" }
