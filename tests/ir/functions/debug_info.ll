; Positions of sites come from debug locations, through inlining; shadow code carries them too, as the verifier asks.
; nonius: options="skip-files=skipped.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @nonius.table = private constant [{{[0-9]+}} x i8] c"NONIUS{{.*}}numbers.c{{.*}}", section "nonius_sites"
; CHECK-LABEL: define double @outer(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}check({{.*}}), !dbg
define double @outer(double %x, ptr %p) !dbg !5 {
    #dbg_value(double %x, !12, !DIExpression(), !8)
  %z = fadd double %x, 1.0, !dbg !8
    #dbg_value(double %z, !12, !DIExpression(), !8)
  %w = fmul double %z, %z, !dbg !10
  store double %w, ptr %p, !dbg !8
  %c = call double @outer(double %w, ptr %p), !dbg !8
  %i = fptosi double %c to i32, !dbg !8
  %l = fcmp olt double %c, %w, !dbg !10
  br i1 %l, label %a, label %b, !dbg !8
a:
  ret double %c, !dbg !8
b:
  ret double %w, !dbg !8
}

; CHECK-LABEL: define double @skipped(
; CHECK-NEXT: store i8 1, ptr {{.*}}@nonius.ran
; CHECK-NEXT: %z = fadd double %x, 1.000000e+00, !dbg
; CHECK-NEXT: ret double %z
define double @skipped(double %x) !dbg !13 {
  %z = fadd double %x, 1.0, !dbg !15
  ret double %z, !dbg !15
}

; Line 0 and instructions without a position.
; CHECK-LABEL: define double @artificial(
define double @artificial(double %x) !dbg !16 {
  %z = fadd double %x, 1.0
  %w = call double @outer(double %z, ptr null), !dbg !17
  ret double %w
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "numbers.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !DISubroutineType(types: !6)
!6 = !{null}
!5 = distinct !DISubprogram(name: "outer", file: !1, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!7 = distinct !DILexicalBlock(scope: !5, file: !1, line: 2)
!8 = !DILocation(line: 3, column: 7, scope: !7)
!9 = distinct !DISubprogram(name: "inner", linkageName: "_Z5innerd", file: !1, line: 20, type: !4, scopeLine: 20, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DILocation(line: 21, column: 9, scope: !9, inlinedAt: !11)
!11 = distinct !DILocation(line: 4, column: 5, scope: !5)
!12 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 1, type: !18)
!13 = distinct !DISubprogram(name: "skipped", file: !14, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!14 = !DIFile(filename: "skipped.c", directory: "/src")
!15 = !DILocation(line: 1, column: 1, scope: !13)
!16 = distinct !DISubprogram(name: "artificial", file: !1, line: 9, type: !4, scopeLine: 9, spFlags: DISPFlagDefinition, unit: !0)
!17 = !DILocation(line: 0, scope: !16)
!18 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
