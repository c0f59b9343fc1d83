//! The machine beside the program: the same reports as in its own threads, and nothing lost however the program ends.

use nonius_tests::program::Built;
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const SOURCE: &str = include_str!("beside/ends.c");

fn built() -> Built {
    Built::new("cc", &["-O1", "-lm", "-pthread"], "ends.c", SOURCE)
}

static SHARED: LazyLock<Built> = LazyLock::new(built);

fn line_of(function: &str) -> u64 {
    let is_it = |line: &str| line.contains(&format!("double {function}("));
    SOURCE.lines().position(is_it).expect("a function") as u64 + 1
}

fn lines(report: &Value) -> BTreeSet<u64> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["location"]["line"].as_u64().expect("a line")).collect()
}

/// Runs the program by itself.
fn alone(built: &Built, way: &str, options: &str) -> Output {
    let mut command = built.command(&built.path("a"), &[way]);
    command
        .env("NONIUS_OPTIONS", format!("color=never:oracle=mpfr:128:machine_process=1:{options}"))
        .output()
        .expect("a run")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Processes of a program that are there, and more than a number that nobody has asked for.
fn processes(program: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program)).collect()
}

fn machine_of(program: &Path) -> Option<u32> {
    let is_machine = |pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim_end() == "nonius-machine")
    };
    processes(program).into_iter().find(is_machine)
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(pid: u32, how: &str) {
    assert!(Command::new("kill").args([how, &pid.to_string()]).status().expect("kill").success());
}

/// A report without what differs from run to run.
fn comparable(built: &Built, name: &str) -> String {
    let mut report: Value = serde_json::from_str(&built.read(name)).expect("JSON");
    report["program"]["pid"] = Value::Null;
    serde_json::to_string_pretty(&report).expect("JSON")
}

fn same_reports(built: &Built, ways: &[&str], oracles: &[&str]) {
    for way in ways {
        for oracle in oracles {
            let run = |process: u32| {
                let mut command = built.command(&built.path("a"), &[way]);
                let options = format!("color=never:oracle={oracle}:machine_process={process}:report=r{process}.json");
                command.env("NONIUS_OPTIONS", options).output().expect("a run")
            };
            let (inside, beside) = (run(0), run(1));
            assert_eq!(beside.status, inside.status, "{way} {oracle}");
            assert_eq!(beside.stdout, inside.stdout, "{way} {oracle}");
            let named = |output: &Output| text(output).replace("r0.json", "r1.json");
            assert_eq!(named(&beside), named(&inside), "{way} {oracle}");
            assert_eq!(comparable(built, "r1.json"), comparable(built, "r0.json"), "{way} {oracle}");
        }
    }
}

#[test]
fn reports_are_those_of_the_programs_own_threads() {
    let built = built();
    let ways = ["", "threads", "exec", "ask", "null", "long"];
    same_reports(&built, &ways, &["mpfr:128", "double-double", "residue", "auto"]);
    let report: Value = serde_json::from_str(&built.read("r1.json")).expect("JSON");
    assert_eq!(lines(&report), BTreeSet::from([line_of("lose")]), "the stable twin is silent");
}

#[test]
fn reports_are_the_same_in_other_languages() {
    let cpp = "#include <cmath>\n#include <cstdio>\n#include <stdexcept>\n#include <vector>\n\
        double lose(double x) { if (x < 0) throw std::runtime_error(\"x\"); return std::sqrt(x + 1) - std::sqrt(x); }\n\
        int main() { std::vector<double> all; for (int i = 0; i < 100; i++) try { all.push_back(lose(i % 7 ? 1e14 + i : -1)); }\n\
        catch (const std::exception &) { all.push_back(0); } double s = 0; for (double x : all) s += x; std::printf(\"%g\\n\", s); }\n";
    same_reports(&Built::new("c++", &["-O1"], "a.cpp", cpp), &[""], &["mpfr:128", "double-double"]);
    let fortran = "program a\n  real(8) :: x\n  x = 1d14\n  x = sqrt(x + 1) - sqrt(x)\n  print *, x\nend program\n";
    same_reports(&Built::new("fortran", &["-O1"], "a.f90", fortran), &[""], &["mpfr:128"]);
    let rust = "fn lose(x: f64) -> f64 { (x + 1.0).sqrt() - x.sqrt() }\nfn main() {\n    let x = std::hint::black_box(1e14);\n    \
        let t = std::thread::spawn(move || lose(x));\n    println!(\"{}\", t.join().unwrap());\n}\n";
    same_reports(&Built::new("rustc", &["-O"], "a.rs", rust), &[""], &["mpfr:128"]);
}

/// Of threads at the same time the order differs from run to run; what is found does not.
#[test]
fn threads_at_once_and_forked_processes_are_followed() {
    for process in [0, 1] {
        let left = alone(&SHARED, "at-once", &format!("machine_process={process}"));
        assert!(left.status.success() && text(&left).matches("[precision-loss]").count() == 1, "{}", text(&left));
        let left = alone(&SHARED, "fork", &format!("machine_process={process}"));
        let (said, printed) = (text(&left), String::from_utf8_lossy(&left.stdout).into_owned());
        assert_eq!(said.matches("[precision-loss]").count(), 2, "{said}");
        for function in ["lose", "lose_more"] {
            assert!(said.contains(&format!("ends.c:{}:", line_of(function))), "{function}: {said}");
        }
        assert!(printed.ends_with("1 0 1\n"), "a child that it has forked, and no other: {printed}");
    }
}

