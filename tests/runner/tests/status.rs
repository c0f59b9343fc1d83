//! `nonius run` ends as the program does, and says why silence is none.

use nonius_tests::program::Built;
use std::process::Output;

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int n, char **v) {
    volatile double big = 1e16, one = 1;
    double sum = big + one;
    if (strchr(v[1], 'f')) printf("%g\n", sum - big);
    if (strchr(v[1], '3')) return 3;
    if (strchr(v[1], 'a')) abort();
    return 0;
}
"#;

fn stderr(left: &Output) -> String {
    String::from_utf8_lossy(&left.stderr).into_owned()
}

#[test]
fn a_program_keeps_its_status() {
    let built = Built::new("cc", &["-O1"], "a.c", PROGRAM);
    for (flags, word, code) in [
        (&[][..], "-", 0),
        (&[], "f", 1),
        (&[], "f3", 3),
        (&[], "3", 3),
        (&[], "fa", 134),
        (&[], "a", 134),
        (&["--exitcode", "9"], "f", 9),
        (&["--exitcode=9"], "f3", 3),
        (&["--exitcode=9"], "-", 0),
        (&["--halt"], "f3", 1),
        (&["--halt", "--exitcode=9"], "f3", 9),
    ] {
        let left = built.nonius(&[&["run", "--confirm=0"], flags, &["./a", word]].concat());
        assert_eq!(left.status.code(), Some(code), "{flags:?} {word}: {}", stderr(&left));
        assert_eq!(
            stderr(&left).contains("error[precision-loss]"),
            word.contains('f'),
            "{flags:?} {word}: {}",
            stderr(&left)
        );
    }
}

#[test]
fn a_build_that_shadows_nothing_says_so() {
    const FLOATS: &str = "#include <stdio.h>\nint main(void) { volatile double x = 0.1; printf(\"%g\\n\", x / 3); }\n";
    const NONE: &str = "int main(void) { return 0; }\n";
    for (flags, source, words) in [
        (&["-ftrapping-math"][..], FLOATS, "nothing was shadowed: functions with strict floating point are left alone"),
        (&["-ffp-exception-behavior=strict"], FLOATS, "nothing was shadowed: functions with strict floating point"),
        (
            &["--nonius-skip-functions=main"],
            FLOATS,
            "nothing was shadowed: functions named by an option are left alone",
        ),
        (&[], NONE, "nothing was shadowed: no floating-point operation of code that Nonius compiled ran"),
    ] {
        let built = Built::new("cc", flags, "a.c", source);
        let left = built.nonius(&["run", "./a"]);
        assert_eq!(left.status.code(), Some(0), "{flags:?}: {}", stderr(&left));
        assert!(stderr(&left).contains(words), "{flags:?}: {}", stderr(&left));
        assert!(!stderr(&left).contains("clear"), "silence of no shadow is no clearance: {}", stderr(&left));
        let gated = built.nonius(&["run", "--min-coverage", "50", "./a"]);
        assert_eq!(gated.status.code(), Some(2), "{flags:?}: {}", stderr(&gated));
        assert!(stderr(&gated).contains("min_coverage asks for 50%"), "{flags:?}: {}", stderr(&gated));
        let checked = built.nonius(&[&["check", "a.c", "--min-coverage=50"], flags].concat());
        assert_eq!(checked.status.code(), Some(2), "{flags:?}: {}", stderr(&checked));
    }
    let built = Built::new("cc", &[], "a.c", FLOATS);
    assert_eq!(built.nonius(&["run", "--min-coverage=100", "./a"]).status.code(), Some(0));
}

#[test]
fn the_first_command_prints_an_id_that_can_be_explained() {
    let built = Built::new("cc", &[], "a.c", PROGRAM);
    let left = built.nonius(&["check", "a.c", "--", "f"]);
    assert_eq!(left.status.code(), Some(1), "{}", stderr(&left));
    let text = stderr(&left);
    let (_, rest) = text.split_once("'nonius explain ").unwrap_or_else(|| panic!("{text}"));
    let explained = built.nonius(&["explain", rest.split('\'').next().expect("an id")]);
    assert!(explained.status.success(), "{}", stderr(&explained));
    assert!(String::from_utf8_lossy(&explained.stdout).contains("Where the error came from"));
}
