; Phis with one entry, as LCSSA leaves them: of what an invoke returns, in every family of shadows, in aggregates, and
; of integers that carry a float.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @of_invoke(
; CHECK: %z = invoke double @may_throw(double %x)
; CHECK: [[RET_TAG]]
; CHECK: ret double
define double @of_invoke(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %z = invoke double @may_throw(double %x) to label %next unwind label %pad
next:
  %r = phi double [ %z, %entry ]
  ret double %r
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define float @of_float(
define float @of_float(float %x) personality ptr @__gxx_personality_v0 {
entry:
  %z = invoke float @float_may_throw(float %x) to label %next unwind label %pad
next:
  %r = phi float [ %z, %entry ]
  %again = phi float [ %z, %entry ]
  %s = fadd float %r, %again
  br label %after
after:
  %t = phi float [ %s, %next ]
  ret float %t
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define x86_fp80 @of_asm(
define x86_fp80 @of_asm(float %x) personality ptr @__gxx_personality_v0 {
entry:
  %z = invoke float asm sideeffect "", "=x,x"(float %x) to label %next unwind label %pad
next:
  %r = phi float [ %z, %entry ]
  %w = fpext float %r to x86_fp80
  ret x86_fp80 %w
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define { float, { double, [2 x half] } } @of_aggregate(
define { float, { double, [2 x half] } } @of_aggregate(float %x) personality ptr @__gxx_personality_v0 {
entry:
  %z = invoke { float, { double, [2 x half] } } @aggregate(float %x) to label %next unwind label %pad
next:
  %r = phi { float, { double, [2 x half] } } [ %z, %entry ]
  ret { float, { double, [2 x half] } } %r
pad:
  %d = phi float [ %x, %entry ]
  %p = landingpad { ptr, i32 } catch ptr null
  %i = insertvalue { float, { double, [2 x half] } } poison, float %d, 0
  ret { float, { double, [2 x half] } } %i
}

; CHECK-LABEL: define void @of_carrier(
define void @of_carrier(ptr %q) personality ptr @__gxx_personality_v0 {
entry:
  %z = invoke i64 @bits() to label %next unwind label %pad
next:
  %r = phi i64 [ %z, %entry ]
  %f = bitcast i64 %r to double
  %g = fadd double %f, 1.0
  store i64 %r, ptr %q
  store double %g, ptr %q
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; The block behind the loop takes what the loop's last invoke returned.
; CHECK-LABEL: define double @behind_a_loop(
define double @behind_a_loop(double %x) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %z, %more ]
  %z = invoke double @may_throw(double %s) to label %more unwind label %pad
more:
  %l = phi double [ %z, %loop ]
  %c = fcmp olt double %l, 1.0
  br i1 %c, label %loop, label %end
end:
  %e = phi double [ %l, %more ]
  ret double %e
pad:
  %d = phi double [ %s, %loop ]
  %p = landingpad { ptr, i32 } catch ptr null
  ret double %d
}

declare i32 @__gxx_personality_v0(...)
declare double @may_throw(double)
declare float @float_may_throw(float)
declare { float, { double, [2 x half] } } @aggregate(float)
declare i64 @bits()
