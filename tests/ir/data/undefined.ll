; Floats that are poison or undefined, alone, in vectors, in aggregates and in phis.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @phis(
define float @phis(float %x, i1 %c) {
entry:
  br i1 %c, label %a, label %end
a:
  br label %end
end:
  %p = phi float [ poison, %entry ], [ %x, %a ]
  %u = phi float [ undef, %a ], [ %x, %entry ]
  %f = freeze float %p
  %g = freeze float undef
  %s = fadd float %f, %g
  %t = fadd float %s, poison
  %v = fmul float %u, %t
  ret float %v
}

; CHECK-LABEL: define <4 x double> @vectors(
define <4 x double> @vectors(<4 x double> %x) {
  %i = insertelement <4 x double> poison, double undef, i32 1
  %s = fadd <4 x double> %i, <double 1.0, double poison, double undef, double 2.0>
  %m = shufflevector <4 x double> %s, <4 x double> poison, <4 x i32> <i32 0, i32 poison, i32 2, i32 3>
  %f = freeze <4 x double> %m
  %r = fsub <4 x double> %f, %x
  ret <4 x double> %r
}

; CHECK-LABEL: define { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } @aggregates(
define { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } @aggregates(float %x, double %y, ptr %q, i1 %c) {
  %a = insertvalue { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } undef, float %x, 2, 0
  %b = insertvalue { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %a, double %y, 2, 1, 1, 0
  %i = extractvalue { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %b, 2
  %j = extractvalue { float, [2 x { double, <2 x float> }] } %i, 1, 1
  store { double, <2 x float> } %j, ptr %q
  %l = load { [0 x double], {}, { float, [2 x { double, <2 x float> }] } }, ptr %q
  %s = select i1 %c, { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %l, { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %b
  %f = freeze { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %s
  ret { [0 x double], {}, { float, [2 x { double, <2 x float> }] } } %f
}

; CHECK-LABEL: define void @empty(
define void @empty([0 x float] %a, {} %b, { {}, [0 x <2 x double>] } %c, ptr %q) {
  store [0 x float] %a, ptr %q
  store {} %b, ptr %q
  store { {}, [0 x <2 x double>] } %c, ptr %q
  %l = load [0 x float], ptr %q
  %x = load float, ptr %q
  %y = fadd float %x, poison
  store float %y, ptr %q
  ret void
}
