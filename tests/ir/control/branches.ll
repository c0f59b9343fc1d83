; Every terminator, with floats that live across it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @switch(
define double @switch(double %x, i32 %n) {
entry:
  %s = fmul double %x, 3.0
  switch i32 %n, label %other [ i32 0, label %a
                                i32 1, label %b
                                i32 2, label %a ]
a:
  %p = phi double [ %s, %entry ], [ %s, %entry ]
  ret double %p
b:
  %q = fadd double %s, 1.0
  br label %other
other:
  %r = phi double [ %x, %entry ], [ %q, %b ]
  ret double %r
}

@targets = internal constant [2 x ptr] [ptr blockaddress(@indirect, %a), ptr blockaddress(@indirect, %b)]

; CHECK-LABEL: define double @indirect(
; CHECK: indirectbr ptr %t, [label %a, label %b]
define double @indirect(double %x, i64 %n) {
entry:
  %at = getelementptr [2 x ptr], ptr @targets, i64 0, i64 %n
  %t = load ptr, ptr %at
  %s = fmul double %x, 3.0
  indirectbr ptr %t, [label %a, label %b]
a:
  %p = phi double [ %s, %entry ], [ %y, %b ]
  ret double %p
b:
  %y = fadd double %s, 1.0
  %u = load ptr, ptr @targets
  %d = fdiv double %y, %x
  store double %d, ptr %at
  indirectbr ptr %u, [label %a, label %b]
}

; CHECK-LABEL: define double @both_ways(
define double @both_ways(double %x, i1 %c) {
entry:
  br i1 %c, label %next, label %next
next:
  %z = phi double [ %x, %entry ], [ %x, %entry ]
  ret double %z
}

; CHECK-LABEL: define void @forever(
define void @forever(double %x) {
entry:
  br label %loop
loop:
  %a = phi double [ %x, %entry ], [ %b, %loop ]
  %b = fadd double %a, %x
  br label %loop
}

; CHECK-LABEL: define float @address(
define float @address(float %x) {
  %s = fadd float %x, 1.0
  store ptr blockaddress(@address, %end), ptr null
  br label %end
end:
  %z = fmul float %s, %s
  ret float %z
}

; CHECK-LABEL: define double @irreducible(
define double @irreducible(double %x, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %p = phi double [ %x, %entry ], [ %s, %b ]
  %q = fadd double %p, 1.0
  br label %b
b:
  %r = phi double [ %x, %entry ], [ %q, %a ]
  %s = fmul double %r, %r
  %t = fcmp olt double %s, 2.0
  br i1 %t, label %a, label %end
end:
  ret double %s
}
