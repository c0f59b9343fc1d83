//! Help, versions, completions and man pages.

use crate::home::Folder;
use std::fs;

#[test]
fn help_and_version_are_commands_too() {
    let folder = Folder::new();
    assert_eq!(folder.nonius("version"), folder.nonius("--version"));
    for (line, words) in [
        ("help", "nonius check a.c"),
        ("help run", "--min-coverage"),
        ("help check", "COMPILER OPTIONS"),
        ("help cc", "--nonius-only-functions=GLOB"),
        ("help replay", "--oracle"),
        ("run --help", "--machine-mib"),
        ("check --help", "--html[=<FILE>]"),
        ("check a.c --help", "--html[=<FILE>]"),
    ] {
        let left = folder.nonius(line);
        assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{line}");
        assert!(left.stdout.contains(words), "{line}: {}", left.stdout);
    }
    let short = folder.nonius("run -h").stdout;
    assert!(short.contains("--threshold") && !short.contains("--machine-mib"), "{short}");
}

#[test]
fn every_command_has_help() {
    let folder = Folder::new();
    let all = folder.nonius("help").stdout;
    let (_, list) = all.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names: Vec<&str> =
        lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect();
    for name in ["run", "check", "report", "view", "browse", "baseline", "suppress", "explain", "replay", "doctor"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    for name in names {
        let left = folder.nonius(&format!("help {name}"));
        assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(left.stdout.contains(&format!("Usage: nonius {name}")), "{name}: {}", left.stdout);
        // Compilers have a --help of their own.
        if !["cc", "c++", "fortran", "rustc"].contains(&name) {
            assert_eq!(folder.nonius(&format!("{name} --help")).stdout, left.stdout, "{name}");
        }
    }
    assert!(folder.nonius("help view").stdout.contains("--no-open"));
    assert!(folder.nonius("help browse").stdout.contains("in the terminal"));
    assert_eq!(folder.nonius("help veiw").code, Some(2));
}

#[test]
fn shells_complete_every_flag() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let left = folder.nonius(&format!("completions {shell}"));
        assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in ["min-coverage", "doctor", "sarif"] {
            assert!(left.stdout.contains(word), "{shell} lacks {word}");
        }
    }
}

#[test]
fn there_is_a_man_page_for_each_command() {
    let folder = Folder::new();
    folder.nonius("man pages").silent("man");
    for name in [
        "nonius",
        "nonius-run",
        "nonius-check",
        "nonius-cc",
        "nonius-c++",
        "nonius-view",
        "nonius-browse",
        "cargo-nonius",
    ] {
        let text = folder.read(&format!("pages/{name}.1"));
        assert!(text.contains(".TH ") && text.contains(".SH NAME"), "{name}");
    }
    assert!(folder.read("pages/nonius-run.1").contains("min\\-coverage"));
    assert!(fs::read_dir(folder.path("pages")).unwrap().count() > 10);
}
