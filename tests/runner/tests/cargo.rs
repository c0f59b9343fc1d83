//! `cargo nonius` on tests/crates/zoo: a workspace with a build script, a proc macro, a crate without std, a feature, unit
//! tests, integration tests and doctests.

use nonius_tests::report::Report;
use nonius_tests::tools::{nonius_binary, tests_root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Zoo {
    folder: PathBuf,
    target: tempfile::TempDir,
    wrapper: PathBuf,
}

impl Zoo {
    fn new() -> Self {
        let wrapper = nonius_binary(&tests_root().unwrap()).unwrap().with_file_name("cargo-nonius");
        Self { folder: tests_root().unwrap().join("crates/zoo"), target: tempfile::tempdir().unwrap(), wrapper }
    }

    fn nonius(&self, words: &[&str]) -> Output {
        assert!(self.wrapper.is_file(), "{} is missing: run './x build'", self.wrapper.display());
        let mut command = Command::new(&self.wrapper);
        command.arg("nonius").args(words).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", self.target.path()).env_remove("RUSTC_WRAPPER");
        command.env("NONIUS_OPTIONS", format!("report={}", self.report().display())).output().unwrap()
    }

    fn report(&self) -> PathBuf {
        self.target.path().join("report.json")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn tests_of_all_kinds_run_and_findings_name_them() {
    let zoo = Zoo::new();
    let output = zoo.nonius(&["test", "--features", "loud"]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    // Four unit tests, one from outside, one doctest.
    let passed: u32 =
        out.lines().filter_map(|l| l.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<u32>().ok()).sum();
    assert_eq!(passed, 6, "{out}{err}");
    let report = Report::read(&zoo.report()).unwrap();
    let places: Vec<_> = report.findings.iter().map(|f| (f.location.file_name(), f.location.line)).collect();
    assert_eq!(places, [("lib.rs", 7)], "{err}");
    assert!(err.contains("in tests ") && err.contains("'tests::differences_are_positive'"), "{err}");
    assert!(!zoo.target.path().join("debug").exists(), "an ordinary build's folder was touched");
}

#[test]
fn an_installation_may_lie_in_a_folder_with_spaces() {
    let mut zoo = Zoo::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path().join("where it lies");
    std::fs::create_dir(&folder).unwrap();
    for name in ["cargo-nonius", "nonius", "libnonius_pass.so", "libnonius_rt.so"] {
        std::fs::copy(zoo.wrapper.with_file_name(name), folder.join(name)).unwrap();
    }
    zoo.wrapper = folder.join("cargo-nonius");
    // Doctests too, which rustdoc compiles.
    let output = zoo.nonius(&["test", "--features", "loud"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(Report::read(&zoo.report()).unwrap().findings.len(), 1);
}

#[test]
fn a_release_with_lto_and_abort_runs_as_it_is() {
    let zoo = Zoo::new();
    let output = zoo.nonius(&["run", "--release", "--quiet"]);
    // Neither the build script's digits nor its probe are touched.
    assert_eq!(text(&output.stdout), "0.00000001862645149230957 0 false\n", "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    let report = Report::read(&zoo.report()).unwrap();
    assert_eq!(report.findings.iter().map(|f| f.observed_at.as_str()).collect::<Vec<_>>(), ["output"]);
    let skipped = zoo.nonius(&["run", "--release", "--quiet", "--nonius-skip-crates=zoo"]);
    assert_eq!((skipped.status.code(), skipped.stdout), (Some(0), output.stdout), "{}", text(&skipped.stderr));
}

#[test]
fn a_crate_without_the_standard_library_is_instrumented() {
    let zoo = Zoo::new();
    let output = zoo.nonius(&["test", "--package", "zoo-bare"]);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{}{err}", text(&output.stdout));
    let report = Report::read(&zoo.report()).unwrap();
    let places: Vec<_> = report.findings.iter().map(|f| (f.location.file_name(), f.location.line)).collect();
    assert_eq!(places, [("lib.rs", 7)], "{err}");
}

#[test]
fn the_c_that_a_build_script_compiles_for_the_crate_is_instrumented() {
    let native = Zoo { folder: tests_root().unwrap().join("crates/native"), ..Zoo::new() };
    let output = native.nonius(&["run", "--quiet"]);
    // The second number comes from C that was compiled for the build script, on the host.
    assert_eq!(text(&output.stdout), "0 0\n", "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = Report::read(&native.report()).unwrap();
    let places: Vec<_> = report.findings.iter().map(|f| (f.location.file_name(), f.location.line)).collect();
    assert_eq!(places, [("difference.c", 1)], "{}", text(&output.stderr));
}

#[test]
fn what_cannot_work_is_said() {
    let zoo = Zoo::new();
    let refused = |words: &[&str], part: &str| {
        let output = zoo.nonius(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(part), "{words:?}: {}", text(&output.stderr));
    };
    refused(&["build", "--target", "wasm32-unknown-unknown"], "target wasm32-unknown-unknown is not supported");
    refused(&["install"], "'cargo nonius install' is not one of its commands");
    refused(&["test", "--nonius-skip-crate=x"], "unknown option --nonius-skip-crate=x");
    refused(&["test", "--manifest-path", "/nowhere/Cargo.toml"], "cargo finds no crate here");
    let elsewhere = Zoo { folder: Path::new("/").to_owned(), ..Zoo::new() };
    assert!(text(&elsewhere.nonius(&["test"]).stderr).contains("Run this in the folder of a crate"));
}

const LIBRARY: &str = r#"
pub fn gap(x: f64) -> f64 { (x + 1.0).sqrt() - x.sqrt() }
#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    #[test] fn gaps_are_shown() { println!("{}", gap(black_box(1e15))); }
    #[test] fn sums_are_exact() { assert_eq!(black_box(1.0) + 1.0, 2.0); }
}
"#;

/// A crate of one file, in a folder that is removed.
fn small() -> (tempfile::TempDir, Zoo) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::create_dir(folder.path().join("src")).unwrap();
    std::fs::write(folder.path().join("src/lib.rs"), LIBRARY).unwrap();
    let zoo = Zoo { folder: folder.path().to_owned(), ..Zoo::new() };
    (folder, zoo)
}

/// Id, tests and verdict of the only finding.
fn only(zoo: &Zoo) -> (String, String, String) {
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(zoo.report()).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{report:#}");
    let finding = &findings[0];
    (finding["id"].to_string(), finding["tests"].to_string(), finding["confirmation"]["verdict"].to_string())
}

#[test]
fn findings_of_tests_are_confirmed_and_named_in_release_too() {
    let (folder, zoo) = small();
    let mut ids = Vec::new();
    // As cargo-nextest starts them, a process a test.
    for words in [&["test"][..], &["test", "--release"], &["nextest", "run"]] {
        let output = zoo.nonius(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {}{}", text(&output.stdout), text(&output.stderr));
        let (id, tests, verdict) = only(&zoo);
        assert_eq!((tests.as_str(), verdict.as_str()), (r#"["tests::gaps_are_shown"]"#, "\"confirmed\""), "{words:?}");
        ids.push(id);
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let nonius = zoo.wrapper.with_file_name("nonius");
    let baseline = folder.path().join("base");
    let made = Command::new(nonius).arg("baseline").args([&baseline, &zoo.report()]).output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    let known = zoo.nonius(&["test", "--baseline", baseline.to_str().unwrap(), "--confirm=0"]);
    assert_eq!(known.status.code(), Some(0), "{}", text(&known.stderr));
    assert!(text(&known.stderr).contains("0 findings, 1 in the baseline"), "{}", text(&known.stderr));
}
