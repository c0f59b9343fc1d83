; Exception handling by funclets: their terminators end blocks like any other.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @funclets(
; CHECK: catchswitch within none [label %handler] unwind label %cleanup
; CHECK: cleanuppad within none []
define double @funclets(double %x) personality ptr @__CxxFrameHandler3 {
entry:
  %a = invoke double @may_throw(double %x) to label %next unwind label %dispatch
next:
  %b = fadd double %a, 1.0
  ret double %b
dispatch:
  %d = phi double [ %x, %entry ]
  %s = catchswitch within none [label %handler] unwind label %cleanup
handler:
  %c = catchpad within %s [ptr null, i32 64, ptr null]
  %h = fadd double %d, %x
  %g = call double @may_throw(double %h) [ "funclet"(token %c) ]
  catchret from %c to label %last
cleanup:
  %l = cleanuppad within none []
  %i = fmul double %x, %x
  call void @take(double %i) [ "funclet"(token %l) ]
  cleanupret from %l unwind to caller
last:
  ret double %g
}

declare i32 @__CxxFrameHandler3(...)
declare double @may_throw(double)
declare void @take(double)
