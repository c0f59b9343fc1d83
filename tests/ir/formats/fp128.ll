; The residue of a quad is a quad, in registers and in memory. Scalars and vectors alike.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scalar(
; CHECK: load fp128, ptr %{{[0-9]+}}, align
; CHECK: load fp128, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq fp128
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store fp128
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store fp128 %all
; CHECK: store fp128 %all, ptr %to
define void @scalar(ptr %from, ptr %to, fp128 %y) {
  %x = load fp128, ptr %from
  %sum = fadd fp128 %x, %y
  %difference = fsub fp128 %sum, %x
  %product = fmul fp128 %difference, %y
  %quotient = fdiv fp128 %product, %sum
  %negated = fneg fp128 %quotient
  %root = call fp128 @llvm.sqrt.f128(fp128 %sum)
  %size = call fp128 @llvm.fabs.f128(fp128 %negated)
  %all = fadd fp128 %size, %root
  store fp128 %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes1(
; CHECK: load <1 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <1 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <1 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <1 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <1 x fp128> %all
; CHECK: store <1 x fp128> %all, ptr %to
define void @lanes1(ptr %from, ptr %to, <1 x fp128> %y) {
  %x = load <1 x fp128>, ptr %from
  %sum = fadd <1 x fp128> %x, %y
  %difference = fsub <1 x fp128> %sum, %x
  %product = fmul <1 x fp128> %difference, %y
  %quotient = fdiv <1 x fp128> %product, %sum
  %negated = fneg <1 x fp128> %quotient
  %root = call <1 x fp128> @llvm.sqrt.v1f128(<1 x fp128> %sum)
  %size = call <1 x fp128> @llvm.fabs.v1f128(<1 x fp128> %negated)
  %all = fadd <1 x fp128> %size, %root
  store <1 x fp128> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes2(
; CHECK: load <2 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <2 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <2 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <2 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <2 x fp128> %all
; CHECK: store <2 x fp128> %all, ptr %to
define void @lanes2(ptr %from, ptr %to, <2 x fp128> %y) {
  %x = load <2 x fp128>, ptr %from
  %sum = fadd <2 x fp128> %x, %y
  %difference = fsub <2 x fp128> %sum, %x
  %product = fmul <2 x fp128> %difference, %y
  %quotient = fdiv <2 x fp128> %product, %sum
  %negated = fneg <2 x fp128> %quotient
  %root = call <2 x fp128> @llvm.sqrt.v2f128(<2 x fp128> %sum)
  %size = call <2 x fp128> @llvm.fabs.v2f128(<2 x fp128> %negated)
  %all = fadd <2 x fp128> %size, %root
  store <2 x fp128> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes3(
; CHECK: load <3 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <3 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <3 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <3 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <3 x fp128> %all
; CHECK: store <3 x fp128> %all, ptr %to
define void @lanes3(ptr %from, ptr %to, <3 x fp128> %y) {
  %x = load <3 x fp128>, ptr %from
  %sum = fadd <3 x fp128> %x, %y
  %difference = fsub <3 x fp128> %sum, %x
  %product = fmul <3 x fp128> %difference, %y
  %quotient = fdiv <3 x fp128> %product, %sum
  %negated = fneg <3 x fp128> %quotient
  %root = call <3 x fp128> @llvm.sqrt.v3f128(<3 x fp128> %sum)
  %size = call <3 x fp128> @llvm.fabs.v3f128(<3 x fp128> %negated)
  %all = fadd <3 x fp128> %size, %root
  store <3 x fp128> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes4(
; CHECK: load <4 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <4 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <4 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <4 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <4 x fp128> %all
; CHECK: store <4 x fp128> %all, ptr %to
define void @lanes4(ptr %from, ptr %to, <4 x fp128> %y) {
  %x = load <4 x fp128>, ptr %from
  %sum = fadd <4 x fp128> %x, %y
  %difference = fsub <4 x fp128> %sum, %x
  %product = fmul <4 x fp128> %difference, %y
  %quotient = fdiv <4 x fp128> %product, %sum
  %negated = fneg <4 x fp128> %quotient
  %root = call <4 x fp128> @llvm.sqrt.v4f128(<4 x fp128> %sum)
  %size = call <4 x fp128> @llvm.fabs.v4f128(<4 x fp128> %negated)
  %all = fadd <4 x fp128> %size, %root
  store <4 x fp128> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes8(
; CHECK: load <8 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <8 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <8 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <8 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <8 x fp128> %all
; CHECK: store <8 x fp128> %all, ptr %to
define void @lanes8(ptr %from, ptr %to, <8 x fp128> %y) {
  %x = load <8 x fp128>, ptr %from
  %sum = fadd <8 x fp128> %x, %y
  %difference = fsub <8 x fp128> %sum, %x
  %product = fmul <8 x fp128> %difference, %y
  %quotient = fdiv <8 x fp128> %product, %sum
  %negated = fneg <8 x fp128> %quotient
  %root = call <8 x fp128> @llvm.sqrt.v8f128(<8 x fp128> %sum)
  %size = call <8 x fp128> @llvm.fabs.v8f128(<8 x fp128> %negated)
  %all = fadd <8 x fp128> %size, %root
  store <8 x fp128> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes16(
; CHECK: load <16 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: load <16 x fp128>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <16 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <16 x fp128>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <16 x fp128> %all
; CHECK: store <16 x fp128> %all, ptr %to
define void @lanes16(ptr %from, ptr %to, <16 x fp128> %y) {
  %x = load <16 x fp128>, ptr %from
  %sum = fadd <16 x fp128> %x, %y
  %difference = fsub <16 x fp128> %sum, %x
  %product = fmul <16 x fp128> %difference, %y
  %quotient = fdiv <16 x fp128> %product, %sum
  %negated = fneg <16 x fp128> %quotient
  %root = call <16 x fp128> @llvm.sqrt.v16f128(<16 x fp128> %sum)
  %size = call <16 x fp128> @llvm.fabs.v16f128(<16 x fp128> %negated)
  %all = fadd <16 x fp128> %size, %root
  store <16 x fp128> %all, ptr %to
  ret void
}

declare <1 x fp128> @llvm.fabs.v1f128(<1 x fp128>)
declare <1 x fp128> @llvm.sqrt.v1f128(<1 x fp128>)
declare <16 x fp128> @llvm.fabs.v16f128(<16 x fp128>)
declare <16 x fp128> @llvm.sqrt.v16f128(<16 x fp128>)
declare <2 x fp128> @llvm.fabs.v2f128(<2 x fp128>)
declare <2 x fp128> @llvm.sqrt.v2f128(<2 x fp128>)
declare <3 x fp128> @llvm.fabs.v3f128(<3 x fp128>)
declare <3 x fp128> @llvm.sqrt.v3f128(<3 x fp128>)
declare <4 x fp128> @llvm.fabs.v4f128(<4 x fp128>)
declare <4 x fp128> @llvm.sqrt.v4f128(<4 x fp128>)
declare <8 x fp128> @llvm.fabs.v8f128(<8 x fp128>)
declare <8 x fp128> @llvm.sqrt.v8f128(<8 x fp128>)
declare fp128 @llvm.fabs.f128(fp128)
declare fp128 @llvm.sqrt.f128(fp128)
