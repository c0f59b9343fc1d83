//! How programs end: status, signal, core dump, and every byte that they leave must be those of the plain program,
//! under either engine, with findings and without a word lost of those that can be told.

use nonius_tests::program::Built;
use serde_json::Value;
use std::fs::Permissions;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const ENGINES: &[&str] = &["color=never", "oracle=mpfr:256", "oracle=residue:machine_mib=64", "record=events"];

static WAYS: LazyLock<Built> = LazyLock::new(|| {
    let built = Built::new("cc", &["-O1", "-lm", "-pthread"], "ways.c", include_str!("exits/ways.c"));
    plain(&built, "clang-22", &["-O1", "-g", "-o", "plain", "ways.c", "-lm", "-pthread"]);
    built
});

/// Builds the same program as `plain`.
fn plain(built: &Built, compiler: &str, words: &[&str]) {
    let left = built.command(compiler.as_ref(), words).output().expect("the compiler starts");
    assert!(left.status.success(), "{}", String::from_utf8_lossy(&left.stderr));
}

/// Where a way of ending is told.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// Findings are on stderr.
    Findings,
    /// The process ends where nobody can be told, or stderr is not there.
    Nothing,
}
use Told::{Findings, Nothing};

/// The way, what is done to the descriptors before, and what is to be read.
const TABLE: &[(&str, &str, Told)] = &[
    ("return", "", Findings),
    ("exit", "", Findings),
    ("_exit", "", Findings),
    ("_Exit", "", Findings),
    ("quick_exit", "", Findings),
    ("abort", "", Findings),
    ("assert", "", Findings),
    ("err", "", Findings),
    ("null", "", Findings),
    ("divide", "", Findings),
    ("raise-abrt", "", Findings),
    ("raise-segv", "", Findings),
    ("raise-term", "", Findings),
    ("raise-int", "", Findings),
    ("raise-fpe", "", Findings),
    ("kill-self", "", Findings),
    ("raise-handled", "", Findings),
    ("exit-in-handler", "", Findings),
    ("_exit-in-handler", "", Findings),
    ("alarm-exit", "", Findings),
    ("alarm-default", "", Findings),
    ("abort-jump", "", Findings),
    ("jump-altstack", "", Findings),
    ("exit-at-end", "", Findings),
    ("exit-in-thread", "", Findings),
    ("abort-in-thread", "", Findings),
    ("main-ends", "", Findings),
    ("exit-while-others-wait", "", Findings),
    ("exec", "", Findings),
    ("execv", "", Findings),
    ("exec-fails", "", Findings),
    ("system", "", Findings),
    ("spawn", "", Findings),
    ("vfork-exec", "", Findings),
    ("vfork-_exit", "", Findings),
    ("fork-exit", "", Findings),
    ("fork-abort", "", Findings),
    ("fork-_exit", "", Findings),
    ("fork-exec", "", Findings),
    ("close-1", "", Findings),
    ("close-2", "", Nothing),
    ("data-on-1", "", Findings),
    ("data-on-2", "", Nothing),
    ("data-on-2-abort", "", Nothing),
    ("reopen-stderr", "", Nothing),
    ("two-streams", "", Findings),
    ("open-data", "2>&-", Nothing),
    ("open-data", "1>&-", Findings),
    ("open-data", "0>&- 1>&- 2>&-", Nothing),
    ("return", "2>&-", Nothing),
    ("abort", "1>&-", Findings),
    ("return", "2>/dev/full", Nothing),
    ("cancel", "", Findings),
    ("cancel-print", "", Findings),
    ("cancel-add", "", Findings),
    ("cancel-quiet", "", Findings),
    ("cancel-sort", "", Findings),
    ("cancel-wait", "", Findings),
    ("cancel-disabled", "", Findings),
    ("cancel-self", "", Findings),
    ("cancel-deferred", "", Findings),
    ("fork-cancel", "", Findings),
];

