; Loads side by side become one of a vector, if nothing between them writes, may not return or may trap.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @other()

; CHECK-LABEL: define float @unrolled(
; CHECK: load <4 x float>, ptr %{{[0-9a-z]+}}, align 4
; CHECK-NOT: load float
; CHECK: ret float
define float @unrolled(ptr %p, i64 %i) {
  %a0 = getelementptr inbounds nuw float, ptr %p, i64 %i
  %x0 = load float, ptr %a0, align 4
  %i1 = or disjoint i64 %i, 1
  %a1 = getelementptr inbounds nuw float, ptr %p, i64 %i1
  %x1 = load float, ptr %a1, align 4
  %s1 = fadd float %x0, %x1
  %i2 = add i64 %i, 2
  %a2 = getelementptr inbounds nuw float, ptr %p, i64 %i2
  %x2 = load float, ptr %a2, align 4
  %s2 = fadd float %s1, %x2
  %same = getelementptr inbounds nuw float, ptr %p, i64 %i
  %a3 = getelementptr inbounds nuw i8, ptr %same, i64 12
  %x3 = load float, ptr %a3, align 4
  %s3 = fadd float %s2, %x3
  ret float %s3
}

; CHECK-LABEL: define double @backwards(
; CHECK: load <4 x double>, ptr %{{[0-9a-z]+}}, align 8
; CHECK: ret double
define double @backwards(ptr %p) {
  %a3 = getelementptr inbounds i8, ptr %p, i64 24
  %x3 = load double, ptr %a3, align 8
  %a2 = getelementptr inbounds i8, ptr %p, i64 16
  %x2 = load double, ptr %a2, align 8
  %s2 = fadd double %x3, %x2
  %a1 = getelementptr inbounds i8, ptr %p, i64 8
  %x1 = load double, ptr %a1, align 8
  %s1 = fadd double %s2, %x1
  %x0 = load double, ptr %p, align 8
  %s0 = fadd double %s1, %x0
  ret double %s0
}

; An `or` that is no sum, a store, a call, a division of integers, a volatile load.
; CHECK-LABEL: define double @apart(
; CHECK-NOT: load <4 x double>
; CHECK: ret double
define double @apart(ptr %p, ptr %q, i64 %i, i64 %n) {
  %x0 = load double, ptr %p, align 8
  %j = or i64 %i, 1
  %a1 = getelementptr inbounds double, ptr %p, i64 %j
  %x1 = load double, ptr %a1, align 8
  %a2 = getelementptr inbounds i8, ptr %p, i64 16
  %x2 = load double, ptr %a2, align 8
  %a3 = getelementptr inbounds i8, ptr %p, i64 24
  %x3 = load double, ptr %a3, align 8
  store double %x3, ptr %q, align 8
  %y0 = load double, ptr %q, align 8
  %b1 = getelementptr inbounds i8, ptr %q, i64 8
  %y1 = load double, ptr %b1, align 8
  call void @other()
  %b2 = getelementptr inbounds i8, ptr %q, i64 16
  %y2 = load double, ptr %b2, align 8
  %d = sdiv i64 %i, %n
  %b3 = getelementptr inbounds i8, ptr %q, i64 24
  %y3 = load double, ptr %b3, align 8
  %b4 = getelementptr inbounds i8, ptr %q, i64 32
  %v = load volatile double, ptr %b4, align 8
  %f = sitofp i64 %d to double
  %s1 = fadd double %x0, %x1
  %s2 = fadd double %s1, %x2
  %s3 = fadd double %s2, %y0
  %s4 = fadd double %s3, %y1
  %s5 = fadd double %s4, %y2
  %s6 = fadd double %s5, %y3
  %s7 = fadd double %s6, %v
  %s8 = fadd double %s7, %f
  ret double %s8
}
