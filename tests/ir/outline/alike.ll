; Cold paths that compute alike are one function, whatever their constants are, and keep the program's registers.
; nonius: options="cold-inline=0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i1 @first(
; CHECK: call preserve_allcc void @__nonius_preserving_cold(ptr nest @[[COLD:nonius.cold.[0-9]+]], double {{.*}}, double 3.000000e-01
define i1 @first(double %x, double %y) #0 {
  %s = fsub double %x, %y
  %z = fcmp ogt double %s, 0.3
  ret i1 %z
}

; CHECK-LABEL: define i1 @second(
; CHECK: call preserve_allcc void @__nonius_preserving_cold(ptr nest @[[COLD]], double {{.*}}, double 0x3FE6666666666666
define i1 @second(double %x, double %y) #0 {
  %s = fsub double %x, %y
  %z = fcmp ogt double %s, 0.7
  ret i1 %z
}

; Another predicate is another path.
; CHECK-LABEL: define i1 @third(
; CHECK-NOT: nest @[[COLD]],
; CHECK: ret i1
define i1 @third(double %x, double %y) #0 {
  %s = fsub double %x, %y
  %z = fcmp olt double %s, 0.7
  ret i1 %z
}

; What a hook is told goes with it; it is the hook's usual form, since the registers are kept by then.
; CHECK: define internal void @[[COLD]]({{.*}})
; CHECK: call void @__nonius_near(
; CHECK: ret void

attributes #0 = { "target-features"="+avx2,+fma" }
