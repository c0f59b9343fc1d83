//! Doubles that a program keeps as floats, as a cache does: what the conversion took is on purpose, what float arithmetic
//! took is not. A plain run does not see through memory; those that follow each operation do.

use nonius_tests::program::Built;

/// Kept as floats, or computed as floats (`float`), and then taken from one another.
fn source(computed_in: &str) -> String {
    format!(
        r#"
#include <stdio.h>
static volatile {computed_in} a = 1.23456789012345, b = 1.23456700000001, c = 3.1;
static float cache[2];
double kept;
__attribute__((noinline)) void fill(void) {{
    cache[0] = (float)(a * c);
    cache[1] = (float)(b * c);
}}
__attribute__((noinline)) void use(void) {{ kept = (double)cache[0] - (double)cache[1]; }}
int main(void) {{
    fill();
    use();
    puts("done");
}}
"#
    )
}

#[test]
fn what_a_cache_of_floats_takes_is_on_purpose() {
    for level in ["-O0", "-O2"] {
        for (computed_in, class) in [("double", Some("on-purpose")), ("float", None)] {
            let program = Built::new("cc", &["-g", level], "cache.c", &source(computed_in));
            for flag in ["--oracle=double-double", "--oracle=mpfr:256", "--confirm=mpfr:256"] {
                let (text, report) = program.run(&[flag], &[]);
                let findings = report["findings"].as_array().unwrap();
                let place = format!("{level} {computed_in} {flag}\n{text}");
                assert_eq!(findings.len(), 1, "{place}");
                let finding = &findings[0];
                assert_eq!(finding["kind"], "precision-loss", "{place}");
                assert_eq!(finding["location"]["line"], 10, "{place}");
                let bits = finding["worst"]["bits_lost"].as_f64().unwrap();
                assert!((40.0..53.0).contains(&bits), "{bits} of 53 bits, of which floats have 24: {place}");
                assert_eq!(finding["class"].as_str(), class, "{place}");
            }
        }
    }
}
