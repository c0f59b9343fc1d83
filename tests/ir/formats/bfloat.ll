; The ideal of a bfloat is a double in registers; its residue is kept as the bits of a bfloat. Scalars and vectors alike.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scalar(
; CHECK: load i16, ptr %{{[0-9]+}}, align
; CHECK: load bfloat, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq bfloat
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store i16
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store bfloat %all
; CHECK: store bfloat %all, ptr %to
define void @scalar(ptr %from, ptr %to, bfloat %y) {
  %x = load bfloat, ptr %from
  %sum = fadd bfloat %x, %y
  %difference = fsub bfloat %sum, %x
  %product = fmul bfloat %difference, %y
  %quotient = fdiv bfloat %product, %sum
  %negated = fneg bfloat %quotient
  %root = call bfloat @llvm.sqrt.bf16(bfloat %sum)
  %size = call bfloat @llvm.fabs.bf16(bfloat %negated)
  %all = fadd bfloat %size, %root
  store bfloat %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes1(
; CHECK: load <1 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <1 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <1 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <1 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <1 x bfloat> %all
; CHECK: store <1 x bfloat> %all, ptr %to
define void @lanes1(ptr %from, ptr %to, <1 x bfloat> %y) {
  %x = load <1 x bfloat>, ptr %from
  %sum = fadd <1 x bfloat> %x, %y
  %difference = fsub <1 x bfloat> %sum, %x
  %product = fmul <1 x bfloat> %difference, %y
  %quotient = fdiv <1 x bfloat> %product, %sum
  %negated = fneg <1 x bfloat> %quotient
  %root = call <1 x bfloat> @llvm.sqrt.v1bf16(<1 x bfloat> %sum)
  %size = call <1 x bfloat> @llvm.fabs.v1bf16(<1 x bfloat> %negated)
  %all = fadd <1 x bfloat> %size, %root
  store <1 x bfloat> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes2(
; CHECK: load <2 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <2 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <2 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <2 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <2 x bfloat> %all
; CHECK: store <2 x bfloat> %all, ptr %to
define void @lanes2(ptr %from, ptr %to, <2 x bfloat> %y) {
  %x = load <2 x bfloat>, ptr %from
  %sum = fadd <2 x bfloat> %x, %y
  %difference = fsub <2 x bfloat> %sum, %x
  %product = fmul <2 x bfloat> %difference, %y
  %quotient = fdiv <2 x bfloat> %product, %sum
  %negated = fneg <2 x bfloat> %quotient
  %root = call <2 x bfloat> @llvm.sqrt.v2bf16(<2 x bfloat> %sum)
  %size = call <2 x bfloat> @llvm.fabs.v2bf16(<2 x bfloat> %negated)
  %all = fadd <2 x bfloat> %size, %root
  store <2 x bfloat> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes3(
; CHECK: load <3 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <3 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <3 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <3 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <3 x bfloat> %all
; CHECK: store <3 x bfloat> %all, ptr %to
define void @lanes3(ptr %from, ptr %to, <3 x bfloat> %y) {
  %x = load <3 x bfloat>, ptr %from
  %sum = fadd <3 x bfloat> %x, %y
  %difference = fsub <3 x bfloat> %sum, %x
  %product = fmul <3 x bfloat> %difference, %y
  %quotient = fdiv <3 x bfloat> %product, %sum
  %negated = fneg <3 x bfloat> %quotient
  %root = call <3 x bfloat> @llvm.sqrt.v3bf16(<3 x bfloat> %sum)
  %size = call <3 x bfloat> @llvm.fabs.v3bf16(<3 x bfloat> %negated)
  %all = fadd <3 x bfloat> %size, %root
  store <3 x bfloat> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes4(
; CHECK: load <4 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <4 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <4 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <4 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <4 x bfloat> %all
; CHECK: store <4 x bfloat> %all, ptr %to
define void @lanes4(ptr %from, ptr %to, <4 x bfloat> %y) {
  %x = load <4 x bfloat>, ptr %from
  %sum = fadd <4 x bfloat> %x, %y
  %difference = fsub <4 x bfloat> %sum, %x
  %product = fmul <4 x bfloat> %difference, %y
  %quotient = fdiv <4 x bfloat> %product, %sum
  %negated = fneg <4 x bfloat> %quotient
  %root = call <4 x bfloat> @llvm.sqrt.v4bf16(<4 x bfloat> %sum)
  %size = call <4 x bfloat> @llvm.fabs.v4bf16(<4 x bfloat> %negated)
  %all = fadd <4 x bfloat> %size, %root
  store <4 x bfloat> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes8(
; CHECK: load <8 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <8 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <8 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <8 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <8 x bfloat> %all
; CHECK: store <8 x bfloat> %all, ptr %to
define void @lanes8(ptr %from, ptr %to, <8 x bfloat> %y) {
  %x = load <8 x bfloat>, ptr %from
  %sum = fadd <8 x bfloat> %x, %y
  %difference = fsub <8 x bfloat> %sum, %x
  %product = fmul <8 x bfloat> %difference, %y
  %quotient = fdiv <8 x bfloat> %product, %sum
  %negated = fneg <8 x bfloat> %quotient
  %root = call <8 x bfloat> @llvm.sqrt.v8bf16(<8 x bfloat> %sum)
  %size = call <8 x bfloat> @llvm.fabs.v8bf16(<8 x bfloat> %negated)
  %all = fadd <8 x bfloat> %size, %root
  store <8 x bfloat> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes16(
; CHECK: load <16 x i16>, ptr %{{[0-9]+}}, align
; CHECK: load <16 x bfloat>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <16 x bfloat>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <16 x i16>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <16 x bfloat> %all
; CHECK: store <16 x bfloat> %all, ptr %to
define void @lanes16(ptr %from, ptr %to, <16 x bfloat> %y) {
  %x = load <16 x bfloat>, ptr %from
  %sum = fadd <16 x bfloat> %x, %y
  %difference = fsub <16 x bfloat> %sum, %x
  %product = fmul <16 x bfloat> %difference, %y
  %quotient = fdiv <16 x bfloat> %product, %sum
  %negated = fneg <16 x bfloat> %quotient
  %root = call <16 x bfloat> @llvm.sqrt.v16bf16(<16 x bfloat> %sum)
  %size = call <16 x bfloat> @llvm.fabs.v16bf16(<16 x bfloat> %negated)
  %all = fadd <16 x bfloat> %size, %root
  store <16 x bfloat> %all, ptr %to
  ret void
}

declare <1 x bfloat> @llvm.fabs.v1bf16(<1 x bfloat>)
declare <1 x bfloat> @llvm.sqrt.v1bf16(<1 x bfloat>)
declare <16 x bfloat> @llvm.fabs.v16bf16(<16 x bfloat>)
declare <16 x bfloat> @llvm.sqrt.v16bf16(<16 x bfloat>)
declare <2 x bfloat> @llvm.fabs.v2bf16(<2 x bfloat>)
declare <2 x bfloat> @llvm.sqrt.v2bf16(<2 x bfloat>)
declare <3 x bfloat> @llvm.fabs.v3bf16(<3 x bfloat>)
declare <3 x bfloat> @llvm.sqrt.v3bf16(<3 x bfloat>)
declare <4 x bfloat> @llvm.fabs.v4bf16(<4 x bfloat>)
declare <4 x bfloat> @llvm.sqrt.v4bf16(<4 x bfloat>)
declare <8 x bfloat> @llvm.fabs.v8bf16(<8 x bfloat>)
declare <8 x bfloat> @llvm.sqrt.v8bf16(<8 x bfloat>)
declare bfloat @llvm.fabs.bf16(bfloat)
declare bfloat @llvm.sqrt.bf16(bfloat)
