//! Real gdb on real programs: it stops in the program's own frame, and shows values beside their ideals, in C, C++, Rust
//! and Fortran, without optimization and with it.

use nonius_tests::program::{Built, nonius};
use std::process::Command;

struct Language {
    compiler: &'static str,
    file: &'static str,
    source: &'static str,
    flags: [&'static [&'static str]; 2],
    /// The bad value in `show`, as gdb would be asked for it.
    element: &'static str,
    /// Its line: (-b + d) / 2.
    line: u32,
    /// The line of `show` that prints it.
    shown: u32,
    /// What `compute` is called there.
    compute: &'static str,
}

impl Language {
    fn stop(&self) -> String {
        format!("break {}:{}", self.file, self.shown)
    }
}

const C_LEVELS: [&[&str]; 2] = [&["-O0", "-lm"], &["-O2", "-lm"]];
const LANGUAGES: &[Language] = &[
    Language {
        compiler: "cc",
        file: "roots.c",
        source: include_str!("debugger/roots.c"),
        flags: C_LEVELS,
        element: "values[1]",
        line: 12,
        shown: 7,
        compute: "compute",
    },
    Language {
        compiler: "c++",
        file: "roots.cpp",
        source: include_str!("debugger/roots.cpp"),
        flags: C_LEVELS,
        element: "values[1]",
        line: 12,
        shown: 7,
        compute: "compute",
    },
    Language {
        compiler: "rustc",
        file: "roots.rs",
        source: include_str!("debugger/roots.rs"),
        flags: [&["-Copt-level=0"], &["-Copt-level=2"]],
        element: "(*values)[1]",
        line: 11,
        shown: 5,
        compute: "roots::compute",
    },
    Language {
        compiler: "fortran",
        file: "roots.f90",
        source: include_str!("debugger/roots.f90"),
        // Its own subroutines are inlined otherwise, and have no variables there.
        flags: [&["-O0"], &["-O2", "-mllvm", "-inline-threshold=-100000"]],
        element: "values(2)",
        line: 11,
        shown: 3,
        compute: "compute",
    },
];

fn each(test: impl Fn(&Language, &Built, &str)) {
    for language in LANGUAGES {
        for flags in language.flags {
            let built = Built::new(language.compiler, flags, language.file, language.source);
            test(language, &built, &format!("{} {flags:?}", language.file));
        }
    }
}

