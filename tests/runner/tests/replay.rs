//! Recorded runs, replayed without a compiler: their findings are fixed, and damage to them is told, not suffered.

use nonius_abi::ABI_VERSION;
use nonius_abi::event::Consumer;
use nonius_machine::{Options, engine};
use nonius_tests::replay::{RECORD, Recorded, all, replay, summary};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn recordings() -> Vec<(Recorded, Vec<u8>)> {
    let with_bytes = |recorded: Recorded| {
        let bytes = fs::read(recorded.events()).unwrap_or_else(|error| panic!("{}: {error}", recorded.name));
        (recorded, bytes)
    };
    let recorded: Vec<_> = all().expect("tests/replay").into_iter().map(with_bytes).collect();
    assert!(recorded.len() >= 6, "recordings are missing");
    recorded
}

fn nonius() -> PathBuf {
    tests_root().and_then(|root| nonius_binary(&root)).expect("a nonius that was built")
}

#[test]
fn recorded_runs_have_the_findings_that_they_had() {
    for (recorded, bytes) in recordings() {
        assert!(bytes.len() < 32 << 10, "{} is too large to keep: {} bytes", recorded.name, bytes.len());
        let expected = fs::read_to_string(recorded.expected()).expect("what is to be found");
        // More precision than is needed changes no verdict.
        for oracle in ["mpfr:256", "mpfr:512"] {
            let report = replay(&nonius(), &recorded.events(), oracle)
                .unwrap_or_else(|error| panic!("{}: {error}\nIf the format has changed: {RECORD}", recorded.name));
            let found = summary(&report);
            assert_eq!(found, expected, "{} under {oracle}; if this is meant to be: {RECORD}", recorded.name);
            assert!(report["notes"].as_array().is_none_or(Vec::is_empty), "{}: {report:#}", recorded.name);
        }
    }
}

/// Residues that one execution cannot have: MPFR's verdict after some more.
#[test]
fn residues_that_were_absorbed_are_found_by_executing_again() {
    let roots = all().expect("tests/replay").into_iter().find(|recorded| recorded.name == "roots").expect("roots");
    let under = |oracle| replay(&nonius(), &roots.events(), oracle).expect("a report");
    let expected = fs::read_to_string(roots.expected()).expect("what is to be found");
    assert_ne!(summary(&under("residue")), expected);
    let report = under("residue-override");
    assert_eq!(summary(&report), expected);
    let notes = report["notes"].to_string();
    assert!(notes.contains("residue override: ") && !notes.contains("raise reexecutions"), "{notes}");
}

/// Replays these bytes by the command.
fn replayed(bytes: &[u8]) -> (Output, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.events");
    fs::write(&file, bytes).expect("a file in the test's own folder");
    let left = Command::new(nonius()).arg("replay").arg(&file).env_remove("NONIUS_OPTIONS").output();
    let left = left.expect("nonius starts");
    let stderr = String::from_utf8_lossy(&left.stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{stderr}");
    (left, stderr)
}

#[test]
fn foreign_and_damaged_files_are_refused_in_words() {
    let recordings = recordings();
    let good = &recordings[0].1;
    let with = |at: usize, bytes: &[u8]| {
        let mut damaged = good.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        damaged
    };
    for (bytes, words) in [
        (Vec::new(), "this is no Nonius event file"),
        (b"\x7fELF and so on".to_vec(), "this is no Nonius event file"),
        (good[..11].to_vec(), "this is no Nonius event file"),
        (with(8, &(ABI_VERSION + 1).to_le_bytes()), "record them anew"),
        (with(12, &77u32.to_le_bytes()), "a section of unknown kind or size"),
        (with(16, &u32::MAX.to_le_bytes()), "a section of unknown kind or size"),
        (with(24, &u32::MAX.to_le_bytes()), "a module's parts do not fit"),
    ] {
        let (left, stderr) = replayed(&bytes);
        assert_eq!(left.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(words) && stderr.contains("a.events"), "{words}: {stderr}");
    }
}

#[test]
fn what_is_there_of_a_cut_file_counts() {
    for (recorded, bytes) in recordings() {
        let (left, stderr) = replayed(&bytes[..bytes.len() - 1]);
        assert_ne!(left.status.code(), Some(2), "{}: {stderr}", recorded.name);
        assert!(stderr.contains("the recording is not complete"), "{}: {stderr}", recorded.name);
    }
}

/// A generator of numbers that is the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// Under an oracle that costs little; the machine reads whatever the reader lets through.
#[test]
fn no_damage_makes_reader_or_machine_panic() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for (_, bytes) in recordings() {
        for _ in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..=numbers.below(4) {
                let at = numbers.below(damaged.len());
                damaged[at] = numbers.below(256) as u8;
            }
            if numbers.below(4) == 0 {
                damaged.truncate(numbers.below(damaged.len()));
            }
            let options = Options { most_bytes: 1 << 20, ..Options::default() };
            let mut machine = engine("residue".parse().expect("an oracle"), options);
            let consumer: &mut dyn Consumer = &mut *machine;
            if nonius_recording::read(&damaged[..], consumer).is_ok() {
                machine.analysis();
            }
        }
    }
}

#[test]
fn options_that_do_not_exist_are_refused() {
    let recorded = all().expect("tests/replay").into_iter().next().expect("a recording");
    let refused = |words: &[&str], environment: &str| {
        let mut command = Command::new(nonius());
        command.arg("replay").arg(recorded.events()).args(words).env("NONIUS_OPTIONS", environment);
        let left = command.output().expect("nonius starts");
        (left.status.code(), String::from_utf8_lossy(&left.stderr).into_owned())
    };
    let (status, said) = refused(&["--oracle=double-double", "--bogus=1"], "");
    assert!(status == Some(2) && said.contains("there is no option --bogus"), "{status:?} {said}");
    let (status, said) = refused(&["--machine-mb=1"], "");
    assert!(
        status == Some(2) && said.contains("did you mean --machine-mib"),
        "the nearest one is named: {status:?} {said}"
    );
    let (status, said) = refused(&["--machine-mib=lots"], "");
    assert!(status == Some(2) && said.contains("mebibytes"), "{status:?} {said}");
    let (status, said) = refused(&["--oracle=residue-override", "--reexecutions=0"], "");
    assert!(status == Some(2) && said.contains("1 or more"), "{status:?} {said}");
    let (status, said) = refused(&[], "stat=1");
    assert!(status == Some(2) && said.contains("NONIUS_OPTIONS") && said.contains("'stats'"), "{status:?} {said}");
    let (status, said) = refused(&[], "oracle=mpfr:300:stats=1");
    assert!(status != Some(2), "the precision belongs to the oracle: {status:?} {said}");
}
