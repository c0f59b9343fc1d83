//! Classes that a second run finds evidence for, and what is shown of them. The others are in `clean/classes` and
//! `fire/classes`.

use nonius_tests::program::Built;
use serde_json::Value;

/// The error of a value that was kept as a float, and that of one from which a large number was taken away again. Both are
/// of the same size in the difference that is stored, or printed.
const SOURCE: &str = r#"
#include <stdio.h>
#include <string.h>
static volatile double k = 1.23456789, scale = 1, large = 1e8;
float cache;
double kept;
__attribute__((noinline)) void narrows(void) { cache = (float)(k * scale); }
__attribute__((noinline)) void from_float(void) { kept = cache - k * 0.99999998; }
__attribute__((noinline)) void absorbs(void) { kept = ((k + large) - large) - k * 0.99999998; }
int main(int count, char **words) {
    if (strchr(words[1], 'n')) { narrows(); from_float(); }
    if (strchr(words[1], 'a')) absorbs();
    if (strchr(words[1], 'p')) printf("%g\n", kept);
    else printf("%g\n", k);
    return 0;
}
"#;

fn classes(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|f| f["class"].as_str().unwrap_or("none").to_owned()).collect()
}

#[test]
fn a_deliberate_narrowing_is_on_purpose_unless_it_is_printed() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level], "a.c", SOURCE);
        let (text, report) = built.run(&[], &["n"]);
        assert_eq!(classes(&report), ["on-purpose"], "{level}: {text}");
        assert!(text.contains("1 on purpose folded; all=1 shows it"), "{level}: {text}");
        assert!(!text.contains("[precision-loss]"), "{level}: {text}");
        assert!(text.contains("nonius: folded: ") && text.contains(" at a.c:"), "a run that fails says why: {text}");
        let (text, _) = built.run(&["--all"], &["n"]);
        assert!(text.contains("warning[precision-loss]") && text.contains("on purpose, by what"), "{level}: {text}");
        let (text, report) = built.run(&[], &["np"]);
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{level}: {text}");
        assert!(text.contains("error[precision-loss]"), "what is printed is shown: {level}: {text}");
    }
}

#[test]
fn the_same_error_of_an_absorption_has_no_class() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level], "a.c", SOURCE);
        let (text, report) = built.run(&[], &["a"]);
        assert_eq!(classes(&report), ["none"], "{level}: {text}");
        assert!(text.contains("[precision-loss]"), "{level}: {text}");
    }
}
