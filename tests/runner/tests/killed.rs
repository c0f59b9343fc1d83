//! Programs that are killed: what was found is told, by the program's own handlers where it runs alone, by `nonius run` however
//! it ends; the way it ends stays the same, and nothing is left behind.

use nonius_tests::program::Built;
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static BUILT: LazyLock<Built> =
    LazyLock::new(|| Built::new("cc", &["-O1", "-lm", "-pthread"], "dies.c", include_str!("killed/dies.c")));

/// The lines of the two functions that lose digits.
fn line_of(function: &str) -> u64 {
    let source = include_str!("killed/dies.c");
    source.lines().position(|line| line.starts_with(&format!("double {function}("))).expect("a function") as u64 + 1
}

/// Lines of findings and of what is seen elsewhere of them, in a report.
fn lines(report: &Value) -> BTreeSet<u64> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["location"]["line"].as_u64().expect("a line")).collect()
}

fn run(words: &[&str]) -> Command {
    let mut all = vec!["run", "--report=report.json", "--color=never"];
    all.extend(words);
    let mut command = BUILT.command(&nonius_tests::program::nonius(), &all);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).env("NONIUS_OPTIONS", "");
    command
}

fn ended(child: Child) -> Output {
    child.wait_with_output().expect("an end")
}

/// Waits until the program has said that it is ready.
fn is_ready(child: &mut Child) {
    let mut byte = [0];
    std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut byte).expect("a word");
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().expect("kill").success());
}

fn report() -> Value {
    serde_json::from_str(&BUILT.read("report.json")).expect("JSON")
}

static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[test]
fn nonius_run_tells_what_was_found_however_the_program_ends() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let both = [line_of("lose"), line_of("lose_more")];
    // The way, the signal, the lines, and whether the program could tell itself.
    let table: &[(&str, i32, &[u64], bool)] = &[
        ("null", 11, &both[..1], true),
        ("overflow", 11, &both[..1], false),
        ("overflow-thread", 11, &both, false),
        ("abort", 6, &both[..1], true),
        ("kill-raw", 9, &both[..1], false),
        ("kill-after-more", 9, &both, false),
        ("kill-many", 9, &both[..1], false),
        ("region", 9, &both[..1], false),
    ];
    for (way, number, expected, is_told_by_itself) in table {
        let left = run(&["--confirm=0", "./a", way]).output().expect("a run");
        let text = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(left.status.code(), Some(128 + number), "{way}: {text}");
        let report = report();
        assert_eq!(lines(&report), expected.iter().copied().collect(), "{way}: {text}");
        let is_of_image = report["notes"].to_string().contains("ended before it could report");
        assert_eq!(is_of_image, !is_told_by_itself, "{way}: {text}");
        let first = &report["findings"][0];
        assert!(first["stack"][0]["function"].as_str().is_some_and(|f| !f.is_empty()), "{way}: {first:#}");
        assert!(first["worst"]["bits_lost"].as_f64().is_some_and(|bits| bits > 40.0), "{way}: {first:#}");
        assert_eq!(report["program"]["args"][0], *way, "{report:#}");
        if *way == "region" {
            assert_eq!(first["region"], "solve", "{first:#}");
        }
        assert!(report["summary"]["coverage"]["functions_run"].as_u64().is_some_and(|n| n > 0), "{way}: {report:#}");
    }
}

#[test]
fn children_that_are_killed_are_told_of() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for way in ["fork-kill", "exec-kill", "fork-fork-kill"] {
        let left = run(&["--confirm=0", "./a", way]).output().expect("a run");
        let text = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(left.status.code(), Some(1), "{way}: {text}");
        assert_eq!(lines(&report()), BTreeSet::from([line_of("lose"), line_of("lose_more")]), "{way}: {text}");
    }
}

/// Told to end, Nonius ends: with what was found, and without a second run.
#[test]
fn an_interrupted_run_is_reported_and_not_repeated() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for way in ["wait", "spin", "spin-threads"] {
        let mut child = run(&["./a", way]).spawn().expect("a run");
        is_ready(&mut child);
        signal(child.id(), "-TERM");
        let since = Instant::now();
        let left = ended(child);
        let text = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(left.status.code(), Some(128 + 15), "{way}: {text}");
        assert!(lines(&report()).contains(&line_of("lose")), "{way}: {text}");
        assert!(text.contains("not confirmed: Nonius was told to end"), "{way}: {text}");
        assert!(since.elapsed() < Duration::from_secs(50), "{way}: {:?}", since.elapsed());
    }
}

