; Scalable vectors inside a struct have no fixed offset.
; nonius: codegen=off
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @members(
define void @members({ <vscale x 2 x double>, <vscale x 2 x double> } %x, double %d, ptr %p) {
  %a = extractvalue { <vscale x 2 x double>, <vscale x 2 x double> } %x, 0
  %b = insertvalue { <vscale x 2 x double>, <vscale x 2 x double> } %x, <vscale x 2 x double> %a, 1
  store double %d, ptr %p
  ret void
}
