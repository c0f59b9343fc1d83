; Vectors far wider than any register, and more lanes than a mask has bits.
; nonius: codegen=slow
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <128 x float> @many(
; CHECK: ret <128 x float>
define <128 x float> @many(<128 x float> %x, <128 x float> %y, ptr %p, <128 x i1> %m) {
  %a = fadd <128 x float> %x, %y
  %b = fdiv <128 x float> %a, %y
  %c = fcmp olt <128 x float> %b, %x
  %d = select <128 x i1> %c, <128 x float> %a, <128 x float> %b
  %i = fptosi <128 x float> %d to <128 x i32>
  %f = sitofp <128 x i32> %i to <128 x float>
  store <128 x float> %f, ptr %p
  %l = load <128 x float>, ptr %p
  call void @llvm.masked.store.v128f32.p0(<128 x float> %l, ptr %p, <128 x i1> %m)
  %k = call <128 x float> @llvm.masked.load.v128f32.p0(ptr %p, <128 x i1> %m, <128 x float> %x)
  %r = call float @llvm.vector.reduce.fadd.v128f32(float 0.0, <128 x float> %k)
  store float %r, ptr %p
  %z = call <128 x float> @pass(<128 x float> %k)
  ret <128 x float> %z
}
declare <128 x float> @pass(<128 x float>)
