; NONIUS_IGNORE in the source is an annotation in the module.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@text = private unnamed_addr constant [14 x i8] c"nonius-ignore\00", section "llvm.metadata"
@other = private unnamed_addr constant [6 x i8] c"other\00", section "llvm.metadata"
@file = private unnamed_addr constant [4 x i8] c"a.c\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @ignored, ptr @text, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @annotated, ptr @other, ptr @file, i32 2, ptr null }], section "llvm.metadata"

; CHECK-LABEL: define double @ignored(
; CHECK-NEXT: store i8 1, ptr {{.*}}@nonius.ran
; CHECK-NEXT: %z = fadd double %x, 1.000000e+00
; CHECK-NEXT: ret double %z
define double @ignored(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}

; CHECK-LABEL: define double @annotated(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check(
define double @annotated(double %x) {
  %z = fadd double %x, 1.0
  ret double %z
}
