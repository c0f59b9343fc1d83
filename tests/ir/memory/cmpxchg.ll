; What a compare-and-swap stores restarts: the copy of the value before does not fit.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @swap(
; CHECK: %pair = cmpxchg ptr %p, i64 %expected, i64 %new seq_cst seq_cst
; CHECK: ret double
define double @swap(ptr %p, double %x, double %y) {
  %expected = bitcast double %x to i64
  %sum = fadd double %x, %y
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %expected, i64 %new seq_cst seq_cst
  %old = extractvalue { i64, i1 } %pair, 0
  %z = bitcast i64 %old to double
  ret double %z
}

; The usual loop behind an atomic sum.
; CHECK-LABEL: define void @loop(
define void @loop(ptr %p, double %x) {
entry:
  %first = load i64, ptr %p
  br label %again
again:
  %bits = phi i64 [ %first, %entry ], [ %seen, %again ]
  %old = bitcast i64 %bits to double
  %new = fadd double %old, %x
  %new_bits = bitcast double %new to i64
  %pair = cmpxchg weak volatile ptr %p, i64 %bits, i64 %new_bits acq_rel monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}
