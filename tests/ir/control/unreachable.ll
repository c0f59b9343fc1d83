; Blocks that nothing reaches, and phis that still name them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @dead(
; CHECK: ret double %z
define double @dead(double %x) {
entry:
  br label %end
dead:
  %d = fadd double %x, 1.0
  store double %d, ptr null
  br label %end
end:
  %z = phi double [ %x, %entry ], [ %d, %dead ]
  ret double %z
}

; CHECK-LABEL: define float @dead_loop(
define float @dead_loop(float %x) {
entry:
  ret float %x
head:
  %a = phi float [ %b, %head ], [ %c, %other ]
  %b = fadd float %a, %b
  br i1 undef, label %head, label %other
other:
  %c = call float @unknown(float %b)
  br label %head
}

; CHECK-LABEL: define void @ends(
define void @ends(double %x, ptr %p) {
  %z = fdiv double 1.0, %x
  store double %z, ptr %p
  unreachable
}

; CHECK-LABEL: define { double, float } @dead_aggregate(
define { double, float } @dead_aggregate({ double, float } %x, i1 %c) personality ptr @personality {
entry:
  br label %end
dead:
  %d = insertvalue { double, float } %x, double 1.0, 0
  %i = load i64, ptr null
  %e = invoke double @thrower(double 1.0) to label %end unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
end:
  %z = phi { double, float } [ %x, %entry ], [ %d, %dead ]
  ret { double, float } %z
}

; CHECK-LABEL: define void @dead_carrier(
define void @dead_carrier(ptr %p) {
entry:
  %i = load i64, ptr %p
  br label %end
dead:
  %j = load i64, ptr %p
  br label %end
end:
  %k = phi i64 [ %i, %entry ], [ %j, %dead ]
  store i64 %k, ptr %p
  ret void
}

declare float @unknown(float)
declare double @thrower(double)
declare i32 @personality(...)
