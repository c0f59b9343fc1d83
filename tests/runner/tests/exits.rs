//! How programs end: status, signal, core dump, and every byte that they leave must be those of the plain program,
//! under either engine, with findings and without a word lost of those that can be told.

use nonius_tests::program::Built;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
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
    ("null", "", Nothing),
    ("divide", "", Nothing),
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
    ("alarm-default", "", Nothing),
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

/// Runs twice: with the streams apart, and in one file.
fn run(built: &Built, program: &str, way: &str, redirections: &str, options: &str) -> Left {
    let run = |to: &str| {
        let script = format!("ulimit -c unlimited; exec -a prog ./{program} {way} {to} {redirections}");
        let mut command = built.command(Path::new("/bin/bash"), &["-c", &script]);
        let status = ended(&mut command.env("NONIUS_OPTIONS", options).spawn().expect("a shell"));
        let _ = std::fs::remove_file(built.path("core"));
        status
    };
    let read = |name: &str| {
        let bytes = std::fs::read(built.path(name)).ok();
        let _ = std::fs::remove_file(built.path(name));
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
    text.lines().filter(|line| line.contains("prog: ")).map(|line| format!("{line}\n")).collect()
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
    let filter = std::env::var("WAY").unwrap_or_default();
    let mut failures = Vec::new();
    for row in TABLE.iter().filter(|row| filter.is_empty() || row.0 == filter) {
        compare(&WAYS, row, &mut failures);
    }
    assert!(failures.is_empty(), "{}\n{} in all", failures.join("\n"), failures.len());
}
