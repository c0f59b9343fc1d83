; A load reads both planes and lets the residue count if the copy is the value; a store writes both before the value.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @load(
; CHECK: %z = load double, ptr %p
; CHECK: [[RESIDUES:%[0-9]+]] = getelementptr i8, ptr {{%[0-9]+}}, i64 [[RESIDUE]]
; CHECK-NEXT: [[E:%[0-9]+]] = load double, ptr [[RESIDUES]], align 8
; CHECK-NEXT: [[COPIES:%[0-9]+]] = getelementptr i8, ptr {{%[0-9]+}}, i64 [[COPY]]
; CHECK-NEXT: [[C:%[0-9]+]] = load double, ptr [[COPIES]], align 8
; CHECK-NEXT: [[VALID:%[0-9]+]] = fcmp oeq double [[C]], %z
; CHECK-NEXT: select i1 [[VALID]], double [[E]], double 0.000000e+00
define double @load(ptr %p) {
  %z = load double, ptr %p
  ret double %z
}

; CHECK-LABEL: define void @store(
; CHECK: [[RESIDUES:%[0-9]+]] = getelementptr i8, ptr {{%[0-9]+}}, i64 [[RESIDUE]]
; CHECK-NEXT: store double {{%[0-9]+}}, ptr [[RESIDUES]], align 8
; CHECK-NEXT: [[COPIES:%[0-9]+]] = getelementptr i8, ptr {{%[0-9]+}}, i64 [[COPY]]
; CHECK-NEXT: store double %x, ptr [[COPIES]], align 8
; CHECK-NEXT: store double %x, ptr %p, align 8
define void @store(double %x, ptr %p) {
  store double %x, ptr %p
  ret void
}

; What is exact needs no copy: a residue of 0 counts for any value.
; CHECK-LABEL: define void @exact(
; CHECK: [[RESIDUES:%[0-9]+]] = getelementptr i8, ptr {{%[0-9]+}}, i64 [[RESIDUE]]
; CHECK-NEXT: store double 0.000000e+00, ptr [[RESIDUES]]
; CHECK-NEXT: store double %x, ptr %p
; CHECK-NOT: [[COPY]]
; CHECK: ret void
define void @exact(i32 %i, ptr %p) {
  %x = sitofp i32 %i to double
  store double %x, ptr %p
  store double 1.5, ptr %p
  ret void
}

; A float's residue is a float.
; CHECK-LABEL: define void @float(
; CHECK: [[WIDE:%[0-9]+]] = fsub double
; CHECK: [[NARROW:%[0-9]+]] = fptrunc double {{%[0-9]+}} to float
; CHECK: [[CHECKED:%[0-9]+]] = phi float [ [[NARROW]], %{{[0-9]+}} ]
; CHECK: store float [[CHECKED]], ptr
; CHECK: store float %x, ptr
; CHECK: store float %x, ptr %p
define void @float(float %x, ptr %p) {
  store float %x, ptr %p
  ret void
}

; A register in disguise is stored without a check.
; CHECK-LABEL: define double @local(
; CHECK: store double %s, ptr %a
; CHECK-NOT: __nonius_{{(preserving_)?}}check(ptr @nonius.table, i32 {{[0-9]+}}, i32 1, ptr %a
; CHECK: ret double
define double @local(double %x) {
  %a = alloca double
  %s = fadd double %x, 1.0
  store double %s, ptr %a
  %z = load double, ptr %a
  ret double %z
}
