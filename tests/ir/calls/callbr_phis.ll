; What asm goto makes, in the phis of the blocks that it jumps to.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @one_entry(
define float @one_entry(float %x) {
entry:
  %z = callbr float asm sideeffect "", "=x,x,!i"(float %x) to label %direct [label %other]
direct:
  %a = phi float [ %z, %entry ]
  %w = fadd float %a, 1.0
  ret float %w
other:
  %b = phi float [ %z, %entry ]
  ret float %b
}

; CHECK-LABEL: define float @shared(
define float @shared(float %x, i1 %c) {
entry:
  br i1 %c, label %jump, label %end
jump:
  %z = callbr float asm sideeffect "", "=x,x,!i"(float %x) to label %end [label %other]
other:
  %b = phi float [ %z, %jump ], [ %n, %other ]
  %n = fadd float %b, 1.0
  %s = fcmp olt float %n, 4.0
  br i1 %s, label %other, label %end
end:
  %r = phi float [ %x, %entry ], [ %z, %jump ], [ %n, %other ]
  ret float %r
}

; CHECK-LABEL: define double @same_block(
define double @same_block(double %x, i1 %c) {
entry:
  br i1 %c, label %jump, label %end
jump:
  %z = callbr double asm sideeffect "", "=x,x,!i"(double %x) to label %end [label %end]
end:
  %r = phi double [ %x, %entry ], [ %z, %jump ], [ %z, %jump ]
  ret double %r
}
