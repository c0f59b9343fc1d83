; The residue of a double is a double, in registers and in memory. Scalars and vectors alike.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scalar(
; CHECK: load double, ptr %{{[0-9]+}}, align
; CHECK: load double, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq double
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store double
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store double %all
; CHECK: store double %all, ptr %to
define void @scalar(ptr %from, ptr %to, double %y) {
  %x = load double, ptr %from
  %sum = fadd double %x, %y
  %difference = fsub double %sum, %x
  %product = fmul double %difference, %y
  %quotient = fdiv double %product, %sum
  %negated = fneg double %quotient
  %root = call double @llvm.sqrt.f64(double %sum)
  %size = call double @llvm.fabs.f64(double %negated)
  %all = fadd double %size, %root
  store double %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes1(
; CHECK: load <1 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <1 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <1 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <1 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <1 x double> %all
; CHECK: store <1 x double> %all, ptr %to
define void @lanes1(ptr %from, ptr %to, <1 x double> %y) {
  %x = load <1 x double>, ptr %from
  %sum = fadd <1 x double> %x, %y
  %difference = fsub <1 x double> %sum, %x
  %product = fmul <1 x double> %difference, %y
  %quotient = fdiv <1 x double> %product, %sum
  %negated = fneg <1 x double> %quotient
  %root = call <1 x double> @llvm.sqrt.v1f64(<1 x double> %sum)
  %size = call <1 x double> @llvm.fabs.v1f64(<1 x double> %negated)
  %all = fadd <1 x double> %size, %root
  store <1 x double> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes2(
; CHECK: load <2 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <2 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <2 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <2 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <2 x double> %all
; CHECK: store <2 x double> %all, ptr %to
define void @lanes2(ptr %from, ptr %to, <2 x double> %y) {
  %x = load <2 x double>, ptr %from
  %sum = fadd <2 x double> %x, %y
  %difference = fsub <2 x double> %sum, %x
  %product = fmul <2 x double> %difference, %y
  %quotient = fdiv <2 x double> %product, %sum
  %negated = fneg <2 x double> %quotient
  %root = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %sum)
  %size = call <2 x double> @llvm.fabs.v2f64(<2 x double> %negated)
  %all = fadd <2 x double> %size, %root
  store <2 x double> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes3(
; CHECK: load <3 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <3 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <3 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <3 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <3 x double> %all
; CHECK: store <3 x double> %all, ptr %to
define void @lanes3(ptr %from, ptr %to, <3 x double> %y) {
  %x = load <3 x double>, ptr %from
  %sum = fadd <3 x double> %x, %y
  %difference = fsub <3 x double> %sum, %x
  %product = fmul <3 x double> %difference, %y
  %quotient = fdiv <3 x double> %product, %sum
  %negated = fneg <3 x double> %quotient
  %root = call <3 x double> @llvm.sqrt.v3f64(<3 x double> %sum)
  %size = call <3 x double> @llvm.fabs.v3f64(<3 x double> %negated)
  %all = fadd <3 x double> %size, %root
  store <3 x double> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes4(
; CHECK: load <4 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <4 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <4 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <4 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <4 x double> %all
; CHECK: store <4 x double> %all, ptr %to
define void @lanes4(ptr %from, ptr %to, <4 x double> %y) {
  %x = load <4 x double>, ptr %from
  %sum = fadd <4 x double> %x, %y
  %difference = fsub <4 x double> %sum, %x
  %product = fmul <4 x double> %difference, %y
  %quotient = fdiv <4 x double> %product, %sum
  %negated = fneg <4 x double> %quotient
  %root = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %sum)
  %size = call <4 x double> @llvm.fabs.v4f64(<4 x double> %negated)
  %all = fadd <4 x double> %size, %root
  store <4 x double> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes8(
; CHECK: load <8 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <8 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <8 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <8 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <8 x double> %all
; CHECK: store <8 x double> %all, ptr %to
define void @lanes8(ptr %from, ptr %to, <8 x double> %y) {
  %x = load <8 x double>, ptr %from
  %sum = fadd <8 x double> %x, %y
  %difference = fsub <8 x double> %sum, %x
  %product = fmul <8 x double> %difference, %y
  %quotient = fdiv <8 x double> %product, %sum
  %negated = fneg <8 x double> %quotient
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %sum)
  %size = call <8 x double> @llvm.fabs.v8f64(<8 x double> %negated)
  %all = fadd <8 x double> %size, %root
  store <8 x double> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes16(
; CHECK: load <16 x double>, ptr %{{[0-9]+}}, align
; CHECK: load <16 x double>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <16 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <16 x double>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <16 x double> %all
; CHECK: store <16 x double> %all, ptr %to
define void @lanes16(ptr %from, ptr %to, <16 x double> %y) {
  %x = load <16 x double>, ptr %from
  %sum = fadd <16 x double> %x, %y
  %difference = fsub <16 x double> %sum, %x
  %product = fmul <16 x double> %difference, %y
  %quotient = fdiv <16 x double> %product, %sum
  %negated = fneg <16 x double> %quotient
  %root = call <16 x double> @llvm.sqrt.v16f64(<16 x double> %sum)
  %size = call <16 x double> @llvm.fabs.v16f64(<16 x double> %negated)
  %all = fadd <16 x double> %size, %root
  store <16 x double> %all, ptr %to
  ret void
}

declare <1 x double> @llvm.fabs.v1f64(<1 x double>)
declare <1 x double> @llvm.sqrt.v1f64(<1 x double>)
declare <16 x double> @llvm.fabs.v16f64(<16 x double>)
declare <16 x double> @llvm.sqrt.v16f64(<16 x double>)
declare <2 x double> @llvm.fabs.v2f64(<2 x double>)
declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)
declare <3 x double> @llvm.fabs.v3f64(<3 x double>)
declare <3 x double> @llvm.sqrt.v3f64(<3 x double>)
declare <4 x double> @llvm.fabs.v4f64(<4 x double>)
declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)
declare <8 x double> @llvm.fabs.v8f64(<8 x double>)
declare <8 x double> @llvm.sqrt.v8f64(<8 x double>)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
