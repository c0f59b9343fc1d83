; A finding is judged beside the program where it may come again and again: in loops, also those that no single block
; heads, and in functions that call themselves. Elsewhere the runtime is asked at once.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @once(
; CHECK-NOT: load double, ptr {{.*}}@nonius.checks
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
; CHECK: ret void
define void @once(ptr %p, double %x, double %y) {
  %s = fadd double %x, %y
  store double %s, ptr %p
  ret void
}

; CHECK-LABEL: define void @round(
; CHECK: load double, ptr {{.*}}@nonius.checks
; CHECK: ret void
define void @round(ptr %p, double %x, i64 %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %t = phi double [ 0.0, %entry ], [ %s, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %body, label %latch

body:
  %q = fadd double %t, %x
  store double %q, ptr %p
  br label %latch

latch:
  %s = phi double [ %q, %body ], [ %t, %head ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %head, label %done

done:
  ret void
}

; CHECK-LABEL: define void @entered_twice(
; CHECK: load double, ptr {{.*}}@nonius.checks
; CHECK: ret void
define void @entered_twice(ptr %p, double %x, i1 %c, i1 %d) {
entry:
  br i1 %c, label %one, label %two

one:
  %s = fadd double %x, 1.0
  store double %s, ptr %p
  br label %two

two:
  br i1 %d, label %one, label %done

done:
  ret void
}

; CHECK-LABEL: define void @again(
; CHECK: load double, ptr {{.*}}@nonius.checks
; CHECK: ret void
define void @again(ptr %p, double %x, i64 %n) {
  %s = fadd double %x, 1.0
  store double %s, ptr %p
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %more

more:
  %less = sub i64 %n, 1
  call void @again(ptr %p, double %s, i64 %less)
  br label %end

end:
  ret void
}

; CHECK-LABEL: define void @behind(
; CHECK-NOT: load double, ptr {{.*}}@nonius.checks
; CHECK: ret void
define void @behind(ptr %p, double %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %s = fadd double %x, 1.0
  store double %s, ptr %p
  ret void
}
