; A function in which the pass fails stays as it was, but for the mark that it ran; one whose clone fails is not recorded.
; The others are instrumented, and the user is told.
; nonius: options="panic-in=broken|panic-in=unrecorded.nonius.record"
; nonius: says="failed.ll: the pass failed in function broken, which is left without shadows: panicked at"
; nonius: says="failed.ll: the pass failed in function unrecorded, which is not recorded: panicked at"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @broken(
; CHECK-SAME: double %x, ptr %q, i1 %c) [[BROKEN:#[0-9]+]]
; CHECK: store i8 1, ptr @nonius.ran
; CHECK: %y = fmul double %x, %x
; CHECK-NEXT: br i1 %c, label %more, label %end
; CHECK: more:
; CHECK-NEXT: %z = call double @broken(double %y, ptr %q, i1 false)
; CHECK-NEXT: store double %z, ptr %q
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: %r = phi double [ %y, %{{.*}} ], [ %z, %more ]
; CHECK-NEXT: ret double %r
define double @broken(double %x, ptr %q, i1 %c) "target-features"="+sse4.1" {
entry:
  %y = fmul double %x, %x
  br i1 %c, label %more, label %end
more:
  %z = call double @broken(double %y, ptr %q, i1 false)
  store double %z, ptr %q
  br label %end
end:
  %r = phi double [ %y, %entry ], [ %z, %more ]
  ret double %r
}

; CHECK-LABEL: define double @unrecorded(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @unrecorded(double %x) {
  %y = fadd double %x, 1.0
  ret double %y
}

; CHECK-LABEL: define double @beside(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @beside(double %x, ptr %q) {
  %y = call double @broken(double %x, ptr %q, i1 true)
  %z = fadd double %y, 1.0
  ret double %z
}

; CHECK-NOT: @broken.nonius.record(
; CHECK-NOT: @unrecorded.nonius.record(
; CHECK: define internal double @beside.nonius.record(
; CHECK: attributes [[BROKEN]] = { "target-features"="+sse4.1" }
