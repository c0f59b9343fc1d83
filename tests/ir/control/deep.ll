; Findings restart the shadow where the check dominates: values checked in one branch and used after the join.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @checked_in_a_branch(
define double @checked_in_a_branch(double %x, i1 %c, ptr %p) {
entry:
  %s = fsub double %x, 1.0
  br i1 %c, label %then, label %end
then:
  store double %s, ptr %p
  %u = fadd double %s, 2.0
  br label %end
end:
  %v = phi double [ %s, %entry ], [ %u, %then ]
  %z = fmul double %s, %v
  store double %z, ptr %p
  store double %s, ptr %p
  ret double %z
}

; CHECK-LABEL: define double @checked_in_a_loop(
define double @checked_in_a_loop(double %x, i32 %n, ptr %p) {
entry:
  %s = fsub double %x, 1.0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %t = phi double [ %s, %entry ], [ %u, %loop ]
  store double %s, ptr %p
  store double %t, ptr %p
  %u = fadd double %t, %s
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %z = fadd double %s, %u
  ret double %z
}

; CHECK-LABEL: define double @argument_twice(
define double @argument_twice(double %x) {
  %s = fsub double %x, 1.0
  %a = call double @two(double %s, double %s)
  %b = call double @two(double %a, double %s)
  ret double %b
}
declare double @two(double, double)
