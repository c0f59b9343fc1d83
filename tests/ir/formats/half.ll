; The ideal of a half is a double in registers; its residue is kept as the bits of a bfloat. Scalars and vectors alike.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scalar(
; CHECK: load i16, ptr %{{[0-9]+}}, align
; CHECK: load half, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq half
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store i16
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store half %all
; CHECK: store half %all, ptr %to
define void @scalar(ptr %from, ptr %to, half %y) {
  %x = load half, ptr %from
  %sum = fadd half %x, %y
  %difference = fsub half %sum, %x
  %product = fmul half %difference, %y
  %quotient = fdiv half %product, %sum
  %negated = fneg half %quotient
  %root = call half @llvm.sqrt.f16(half %sum)
  %size = call half @llvm.fabs.f16(half %negated)
  %all = fadd half %size, %root
  store half %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes1(
; CHECK: load <1 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <1 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <1 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <1 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <1 x half> %all
; CHECK: store <1 x half> %all, ptr %to
define void @lanes1(ptr %from, ptr %to, <1 x half> %y) {
  %x = load <1 x half>, ptr %from
  %sum = fadd <1 x half> %x, %y
  %difference = fsub <1 x half> %sum, %x
  %product = fmul <1 x half> %difference, %y
  %quotient = fdiv <1 x half> %product, %sum
  %negated = fneg <1 x half> %quotient
  %root = call <1 x half> @llvm.sqrt.v1f16(<1 x half> %sum)
  %size = call <1 x half> @llvm.fabs.v1f16(<1 x half> %negated)
  %all = fadd <1 x half> %size, %root
  store <1 x half> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes2(
; CHECK: load <2 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <2 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <2 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <2 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <2 x half> %all
; CHECK: store <2 x half> %all, ptr %to
define void @lanes2(ptr %from, ptr %to, <2 x half> %y) {
  %x = load <2 x half>, ptr %from
  %sum = fadd <2 x half> %x, %y
  %difference = fsub <2 x half> %sum, %x
  %product = fmul <2 x half> %difference, %y
  %quotient = fdiv <2 x half> %product, %sum
  %negated = fneg <2 x half> %quotient
  %root = call <2 x half> @llvm.sqrt.v2f16(<2 x half> %sum)
  %size = call <2 x half> @llvm.fabs.v2f16(<2 x half> %negated)
  %all = fadd <2 x half> %size, %root
  store <2 x half> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes3(
; CHECK: load <3 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <3 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <3 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <3 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <3 x half> %all
; CHECK: store <3 x half> %all, ptr %to
define void @lanes3(ptr %from, ptr %to, <3 x half> %y) {
  %x = load <3 x half>, ptr %from
  %sum = fadd <3 x half> %x, %y
  %difference = fsub <3 x half> %sum, %x
  %product = fmul <3 x half> %difference, %y
  %quotient = fdiv <3 x half> %product, %sum
  %negated = fneg <3 x half> %quotient
  %root = call <3 x half> @llvm.sqrt.v3f16(<3 x half> %sum)
  %size = call <3 x half> @llvm.fabs.v3f16(<3 x half> %negated)
  %all = fadd <3 x half> %size, %root
  store <3 x half> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes4(
; CHECK: load <4 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <4 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <4 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <4 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <4 x half> %all
; CHECK: store <4 x half> %all, ptr %to
define void @lanes4(ptr %from, ptr %to, <4 x half> %y) {
  %x = load <4 x half>, ptr %from
  %sum = fadd <4 x half> %x, %y
  %difference = fsub <4 x half> %sum, %x
  %product = fmul <4 x half> %difference, %y
  %quotient = fdiv <4 x half> %product, %sum
  %negated = fneg <4 x half> %quotient
  %root = call <4 x half> @llvm.sqrt.v4f16(<4 x half> %sum)
  %size = call <4 x half> @llvm.fabs.v4f16(<4 x half> %negated)
  %all = fadd <4 x half> %size, %root
  store <4 x half> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes8(
; CHECK: load <8 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <8 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <8 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <8 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <8 x half> %all
; CHECK: store <8 x half> %all, ptr %to
define void @lanes8(ptr %from, ptr %to, <8 x half> %y) {
  %x = load <8 x half>, ptr %from
  %sum = fadd <8 x half> %x, %y
  %difference = fsub <8 x half> %sum, %x
  %product = fmul <8 x half> %difference, %y
  %quotient = fdiv <8 x half> %product, %sum
  %negated = fneg <8 x half> %quotient
  %root = call <8 x half> @llvm.sqrt.v8f16(<8 x half> %sum)
  %size = call <8 x half> @llvm.fabs.v8f16(<8 x half> %negated)
  %all = fadd <8 x half> %size, %root
  store <8 x half> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes16(
; CHECK: load <16 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <16 x half>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <16 x half>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <16 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <16 x half> %all
; CHECK: store <16 x half> %all, ptr %to
define void @lanes16(ptr %from, ptr %to, <16 x half> %y) {
  %x = load <16 x half>, ptr %from
  %sum = fadd <16 x half> %x, %y
  %difference = fsub <16 x half> %sum, %x
  %product = fmul <16 x half> %difference, %y
  %quotient = fdiv <16 x half> %product, %sum
  %negated = fneg <16 x half> %quotient
  %root = call <16 x half> @llvm.sqrt.v16f16(<16 x half> %sum)
  %size = call <16 x half> @llvm.fabs.v16f16(<16 x half> %negated)
  %all = fadd <16 x half> %size, %root
  store <16 x half> %all, ptr %to
  ret void
}

declare <1 x half> @llvm.fabs.v1f16(<1 x half>)
declare <1 x half> @llvm.sqrt.v1f16(<1 x half>)
declare <16 x half> @llvm.fabs.v16f16(<16 x half>)
declare <16 x half> @llvm.sqrt.v16f16(<16 x half>)
declare <2 x half> @llvm.fabs.v2f16(<2 x half>)
declare <2 x half> @llvm.sqrt.v2f16(<2 x half>)
declare <3 x half> @llvm.fabs.v3f16(<3 x half>)
declare <3 x half> @llvm.sqrt.v3f16(<3 x half>)
declare <4 x half> @llvm.fabs.v4f16(<4 x half>)
declare <4 x half> @llvm.sqrt.v4f16(<4 x half>)
declare <8 x half> @llvm.fabs.v8f16(<8 x half>)
declare <8 x half> @llvm.sqrt.v8f16(<8 x half>)
declare half @llvm.fabs.f16(half)
declare half @llvm.sqrt.f16(half)