/// What gdb says to these commands. The library is trusted, so that its extension is loaded.
fn gdb(built: &Built, options: &str, commands: &[&str]) -> String {
    let folder = nonius().parent().expect("nonius lies in a folder").to_owned();
    let mut gdb = built.command("gdb".as_ref(), &["-q", "-nx", "-batch"]);
    gdb.arg("-iex").arg(format!("set auto-load safe-path {}", folder.display()));
    gdb.args(["-iex", "set debuginfod enabled off", "-iex", "set startup-with-shell off", "-iex", "set width 0"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    output(gdb.arg("./a").env("NONIUS_OPTIONS", options))
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("gdb starts: './x test' installs it");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The number that follows a word.
fn number_after(text: &str, word: &str) -> Option<f64> {
    let rest = text.split_once(word)?.1;
    rest.split([',', ' ', '>', '\n', ':']).next()?.parse().ok()
}

fn assert_ideal(text: &str, what: &str) {
    let ideal = number_after(text, "ideal ").unwrap_or_else(|| panic!("{what}: no ideal in {text}"));
    assert!((ideal + 1e-8).abs() < 1e-20, "{what}: {text}");
}

#[test]
fn it_stops_in_the_programs_frame_with_kind_place_and_id() {
    each(|language, built, what| {
        let text = gdb(built, "debug=1:quiet=1", &["run", "bt", "nonius why", "kill"]);
        let told =
            text.lines().find(|line| line.contains("nonius: stopped at ")).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(told.contains("[precision-loss]: ") && told.contains("lost in"), "{what}: {told}");
        assert!(told.contains(&format!("{}:{}", language.file, language.line)), "{what}: {told}");
        let id = told.rsplit("finding ").next().unwrap_or_default();
        assert!(id.len() == 12 && id.chars().all(|c| c.is_ascii_hexdigit()), "{what}: {told}");
        let frame = text.lines().find(|line| line.starts_with("#0 ")).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(frame.contains(language.compute) && frame.contains(language.file), "{what}: {frame}");
        assert!(!text.contains("libnonius_rt.so\n") && !text.contains("pthread_kill"), "{what}: {text}");
        let again = text.lines().filter(|line| line.contains(id)).count();
        assert_eq!(again, 2, "{what}: told on stderr, and by 'nonius why': {text}");
    });
}

#[test]
fn values_are_shown_beside_their_ideals() {
    each(|language, built, what| {
        let shadow = format!("nonius shadow {}", language.element);
        let text = gdb(built, "quiet=1", &[&language.stop(), "run", &shadow, "kill"]);
        let line =
            text.lines().find(|line| line.contains("relative error")).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(line.starts_with(&format!("{} = -7.45058", language.element)), "{what}: {line}");
        assert_ideal(line, what);
        assert!(line.ends_with("relative error 2.5e-01: 1 of 16 digits are right"), "{what}: {line}");
        let print = format!("print {}", language.element);
        let text = gdb(built, "quiet=1", &[&language.stop(), "run", &print, "kill"]);
        let line = text.lines().find(|line| line.starts_with("$1 = ")).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(line.contains(" <ideal "), "{what}: {line}");
        assert_ideal(line, what);
    });
}

#[test]
fn an_error_is_followed_to_its_operation() {
    each(|language, built, what| {
        let why = format!("nonius why {}", language.element);
        let text = gdb(built, "quiet=1", &[&language.stop(), "run", &why, "kill"]);
        let place = format!("{}:{}:", language.file, language.line);
        let line = text.lines().find(|line| line.contains("goes back to")).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(line.contains(&place), "{what}: {line}");
        assert!(text.contains("small = (-b + d) / 2"), "{what}: {text}");
    });
}

/// Without optimization everything lies in memory, with it much is in registers: neither is a reason to fail.
#[test]
fn locals_are_shown_as_far_as_they_are_in_memory() {
    each(|language, built, what| {
        let text = gdb(built, "debug=1:quiet=1", &["run", "nonius locals", "nonius shadow d", "kill"]);
        assert!(!text.contains("Python Exception") && !text.contains("Error occurred"), "{what}: {text}");
        if what.contains("0") && language.compiler != "fortran" {
            let line =
                text.lines().find(|line| line.starts_with("small = ")).unwrap_or_else(|| panic!("{what}: {text}"));
            assert_ideal(line, what);
        }
    });
}

#[test]
fn a_debugger_changes_nothing_of_the_program() {
    each(|_, built, what| {
        let plain = output(built.command(&built.path("a"), &[]).env("NONIUS_OPTIONS", "quiet=1"));
        let commands = ["run", "continue", "continue", "continue", "continue", "continue"];
        let text = gdb(built, "debug=1:quiet=1", &commands);
        assert!(text.contains("SIGTRAP") && text.contains("exited normally"), "{what}: {text}");
        assert!(text.contains(plain.trim()), "{what}: {plain} in {text}");
        // Under the event engine too.
        let text = gdb(built, "debug=1:quiet=1:oracle=mpfr:128", &commands);
        assert!(text.contains("SIGTRAP") && text.contains("exited normally"), "{what}: {text}");
        assert!(text.contains("stopped at ") && text.contains("[precision-loss]"), "{what}: {text}");
        assert!(text.contains(plain.trim()), "{what}: {plain} in {text}");
    });
}

#[test]
fn a_breakpoint_selects_the_programs_frame() {
    let language = &LANGUAGES[0];
    let built = Built::new(language.compiler, language.flags[1], language.file, language.source);
    let text = gdb(&built, "quiet=1", &["set breakpoint pending on", "break __nonius_break", "run", "frame", "kill"]);
    let last = text.lines().rfind(|line| line.starts_with('#')).unwrap_or_default();
    assert!(last.contains("compute") && last.contains("roots.c"), "{text}");
}

#[test]
fn what_has_no_shadow_is_told_in_words() {
    let language = &LANGUAGES[0];
    let built = Built::new(language.compiler, language.flags[0], language.file, language.source);
    let asked = [
        &*language.stop(),
        "run",
        "nonius shadow values[0]",
        "nonius shadow 1.5 + 2",
        "nonius why values[0]",
        "nonius shadow nowhere",
        "nonius shadow puts(\"called\")",
        "up",
        "nonius shadow result",
        "kill",
    ];
    let text = gdb(&built, "quiet=1", &asked);
    for words in [
        "values[0] = 1.0, no error is known",
        "No symbol \"nowhere\" in current context.",
        "result.values[1] = -7.4505805969238281e-09, ideal ",
        "result.values[2] = 3.0, no error is known",
        "result.narrow = 100000000",
    ] {
        let double = "-7.4505805969238281e-09";
        let words = words.replace(double, "-7.450580596923828e-09");
        assert!(text.contains(&words), "{words}: {text}");
    }
    assert!(!text.lines().any(|line| line == "called"), "no function of the program is called: {text}");
    assert!(!text.contains("Python Exception"), "{text}");
}

#[test]
fn a_stop_names_the_task() {
    let source = "#include <nonius.h>\n#include <math.h>\n#include <stdio.h>\n\
        int main(int argc, char **argv) {\n\
        double x = 1e15 * argc, d = 0;\n(void)argv;\n\
        NONIUS_TASK(\"the difference\") { d = sqrt(x + 1) - sqrt(x); printf(\"%g\\n\", d); }\n\
        return 0; }\n";
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "task.c", source);
        for oracle in ["", ":oracle=mpfr:128"] {
            let text = gdb(&built, &format!("debug=1:quiet=1{oracle}"), &["run", "nonius why", "kill"]);
            let told: Vec<_> = text.lines().filter(|line| line.contains(", in region 'the difference'; ")).collect();
            assert_eq!(told.len(), 2, "{level}{oracle}: told on stderr, and by 'nonius why': {text}");
            assert!(told[0].contains("[precision-loss]: "), "{level}{oracle}: {text}");
        }
    }
}
