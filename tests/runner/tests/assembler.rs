//! The system's assembler in place of clang's own: it must take all that instrumented code is made of, line tables included.

use nonius_tests::program::Built;

/// Code of other files by `#line`, as generators of parsers leave it.
const C: &str = r#"#include <math.h>
#include <stdio.h>
#line 40 "gram.y"
double f(double x) { return sqrt(x + 1) - sqrt(x); }
#line 7 "a.c"
static inline double g(double x) { return x * 0.3; }
int main(void) { volatile double x = 1e15; printf("%g %g\n", f(x), g(x)); return 0; }
"#;

/// Functions in groups of sections, exceptions, thread-local variables and constructors.
const CPP: &str = r#"#include <cstdio>
#include <stdexcept>
template <class T> struct Scaled { T a; T f(T b) { return a * b + (T)0.3; } };
inline double once(double x) { static double kept = x * 0.7; return kept * x; }
struct Base { virtual double m(double x) { return x * 0.3; } virtual ~Base() {} };
static Base base;
thread_local double last = 0.5;
double checked(double x) { if (x > 1) throw std::runtime_error("large"); return last = x / 3; }
int main() {
    volatile double x = 0.1;
    double sum = Scaled<double>{x}.f(x) + Scaled<float>{(float)x}.f(2) + once(x) + base.m(x) + checked(x);
    try { sum += checked(x + 1); } catch (const std::exception &) { sum += last; }
    std::printf("%.17g\n", sum);
}
"#;

#[test]
fn the_systems_assembler_takes_instrumented_code() {
    for flags in [&["-O0"][..], &["-O2"], &["-O2", "-gdwarf-4"], &["-O1", "-g1", "-ffunction-sections", "-gz"]] {
        let flags = [flags, &["-fno-integrated-as", "-lm"]].concat();
        let c = Built::new("cc", &flags, "a.c", C);
        let left = c.command(&c.path("a"), &[]).output().expect("the program runs");
        assert!(String::from_utf8_lossy(&left.stderr).contains("--> gram.y:40:"), "{flags:?}: {left:?}");
        let cpp = Built::new("c++", &flags, "a.cpp", CPP);
        let left = cpp.command(&cpp.path("a"), &[]).output().expect("the program runs");
        assert_eq!(left.status.code(), Some(0), "{flags:?}: {left:?}");
    }
}

/// Names that a line table has to quote, or that a shell would, and every form of debug information.
#[test]
fn names_and_forms_of_debug_information_are_taken() {
    let names =
        ["a b.c", "ü.c", "per%cent.c", "a$b.c", "b#c.c", "semi;colon.c", "back\\slash.c", "it's.c", "quo\"te.c"];
    let forms: [&[&str]; 9] = [
        &["-g0"],
        &["-g1"],
        &["-gline-tables-only", "-gdwarf-5"],
        &["-g", "-gdwarf-2"],
        &["-g", "-gdwarf-3"],
        &["-gsplit-dwarf", "-gdwarf-5"],
        &["-gsplit-dwarf=single", "-gdwarf-4"],
        &["-g", "-fdebug-types-section"],
        &["-g3", "-fdebug-macro", "-gno-column-info"],
    ];
    for (name, form) in names.iter().zip(forms) {
        let flags = [form, &["-O1", "-fno-integrated-as", "-lm"]].concat();
        let built = Built::new("cc", &flags, name, C);
        let left = built.command(&built.path("a"), &[]).output().expect("the program runs");
        assert_eq!(left.status.code(), Some(0), "{name} {flags:?}: {left:?}");
        assert!(String::from_utf8_lossy(&left.stderr).contains("error[precision-loss]"), "{name} {flags:?}: {left:?}");
    }
}
