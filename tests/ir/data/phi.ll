; Every phi of a float has one of its shadow, with a shadow from each edge; one that is returned also has one of what the
; shadow does not know of a zero.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @join(
; CHECK: {{%[0-9]+}} = phi double [ [[E:%[0-9]+]], %{{.*}} ], [ 0.000000e+00, %{{.*}} ]
; CHECK-NEXT: {{%[0-9]+}} = phi double [ [[RADIUS:%[0-9]+]], %{{.*}} ], [ 0.000000e+00, %{{.*}} ]
; CHECK-NEXT: %z = phi double [ %a, %{{.*}} ], [ 1.000000e+00, %{{.*}} ]
define double @join(i1 %c, double %x) {
entry:
  br i1 %c, label %then, label %end
then:
  %a = fadd double %x, 1.0
  br label %end
end:
  %z = phi double [ %a, %then ], [ 1.0, %entry ]
  ret double %z
}

; CHECK-LABEL: define double @loop(
; CHECK: loop:
; CHECK-NEXT: phi double [ 0.000000e+00, %{{.*}} ], [ [[NEXT:%[0-9]+]], %{{.*}} ]
; CHECK-NEXT: %s = phi double
; CHECK: [[NEXT]] = fadd double
define double @loop(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %at
  %t = fadd double %s, %x
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; Two floats that change places.
; CHECK-LABEL: define float @swap(
define float @swap(float %x, float %y, i32 %n) {
entry:
  br label %loop
loop:
  %a = phi float [ %x, %entry ], [ %b, %loop ]
  %b = phi float [ %y, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret float %a
}

; CHECK-LABEL: define { float, { double, i32 } } @aggregate(
; CHECK: end:
; CHECK-DAG: phi double [ {{%[0-9]+}}, %{{.*}} ], [ {{.*}}, %{{.*}} ]
; CHECK-DAG: phi double [ {{%[0-9]+}}, %{{.*}} ], [ {{.*}}, %{{.*}} ]
; CHECK: %z = phi { float, { double, i32 } }
define { float, { double, i32 } } @aggregate(i1 %c, { float, { double, i32 } } %x) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %z = phi { float, { double, i32 } } [ %x, %then ], [ zeroinitializer, %entry ]
  ret { float, { double, i32 } } %z
}

; The same block comes in twice; all entries must agree.
; CHECK-LABEL: define float @twice(
; CHECK: ret float %z
define float @twice(i32 %n, float %x, i32 %i) {
entry:
  %exact = sitofp i32 %i to float
  switch i32 %n, label %other [ i32 0, label %end
                                i32 1, label %end
                                i32 2, label %end ]
other:
  br label %end
end:
  %z = phi float [ %exact, %entry ], [ %exact, %entry ], [ %exact, %entry ], [ %x, %other ]
  ret float %z
}

; CHECK-LABEL: define double @carried(
; CHECK: ret double
define double @carried(i1 %c, ptr %p, ptr %q) {
entry:
  %a = load i64, ptr %p
  br i1 %c, label %then, label %end
then:
  %b = load i64, ptr %q
  br label %end
end:
  %i = phi i64 [ %b, %then ], [ %a, %entry ]
  %z = bitcast i64 %i to double
  ret double %z
}

; A value that is defined later in the order of blocks than its use in the phi.
; CHECK-LABEL: define <2 x double> @backward(
define <2 x double> @backward(<2 x double> %x, i1 %c) {
entry:
  br label %head
head:
  %a = phi <2 x double> [ %x, %entry ], [ %b, %latch ], [ undef, %other ]
  br i1 %c, label %latch, label %other
latch:
  %b = fmul <2 x double> %a, %x
  %sum = extractelement <2 x double> %b, i32 0
  %stop = fcmp olt double %sum, 1.0
  br i1 %stop, label %end, label %head
other:
  %i = call i1 @coin()
  br i1 %i, label %head, label %end
end:
  %r = phi <2 x double> [ %b, %latch ], [ %a, %other ]
  ret <2 x double> %r
}
declare i1 @coin()
