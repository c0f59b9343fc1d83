; The ideal of a float is a double in registers; its residue is a float in memory. Eight lanes and more keep their residues in registers too.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scalar(
; CHECK: load float, ptr %{{[0-9]+}}, align
; CHECK: load float, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq float
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store float
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store float %all
; CHECK: store float %all, ptr %to
define void @scalar(ptr %from, ptr %to, float %y) {
  %x = load float, ptr %from
  %sum = fadd float %x, %y
  %difference = fsub float %sum, %x
  %product = fmul float %difference, %y
  %quotient = fdiv float %product, %sum
  %negated = fneg float %quotient
  %root = call float @llvm.sqrt.f32(float %sum)
  %size = call float @llvm.fabs.f32(float %negated)
  %all = fadd float %size, %root
  store float %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes1(
; CHECK: load <1 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <1 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <1 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <1 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <1 x float> %all
; CHECK: store <1 x float> %all, ptr %to
define void @lanes1(ptr %from, ptr %to, <1 x float> %y) {
  %x = load <1 x float>, ptr %from
  %sum = fadd <1 x float> %x, %y
  %difference = fsub <1 x float> %sum, %x
  %product = fmul <1 x float> %difference, %y
  %quotient = fdiv <1 x float> %product, %sum
  %negated = fneg <1 x float> %quotient
  %root = call <1 x float> @llvm.sqrt.v1f32(<1 x float> %sum)
  %size = call <1 x float> @llvm.fabs.v1f32(<1 x float> %negated)
  %all = fadd <1 x float> %size, %root
  store <1 x float> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes2(
; CHECK: load <2 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <2 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <2 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <2 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <2 x float> %all
; CHECK: store <2 x float> %all, ptr %to
define void @lanes2(ptr %from, ptr %to, <2 x float> %y) {
  %x = load <2 x float>, ptr %from
  %sum = fadd <2 x float> %x, %y
  %difference = fsub <2 x float> %sum, %x
  %product = fmul <2 x float> %difference, %y
  %quotient = fdiv <2 x float> %product, %sum
  %negated = fneg <2 x float> %quotient
  %root = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %sum)
  %size = call <2 x float> @llvm.fabs.v2f32(<2 x float> %negated)
  %all = fadd <2 x float> %size, %root
  store <2 x float> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes3(
; CHECK: load <3 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <3 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <3 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <3 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <3 x float> %all
; CHECK: store <3 x float> %all, ptr %to
define void @lanes3(ptr %from, ptr %to, <3 x float> %y) {
  %x = load <3 x float>, ptr %from
  %sum = fadd <3 x float> %x, %y
  %difference = fsub <3 x float> %sum, %x
  %product = fmul <3 x float> %difference, %y
  %quotient = fdiv <3 x float> %product, %sum
  %negated = fneg <3 x float> %quotient
  %root = call <3 x float> @llvm.sqrt.v3f32(<3 x float> %sum)
  %size = call <3 x float> @llvm.fabs.v3f32(<3 x float> %negated)
  %all = fadd <3 x float> %size, %root
  store <3 x float> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes4(
; CHECK: load <4 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <4 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <4 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <4 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <4 x float> %all
; CHECK: store <4 x float> %all, ptr %to
define void @lanes4(ptr %from, ptr %to, <4 x float> %y) {
  %x = load <4 x float>, ptr %from
  %sum = fadd <4 x float> %x, %y
  %difference = fsub <4 x float> %sum, %x
  %product = fmul <4 x float> %difference, %y
  %quotient = fdiv <4 x float> %product, %sum
  %negated = fneg <4 x float> %quotient
  %root = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %sum)
  %size = call <4 x float> @llvm.fabs.v4f32(<4 x float> %negated)
  %all = fadd <4 x float> %size, %root
  store <4 x float> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes8(
; CHECK: load <8 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <8 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <8 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <8 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <8 x float> %all
; CHECK: store <8 x float> %all, ptr %to
define void @lanes8(ptr %from, ptr %to, <8 x float> %y) {
  %x = load <8 x float>, ptr %from
  %sum = fadd <8 x float> %x, %y
  %difference = fsub <8 x float> %sum, %x
  %product = fmul <8 x float> %difference, %y
  %quotient = fdiv <8 x float> %product, %sum
  %negated = fneg <8 x float> %quotient
  %root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %sum)
  %size = call <8 x float> @llvm.fabs.v8f32(<8 x float> %negated)
  %all = fadd <8 x float> %size, %root
  store <8 x float> %all, ptr %to
  ret void
}

; CHECK-LABEL: define void @lanes16(
; CHECK: load <16 x float>, ptr %{{[0-9]+}}, align
; CHECK: load <16 x float>, ptr %{{[0-9]+}}, align
; CHECK: fcmp oeq <16 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[RESIDUE]]
; CHECK: store <16 x float>
; CHECK: getelementptr i8, ptr %{{[0-9]+}}, i64 [[COPY]]
; CHECK: store <16 x float> %all
; CHECK: store <16 x float> %all, ptr %to
define void @lanes16(ptr %from, ptr %to, <16 x float> %y) {
  %x = load <16 x float>, ptr %from
  %sum = fadd <16 x float> %x, %y
  %difference = fsub <16 x float> %sum, %x
  %product = fmul <16 x float> %difference, %y
  %quotient = fdiv <16 x float> %product, %sum
  %negated = fneg <16 x float> %quotient
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %sum)
  %size = call <16 x float> @llvm.fabs.v16f32(<16 x float> %negated)
  %all = fadd <16 x float> %size, %root
  store <16 x float> %all, ptr %to
  ret void
}

declare <1 x float> @llvm.fabs.v1f32(<1 x float>)
declare <1 x float> @llvm.sqrt.v1f32(<1 x float>)
declare <16 x float> @llvm.fabs.v16f32(<16 x float>)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <2 x float> @llvm.fabs.v2f32(<2 x float>)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>)
declare <3 x float> @llvm.fabs.v3f32(<3 x float>)
declare <3 x float> @llvm.sqrt.v3f32(<3 x float>)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)
declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)
declare float @llvm.fabs.f32(float)
declare float @llvm.sqrt.f32(float)