/// What a run left.
#[derive(Debug, PartialEq)]
struct Left {
    status: (Option<i32>, Option<i32>, bool),
    stdout: String,
    stderr: String,
    /// Both in one file.
    both: String,
    data: Option<String>,
}

fn facts(status: ExitStatus) -> (Option<i32>, Option<i32>, bool) {
    (status.code(), status.signal(), status.core_dumped())
}

/// Waits for a process, but not for ever.
fn ended(child: &mut Child) -> ExitStatus {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if Instant::now() > until {
            child.kill().expect("a child");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs twice, in a folder of its own: with the streams apart, and in one file.
fn run(built: &Built, program: &str, way: &str, redirections: &str, options: &str) -> Left {
    let folder = tempfile::tempdir().expect("a folder");
    let program = built.path(program);
    let run = |to: &str| {
        let script = format!("ulimit -c unlimited; exec -a prog {} {way} {to} {redirections}", program.display());
        let mut command = built.command(Path::new("/bin/bash"), &["-c", &script]);
        command.current_dir(&folder).env_remove("RUST_BACKTRACE").env("NONIUS_OPTIONS", options);
        ended(&mut command.spawn().expect("a shell"))
    };
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).ok();
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let status = run(">stdout 2>stderr");
    let (stdout, stderr) = (read("stdout").unwrap_or_default(), read("stderr").unwrap_or_default());
    let again = run(">both 2>&1");
    assert_eq!(facts(status), facts(again), "{way}");
    Left { status: facts(status), stdout, stderr, both: read("both").unwrap_or_default(), data: read("data") }
}

/// The program's own lines.
fn own(text: &str) -> String {
    text.lines().filter(|line| line.starts_with("prog: ")).map(|line| format!("{line}\n")).collect()
}

fn compare(built: &Built, &(way, redirections, told): &(&str, &str, Told), failures: &mut Vec<String>) {
    let native = run(built, "plain", way, redirections, "");
    assert_ne!(native.status.0, Some(99), "{way} does not do what it says");
    for engine in ENGINES {
        let mut check = |what: &str, holds: bool, left: &Left| {
            if !holds {
                failures.push(format!("{way} {redirections} under {engine}: {what}\n{native:#?}\n{left:#?}"));
            }
        };
        let loud = run(built, "a", way, redirections, engine);
        check("status", loud.status == native.status, &loud);
        check("stdout", loud.stdout == native.stdout, &loud);
        check("data", loud.data == native.data, &loud);
        check("own lines", own(&loud.stderr) == own(&native.stderr), &loud);
        check("order", own(&loud.both) == own(&native.both), &loud);
        let is_told = loud.stderr.contains("error[precision-loss]");
        check("findings", is_told == (told == Findings && !engine.starts_with("record")), &loud);
        let quiet = run(built, "a", way, redirections, &format!("{engine}:quiet=1"));
        check("quiet", quiet.stderr == native.stderr, &quiet);
    }
}

#[test]
fn programs_end_as_they_would() {
    let mut failures = Vec::new();
    for row in TABLE {
        compare(&WAYS, row, &mut failures);
    }
    assert!(failures.is_empty(), "{}\n{} in all", failures.join("\n"), failures.len());
}

/// How often a finding on stderr is about this function's line.
fn times_told(stderr: &str, function: &str) -> usize {
    let source = include_str!("exits/ways.c");
    let line = source.lines().position(|line| line.contains(function)).expect("a function of the source") + 1;
    stderr.lines().filter(|told| told.contains("--> ") && told.contains(&format!("ways.c:{line}:"))).count()
}

/// What comes after a signal, and what a child finds itself, is told too, and everything once.
#[test]
fn findings_are_told_once_wherever_they_come() {
    let ways = ["raise-handled", "abort-jump", "jump-altstack", "fork-exit", "fork-abort", "fork-_exit", "main-ends"];
    for way in ways {
        for engine in &ENGINES[..3] {
            let left = run(&WAYS, "a", way, "", engine);
            assert_eq!(times_told(&left.stderr, "double lose("), 1, "{way} {engine}: {left:#?}");
            assert_eq!(times_told(&left.stderr, "double lose_more("), 1, "{way} {engine}: {left:#?}");
        }
    }
}

/// The ends of C++ and of Rust.
#[test]
fn other_languages_end_as_they_would() {
    let cpp = "#include <cmath>\n#include <cstdio>\n#include <stdexcept>\nvolatile double x = 1e15;\n\
        int main() { printf(\"prog: %g\\n\", std::sqrt(x + 1) - std::sqrt(x)); throw std::runtime_error(\"gone\"); }\n";
    let rust = "fn main() {\n    let x: f64 = std::hint::black_box(1e15);\n    \
        println!(\"prog: {:e}\", (x + 1.0).sqrt() - x.sqrt());\n    panic!(\"prog: gone {x}\");\n}\n";
    let unwinds = Built::new("c++", &["-O1"], "a.cc", cpp);
    plain(&unwinds, "clang++-22", &["-O1", "-o", "plain", "a.cc"]);
    let aborts = Built::new("rustc", &["-Cpanic=abort"], "a.rs", rust);
    plain(&aborts, "rustc", &["-Cpanic=abort", "-o", "plain", "a.rs"]);
    let mut failures = Vec::new();
    for built in [unwinds, aborts] {
        for engine in ENGINES {
            let (native, ours) = (run(&built, "plain", "", "", ""), run(&built, "a", "", "", engine));
            let same = native.status == ours.status && native.stdout == ours.stdout;
            let told = ours.stderr.contains("error[precision-loss]") || engine.starts_with("record");
            if !same || !told || ours.data.is_some() {
                failures.push(format!("{engine}: {native:#?}\n{ours:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A reader of stderr that has gone ends nothing, nor does a limit on the size of files.
#[test]
fn a_report_that_cannot_be_written_changes_nothing() {
    // The program's own line on stderr is left out: the report alone meets the pipe.
    let script = "{ sleep 0.3; ./a _exit; echo $? >status; } 2>&1 >/dev/null | true; sleep 0.6; cat status";
    let left = WAYS.command(Path::new("/bin/bash"), &["-c", script]).output().expect("a shell");
    assert_eq!(String::from_utf8_lossy(&left.stdout), "13\n");
    let script =
        "mkfifo pipe; { head -c 1 pipe >head & }; NONIUS_OPTIONS=record=pipe ./a alarm-exit 2>&1 >/dev/null; echo $?";
    let left = WAYS.command(Path::new("/bin/bash"), &["-c", script]).output().expect("a shell");
    assert!(String::from_utf8_lossy(&left.stdout).ends_with("\n21\n"), "{left:?}");
    for options in ["report=report.json", "log_path=log", "record=events", "oracle=residue:report=report.json"] {
        let script =
            format!("ulimit -f 1; NONIUS_OPTIONS={options}:max_findings=9 ./a return >/dev/null 2>&1; echo $?");
        let left = WAYS.command(Path::new("/bin/bash"), &["-c", &script]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&left.stdout), "11\n", "{options}");
    }
}

/// Links that somebody has put where a file is to be written are replaced, and lead nowhere.
#[test]
fn links_are_not_followed() {
    let built = Built::new("cc", &["-O1", "-lm", "-pthread"], "ways.c", include_str!("exits/ways.c"));
    std::fs::write(built.path("theirs"), "theirs\n").expect("a file");
    for option in ["report=link", "log_path=link", "record=link", "files=link", "oracle=residue:counter=link"] {
        let _ = std::fs::remove_file(built.path("link"));
        std::os::unix::fs::symlink("theirs", built.path("link")).expect("a link");
        let left = built.command(&built.path("a"), &["return"]).env("NONIUS_OPTIONS", option).output().expect("a run");
        assert_eq!(left.status.code(), Some(11), "{option}: {left:?}");
        assert_eq!(built.read("theirs"), "theirs\n", "{option}");
        assert!(built.path("link").metadata().expect("written").len() > 0, "{option}");
        assert!(!built.path("link").is_symlink(), "{option}");
    }
    let _ = std::fs::remove_file(built.path("link"));
    std::os::unix::fs::symlink("theirs", built.path("link")).expect("a link");
    built.nonius(&["run", "--report=link", "./a", "return"]);
    assert_eq!(built.read("theirs"), "theirs\n");
    assert!(built.read("link").contains("nonius-report"));
    // The kernel's own links are where they lead.
    let stream = built.command(&built.path("a"), &["return"]).env("NONIUS_OPTIONS", "report=/dev/stdout").output();
    assert!(String::from_utf8_lossy(&stream.expect("a run").stdout).contains("nonius-report"));
}

/// Signals come while events are handed on by other threads, and threads begin, end and fork: no event is lost, none comes
/// twice, and nobody waits for ever.
#[test]
fn signals_and_forks_neither_lose_nor_double_events() {
    let built = Built::new("cc", &["-O1", "-pthread"], "signals.c", include_str!("exits/signals.c"));
    for round in 0..20 {
        for engine in ["color=never", "oracle=residue", "oracle=mpfr:128", "record=events"] {
            let mut command = built.command(&built.path("a"), &["60"]);
            command.env("NONIUS_OPTIONS", format!("{engine}:report=report.json"));
            let mut child = command.stdout(Stdio::piped()).spawn().expect("a run");
            let status = ended(&mut child);
            let mut text = String::new();
            child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
            assert_eq!(facts(status), (Some(0), None, false), "{engine}, round {round}: {text}");
            let additions = text.lines().find_map(|line| line.strip_prefix("additions ")).expect("its number");
            let report: Value = serde_json::from_str(&built.read("report.json")).expect("JSON");
            if engine.starts_with("oracle") {
                let walked = report["summary"]["operations"].to_string();
                assert_eq!(walked, additions, "{engine}, round {round}: {report:#}");
            }
        }
    }
}

/// Threads that have ended take no memory.
#[test]
fn ended_threads_are_forgotten() {
    let source = "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/resource.h>\n\
        volatile double step = 0.1;\nstatic void *adds(void *to) {\n    double sum = 0;\n    \
        for (int i = 0; i < 10; i++) sum += step;\n    *(volatile double *)to = sum;\n    return 0;\n}\n\
        int main(int count, char **words) {\n    double sum;\n    pthread_t thread;\n    \
        for (int i = count > 1 ? atoi(words[1]) : 0; i > 0; i--) {\n        \
        pthread_create(&thread, 0, adds, &sum);\n        pthread_join(thread, 0);\n    }\n    \
        struct rusage usage;\n    getrusage(RUSAGE_SELF, &usage);\n    printf(\"%ld\\n\", usage.ru_maxrss);\n}\n";
    let built = Built::new("cc", &["-O1", "-pthread"], "threads.c", source);
    let kib = |threads: &str| -> i64 {
        let mut command = built.command(&built.path("a"), &[threads]);
        let left = command.env("NONIUS_OPTIONS", "oracle=mpfr:256").output().expect("a run");
        String::from_utf8_lossy(&left.stdout).trim().parse().expect("a number")
    };
    let (few, many) = (kib("200"), kib("10000"));
    assert!(many - few < 4096, "10,000 threads took {} KiB more than 200", many - few);
}

/// Options that ask to be told at once, and options that change while the program runs, reach both engines.
#[test]
fn halt_and_new_options_reach_both_engines() {
    let source = "#include <math.h>\n#include <nonius.h>\n#include <unistd.h>\nvolatile double x = 1e15, lost;\n\
        int main(int count, char **words) {\n    (void)words;\n    \
        if (count > 1) nonius_set_option(count > 2 ? \"halt=1\" : \"threshold=0.9\");\n    \
        for (int i = 1; i <= 40; i++) {\n        lost = sqrt(x + i) - sqrt(x);\n        if (write(1, \".\", 1) < 0) return 3;\n    }\n}\n";
    let include = nonius_tests::tools::tests_root().expect("the tests").join("../include");
    let include = format!("-I{}", include.display());
    let built = Built::new("cc", &["-O0", "-lm", &include], "halt.c", source);
    for engine in ["color=never", "oracle=mpfr:256", "oracle=residue"] {
        let run = |options: &str, words: &[&str]| {
            let mut command = built.command(&built.path("a"), words);
            let left = command.env("NONIUS_OPTIONS", format!("{engine}{options}")).output().expect("a run");
            let (stdout, stderr) = (left.stdout.len(), String::from_utf8_lossy(&left.stderr).into_owned());
            (left.status.code(), stdout, stderr)
        };
        let (status, steps, stderr) = run("", &[]);
        assert!(status == Some(0) && steps == 40 && stderr.contains("precision-loss"), "{engine}: {steps} {stderr}");
        for (options, words) in [(":halt=1", &[][..]), ("", &["now", "halt"]), (":halt=1:exitcode=7", &[])] {
            let (status, steps, stderr) = run(options, words);
            let expected = if options.contains('7') { 7 } else { 1 };
            assert!(status == Some(expected) && steps <= 1, "{engine}{options} {words:?}: {status:?}, {steps} steps");
            assert!(stderr.contains("precision-loss"), "{engine}{options}: {stderr}");
        }
        let (status, steps, stderr) = run("", &["now"]);
        assert!(status == Some(0) && steps == 40 && !stderr.contains("precision-loss"), "{engine}: {stderr}");
        let (status, _, stderr) = run(":debug=1", &[]);
        assert!(status == Some(0) && stderr.contains("debug=1 stops in a debugger"), "{engine}: {stderr}");
    }
}

/// A program with rights that its user has not shows none of the files that it can read, and writes none.
#[test]
fn privileged_programs_touch_no_files() {
    const OWNER: u32 = 12_345;
    const USER: u32 = 65_534;
    let source = format!(
        "{}\nconst char *__nonius_default_options(void) {{ return \"report=default.json\"; }}\n",
        include_str!("exits/ways.c")
    );
    let built = Built::new("cc", &["-O1", "-lm", "-pthread"], "ways.c", &source);
    let (program, folder) = (built.path("a"), built.folder.path());
    let mode = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("own file");
    let asks = "report=asked.json:record=events:log_path=log:files=files:oracle=mpfr:256";
    let plainly = built.command(&program, &["abort"]).env("NONIUS_OPTIONS", asks).output().expect("a run");
    assert!(plainly.status.signal() == Some(6) && built.path("log").exists() && built.path("events").exists());
    for made in ["asked.json", "events", "log", "files", "default.json"] {
        let _ = std::fs::remove_file(built.path(made));
    }
    let mut command = built.command(&program, &["return"]);
    // A user who is not root can give the program another of the own groups.
    if chown(&program, Some(OWNER), Some(OWNER)).is_ok() {
        mode(&program, 0o6755);
        mode(folder, 0o777);
        command.uid(USER).gid(USER);
    } else {
        let file = std::fs::metadata(&program).expect("a file");
        let groups = built.command(Path::new("/usr/bin/id"), &["-G"]).output().expect("id").stdout;
        let groups = String::from_utf8_lossy(&groups).into_owned();
        let other = groups.split_whitespace().filter_map(|g| g.parse().ok()).find(|g| *g != file.gid());
        chown(&program, None, Some(other.expect("to be root, or in two groups"))).expect("an own group");
        mode(&program, 0o2755);
    }
    let left = command.env("NONIUS_OPTIONS", asks).output().expect("a run");
    let stderr = String::from_utf8_lossy(&left.stderr);
    assert_eq!(left.status.code(), Some(11), "{stderr}");
    assert!(stderr.contains("error[precision-loss]") && stderr.contains("ways.c:"), "{stderr}");
    assert!(!stderr.contains("sqrt(x + by)") && !stderr.contains("printf("), "a line of the source: {stderr}");
    for made in ["asked.json", "events", "log", "files", "default.json"] {
        assert!(!built.path(made).exists(), "{made} was made");
    }
}
