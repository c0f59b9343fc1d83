; What an invoke returns is taken on its own edge, also where the block behind has other predecessors.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @invoke(
; CHECK: %z = invoke double @may_throw(double %x)
; CHECK-NEXT: to label %[[NEXT:[^ ]+]] unwind label %[[PAD:[^ ]+]]
; CHECK: [[NEXT]]:
; CHECK: getelementptr i8, ptr {{%[0-9]+}}, i64 [[RET_TAG]]
define double @invoke(double %x) personality ptr @__gxx_personality_v0 {
  %z = invoke double @may_throw(double %x) to label %next unwind label %pad
next:
  ret double %z
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define double @shared(
; CHECK: %z = invoke double @may_throw(double %x)
; CHECK-NEXT: to label %[[EDGE:[^ ]+]] unwind label %pad
; CHECK: [[EDGE]]:
; CHECK: [[RET_TAG]]
; CHECK: br label %
; CHECK: ret double %r
define double @shared(double %x, i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %c, label %call, label %next
call:
  %z = invoke double @may_throw(double %x) to label %next unwind label %pad
next:
  %r = phi double [ %x, %entry ], [ %z, %call ]
  ret double %r
pad:
  %p = landingpad { ptr, i32 } catch ptr null
  ret double 0.0
}

; The same block for normal return of two invokes, in a loop.
; CHECK-LABEL: define double @looping(
define double @looping(double %x, i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %z, %loop ], [ %w, %other ]
  %z = invoke double @may_throw(double %s) to label %loop unwind label %pad
pad:
  %d = phi double [ %s, %loop ], [ %d2, %other ]
  %p = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr null]
  %i = extractvalue { ptr, i32 } %p, 1
  %stop = icmp eq i32 %i, 1
  %d2 = fadd double %d, 1.0
  br i1 %stop, label %end, label %other
other:
  %w = invoke double @may_throw(double %d2) to label %loop unwind label %pad
end:
  ret double %d2
}

; CHECK-LABEL: define void @library(
; CHECK: invoke double @sin(
define void @library(ptr %q, ptr %r, i64 %n) personality ptr @__gxx_personality_v0 {
  %x = load double, ptr %q
  %y = fadd double %x, 1.0
  %z = invoke double @sin(double %y) to label %next unwind label %pad
next:
  store double %z, ptr %q
  %e = invoke ptr @memcpy(ptr %q, ptr %r, i64 %n) to label %after unwind label %pad
after:
  %o = invoke i32 (ptr, ...) @printf(ptr %q, double %z) to label %last unwind label %pad
last:
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define void @intrinsics(
define void @intrinsics(ptr %q) personality ptr @__gxx_personality_v0 {
  invoke void @llvm.donothing() to label %next unwind label %pad
next:
  %x = load double, ptr %q
  %y = fadd double %x, 1.0
  store double %y, ptr %q
  %a = invoke double asm sideeffect "", "=x,x"(double %y) to label %last unwind label %pad
last:
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}

; CHECK-LABEL: define void @nothing_to_take(
define void @nothing_to_take(double %x) personality ptr @__gxx_personality_v0 {
  invoke void @throws(double %x) to label %never unwind label %pad
never:
  unreachable
pad:
  %p = landingpad { ptr, i32 } catch ptr null
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare double @may_throw(double)
declare void @throws(double)
declare double @sin(double)
declare ptr @memcpy(ptr, ptr, i64)
declare i32 @printf(ptr, ...)
declare void @llvm.donothing()