#[test]
fn a_killed_program_is_reported_by_its_machine() {
    for (way, expected) in [("kill", vec!["lose"]), ("fork-kill", vec!["lose", "lose_more"])] {
        let left = SHARED.nonius(&["run", "--report=k.json", "--oracle=mpfr:128", "--machine-process", "./a", way]);
        let report: Value = serde_json::from_str(&SHARED.read("k.json")).expect("JSON");
        let expected: BTreeSet<u64> = expected.into_iter().map(line_of).collect();
        assert_eq!(lines(&report), expected, "{way}: {}", text(&left));
        let notes = report["notes"].to_string();
        assert!(notes.contains("handed to the machine beside it"), "{way}: {notes}");
    }
    // By itself: the report follows the program's end.
    let left = alone(&SHARED, "kill", "");
    assert_eq!(left.status.signal(), Some(9));
    assert_eq!(text(&left).matches("[precision-loss]").count(), 1, "{}", text(&left));
    let before = alone(&SHARED, "kill", "machine_process=0");
    assert_eq!(text(&before), "", "in its own threads nobody is left to tell");
}

#[test]
fn a_program_that_never_ends_is_reported_when_it_is_ended() {
    let built = built();
    for how in ["-KILL", "-TERM", "-SEGV"] {
        let mut command = built.command(&built.path("a"), &["spin"]);
        command
            .env("NONIUS_OPTIONS", "color=never:oracle=mpfr:128:machine_process=1")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().expect("a run");
        until("a machine", || machine_of(&built.path("a")).is_some());
        std::thread::sleep(Duration::from_millis(300));
        kill(child.id(), how);
        let left = child.wait_with_output().expect("an end");
        assert!(left.status.signal().is_some() && text(&left).contains("[precision-loss]"), "{how}: {}", text(&left));
        until("nobody is left", || processes(&built.path("a")).is_empty());
    }
}

#[test]
fn a_machine_that_is_killed_is_missed_and_no_more() {
    let built = built();
    let mut command = built.command(&built.path("a"), &["long"]);
    command
        .env("NONIUS_OPTIONS", "oracle=mpfr:128:machine_process=1:report=m.json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("a run");
    until("a machine", || machine_of(&built.path("a")).is_some());
    std::thread::sleep(Duration::from_millis(50));
    kill(machine_of(&built.path("a")).expect("a machine"), "-KILL");
    let left = child.wait_with_output().expect("an end");
    assert!(left.status.success(), "{:?}", left.status);
    assert!(String::from_utf8_lossy(&left.stdout).ends_with("15.4913\n"), "{left:?}");
    let report: Value = serde_json::from_str(&built.read("m.json")).expect("JSON");
    assert!(
        report["stopped"].as_str().is_some_and(|why| why.contains("with the process that it was made in")),
        "{report:#}"
    );
    assert!(text(&left).contains("what it had found is lost"), "{}", text(&left));
}

/// A user who may start no more processes, even if this one is root.
fn without_processes(built: &Built) -> Output {
    use std::os::unix::fs::PermissionsExt;
    let folder: PathBuf = built.folder.path().to_owned();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("the test's own folder");
    let script = "ulimit -u 0; exec ./a";
    let mut command = built.command(Path::new("/bin/sh"), &["-c", "test $(id -u) = 0"]);
    let is_root = command.status().expect("a shell").success();
    let mut command = match is_root {
        true => built.command(Path::new("setpriv"), &["--reuid=65534", "--clear-groups", "bash", "-c", script]),
        false => built.command(Path::new("bash"), &["-c", script]),
    };
    command.env("NONIUS_OPTIONS", "color=never:oracle=mpfr:128:machine_process=1").output().expect("a run")
}

#[test]
fn without_a_process_a_line_says_so() {
    let left = without_processes(&built());
    let said = text(&left);
    assert!(left.status.success(), "{said}");
    assert!(
        said.contains("note: the analysis ran in the program's own threads") && said.contains("no process"),
        "{said}"
    );
    assert_eq!(said.matches("[precision-loss]").count(), 1, "{said}");
}

/// Many short runs, some killed wherever they are: none hangs, and nobody is left. `NONIUS_ROUNDS` of them, 200 if that is
/// not set.
#[test]
fn no_run_hangs_and_nobody_is_left() {
    let built = built();
    let rounds: u64 = std::env::var("NONIUS_ROUNDS").map_or(200, |rounds| rounds.parse().expect("a number of rounds"));
    for round in 0..rounds {
        let way = ["", "threads", "fork", "exec", "at-once", "fork-kill", "kill", "null"][round as usize % 8];
        let mut command = built.command(&built.path("a"), &[way]);
        command
            .env("NONIUS_OPTIONS", "oracle=double-double:quiet=1:machine_process=1")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("a run");
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_micros(round * 97 % 6000));
            let _ = child.kill();
        }
        until("an end", || child.try_wait().expect("a status").is_some());
    }
    until("nobody is left", || processes(&built.path("a")).is_empty());
}
