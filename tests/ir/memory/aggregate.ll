; An aggregate is loaded and stored float by float, each at its offset.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @move(
; CHECK: load { double, i32, [2 x float] }, ptr %from
; CHECK: getelementptr i8, ptr %from, i64 12
; CHECK: getelementptr i8, ptr %from, i64 16
; CHECK: getelementptr i8, ptr %to, i64 12
; CHECK: getelementptr i8, ptr %to, i64 16
; CHECK: store { double, i32, [2 x float] } %x, ptr %to
define void @move(ptr %from, ptr %to) {
  %x = load { double, i32, [2 x float] }, ptr %from
  store { double, i32, [2 x float] } %x, ptr %to
  ret void
}

; Too large to follow in registers: left alone.
; CHECK-LABEL: define [1000 x double] @huge(
; CHECK: ret [1000 x double]
define [1000 x double] @huge(ptr %from, ptr %to, [1000 x double] %y) {
  %x = load [1000 x double], ptr %from
  store [1000 x double] %x, ptr %to
  store [1000 x double] %y, ptr %from
  ret [1000 x double] %x
}

; CHECK-LABEL: define void @boundary(
define void @boundary(ptr %from, ptr %to) {
  %x = load [256 x float], ptr %from
  store [256 x float] %x, ptr %to
  %y = load [257 x float], ptr %from
  store [257 x float] %y, ptr %to
  ret void
}
