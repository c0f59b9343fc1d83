; The same block several times behind one terminator: each phi has an entry for each edge.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @switches(
define float @switches(float %x, i32 %n) {
entry:
  %y = fadd float %x, 1.0
  switch i32 %n, label %other [ i32 0, label %end
                                i32 1, label %end
                                i32 2, label %other ]
other:
  %o = phi float [ %x, %entry ], [ %x, %entry ]
  %p = fmul float %o, 3.0
  br label %end
end:
  %r = phi float [ %y, %entry ], [ %y, %entry ], [ %p, %other ]
  ret float %r
}

; CHECK-LABEL: define double @branch(
define double @branch(double %x, i1 %c) {
entry:
  %y = fadd double %x, 1.0
  br i1 %c, label %end, label %end
end:
  %r = phi double [ %y, %entry ], [ %y, %entry ]
  ret double %r
}

; CHECK-LABEL: define float @itself(
define float @itself(float %x, i32 %n) {
entry:
  br label %loop
loop:
  %s = phi float [ %x, %entry ], [ %t, %loop ], [ %t, %loop ]
  %t = fadd float %s, 1.0
  switch i32 %n, label %end [ i32 0, label %loop
                              i32 1, label %loop ]
end:
  %e = phi float [ %t, %loop ]
  ret float %e
}

@targets = internal constant [3 x ptr] [ptr blockaddress(@computed, %a), ptr blockaddress(@computed, %b), ptr blockaddress(@computed, %a)]

; CHECK-LABEL: define float @computed(
define float @computed(float %x, i64 %n) {
entry:
  %at = getelementptr [3 x ptr], ptr @targets, i64 0, i64 %n
  %to = load ptr, ptr %at
  %y = fadd float %x, 1.0
  indirectbr ptr %to, [label %a, label %b, label %a]
a:
  %p = phi float [ %y, %entry ], [ %y, %entry ], [ %q, %b ]
  %c = fcmp olt float %p, 4.0
  br i1 %c, label %b, label %end
b:
  %q = phi float [ %x, %entry ], [ %p, %a ]
  indirectbr ptr %to, [label %a]
end:
  ret float %p
}
