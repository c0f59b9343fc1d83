; Code that nothing reaches, and blocks that do not end.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @unreachable_predecessor(
define float @unreachable_predecessor(float %x) {
entry:
  %y = fadd float %x, 1.0
  br label %end
never:
  %z = fadd float %again, 1.0
  %again = fmul float %z, 2.0
  br label %end
end:
  %r = phi float [ %y, %entry ], [ %z, %never ]
  ret float %r
}

; CHECK-LABEL: define void @never_ends(
define void @never_ends(float %x, ptr %q) {
entry:
  br label %loop
loop:
  %s = phi float [ %x, %entry ], [ %t, %loop ]
  %t = fadd float %s, 1.0
  store float %t, ptr %q
  br label %loop
}

; CHECK-LABEL: define double @stops(
define double @stops(double %x, i1 %c) {
  %y = fmul double %x, %x
  br i1 %c, label %end, label %stop
end:
  ret double %y
stop:
  %z = fadd double %y, 1.0
  call void @stop(double %z)
  unreachable
}

; CHECK-LABEL: define float @only_unreachable(
define float @only_unreachable(float %x) {
  %y = fadd float %x, 1.0
  unreachable
}

; CHECK-LABEL: define double @dead_invoke(
define double @dead_invoke(double %x) personality ptr @__gxx_personality_v0 {
  ret double %x
never:
  %z = invoke double @may_throw(double %x) to label %next unwind label %pad
next:
  %r = phi double [ %z, %never ]
  ret double %r
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

declare void @stop(double)
declare double @may_throw(double)
declare i32 @__gxx_personality_v0(...)
