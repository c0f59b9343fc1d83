; A function that passes wide vectors has another calling convention under AVX: it stays as it is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: define <4 x double> @takes(<4 x double> %x) {
define <4 x double> @takes(<4 x double> %x) {
  %z = fadd <4 x double> %x, %x
  ret <4 x double> %z
}

; CHECK: define void @calls(ptr %p) {
define void @calls(ptr %p) {
  %x = load <4 x double>, ptr %p
  %z = call <4 x double> @takes(<4 x double> %x)
  store <4 x double> %z, ptr %p
  ret void
}

; CHECK: define void @calls_indirectly(ptr %f, ptr %p) {
define void @calls_indirectly(ptr %f, ptr %p) {
  %x = load <8 x float>, ptr %p
  call void %f(<8 x float> %x)
  ret void
}

; CHECK: define void @variadic(ptr %p) {
define void @variadic(ptr %p) {
  %x = load <4 x double>, ptr %p
  call void (ptr, ...) @any(ptr %p, <4 x double> %x)
  ret void
}

; With AVX in the first place there is nothing to keep.
; CHECK: define <4 x double> @avx(<4 x double> %x) #[[#]] {
define <4 x double> @avx(<4 x double> %x) #0 {
  %z = fadd <4 x double> %x, %x
  ret <4 x double> %z
}

attributes #0 = { "target-features"="+avx" }
declare void @any(ptr, ...)