#[test]
fn a_run_that_takes_too_long_is_reported() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let left = run(&["--deadline=1", "./a", "spin"]).output().expect("a run");
    let text = String::from_utf8_lossy(&left.stderr).into_owned();
    assert!(lines(&report()).contains(&line_of("lose")), "{text}");
    assert!(text.contains("not confirmed: the time that deadline= sets was over"), "{text}");
}

/// The signals whose default action ends a program end it as before, and find it out nowhere.
#[test]
fn a_program_alone_tells_before_a_signal_ends_it() {
    for (name, number) in
        [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-QUIT", 3), ("-USR1", 10), ("-ALRM", 14), ("-SEGV", 11)]
    {
        for way in ["wait", "spin"] {
            let mut command = BUILT.command(&BUILT.path("a"), &[way]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).env("NONIUS_OPTIONS", "color=never");
            // Of a shell without job control, children ignore SIGINT and SIGQUIT; a handler must not change that.
            let mut child = command.spawn().expect("a run");
            is_ready(&mut child);
            signal(child.id(), name);
            let left = ended(child);
            let text = String::from_utf8_lossy(&left.stderr).into_owned();
            assert_eq!(left.status.signal(), Some(number), "{way} {name}: {text}");
            assert_eq!(text.matches("[precision-loss]").count(), 1, "{way} {name}: {text}");
        }
    }
}

/// Own handlers, ignored signals and what a program is told of its actions are those of the plain program.
#[test]
fn actions_of_the_program_stay_its_own() {
    let left = BUILT.command(&BUILT.path("a"), &["actions"]).output().expect("a run");
    assert_eq!(left.status.code(), Some(7), "{left:?}");
    let left = Command::new("bash")
        .args(["-c", "trap '' TERM; ./a ignores"])
        .current_dir(BUILT.path("a").parent().expect("a folder"))
        .output()
        .expect("a run");
    assert_eq!(left.status.code(), Some(8), "{left:?}");
}

fn shared_memory() -> BTreeSet<String> {
    let names =
        std::fs::read_dir("/dev/shm").map(|all| all.flatten().map(|e| e.file_name().to_string_lossy().into_owned()));
    names.map(Iterator::collect).unwrap_or_default()
}

/// Whether a process maps or holds memory of an image.
fn holds_image(pid: u32) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    maps.contains("memfd:nonius")
}

/// Nonius itself is killed: the program goes on, and with its end the memory is gone.
#[test]
fn nothing_is_left_when_nonius_is_killed() {
    let before = shared_memory();
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = run(&["--confirm=0", "./a", "wait-a-moment"]);
    command.env("TMPDIR", folder.path());
    let mut child = command.spawn().expect("a run");
    is_ready(&mut child);
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).expect("children");
    let program: u32 = children.split_whitespace().next().expect("the program").parse().expect("a number");
    assert!(holds_image(program));
    signal(child.id(), "-KILL");
    ended(child);
    let until = Instant::now() + Duration::from_secs(30);
    while Path::new(&format!("/proc/{program}/exe")).exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!Path::new(&format!("/proc/{program}/exe")).exists(), "the program has ended by itself");
    assert!(shared_memory().is_subset(&before), "{:?}", shared_memory());
}

/// Without shared memory the program runs as always, and a line says what is lost.
#[test]
fn without_shared_memory_a_line_says_so() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let nonius = nonius_tests::program::nonius();
    let script = format!("ulimit -f 100000; exec '{}' run --confirm=0 --report=report.json ./a null", nonius.display());
    let left = BUILT.command(Path::new("/bin/bash"), &["-c", &script]).output().expect("a run");
    let text = String::from_utf8_lossy(&left.stderr).into_owned();
    assert!(text.contains("findings are lost if the program is killed: no shared memory: "), "{text}");
    assert_eq!(left.status.code(), Some(139), "{text}");
    assert_eq!(lines(&report()), BTreeSet::from([line_of("lose")]), "{text}");
}
