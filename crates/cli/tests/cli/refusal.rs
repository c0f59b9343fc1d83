//! What cannot work ends with status 2 and a word on what to do, before clang starts.

use crate::home::{Folder, NONIUS, finish};

#[test]
fn refusals_say_what_to_do() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    for (line, reason, remedy) in [
        ("cc -static a.c", "-static cannot work", "Link without -static"),
        ("cc -no-pie a.c", "-no-pie cannot work", "Drop -no-pie"),
        ("cc -c -fno-pie a.c", "-fno-pie cannot work", "Drop -fno-pie"),
        ("cc -m32 -c a.c", "-m32 cannot work", "Drop -m32"),
        ("cc --target=aarch64-linux-gnu -c a.c", "target aarch64-linux-gnu", "Use plain clang"),
        ("cc -fsanitize=address a.c", "-fsanitize=address cannot work", "Build once with each"),
        ("cc -fsanitize=numerical a.c", "both shadow every", "Build once with each"),
        ("cc --nonius-typo a.c", "unknown option --nonius-typo", "--nonius-help"),
    ] {
        let left = folder.nonius(line);
        assert_eq!(left.code, Some(2), "{line}: {left:?}");
        assert!(left.stderr.starts_with("nonius: error: ") && left.stderr.lines().count() == 1, "{}", left.stderr);
        assert!(left.stderr.contains(reason) && left.stderr.contains(remedy), "{line}: {}", left.stderr);
    }
}

#[test]
fn undefined_behaviour_may_be_watched_at_the_same_time() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    let line = "cc -fsanitize=undefined a.c -o a";
    folder.nonius(line).silent(line);
    assert_eq!(finish(&mut folder.command("./a"), "").code, Some(0));
}

#[test]
fn a_missing_piece_is_named_with_its_remedy() {
    let folder = Folder::with(&[("a.c", "int x;\n")]);
    let empty = Folder::new();
    let mut command = folder.command(NONIUS);
    command.args(["cc", "-c", "a.c"]).env("NONIUS_HOME", empty.path(""));
    let left = finish(&mut command, "");
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("libnonius_pass.so") && left.stderr.contains("NONIUS_HOME"), "{}", left.stderr);
    // Questions need no piece.
    let mut command = folder.command(NONIUS);
    command.args(["cc", "--version"]).env("NONIUS_HOME", empty.path(""));
    assert_eq!(finish(&mut command, "").code, Some(0));
}

#[test]
fn another_clang_is_refused() {
    let folder = Folder::with(&[("a.c", "int x;\n"), ("old", "#!/bin/sh\necho 'clang version 14.0.6'\n")]);
    let mut chmod = folder.command("chmod");
    finish(chmod.args(["+x", "old"]), "").silent("chmod");
    let mut command = folder.command(NONIUS);
    command.args(["cc", "-c", "a.c"]).env("NONIUS_CLANG", folder.path("old"));
    let left = finish(&mut command, "");
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("is clang 14") && left.stderr.contains("apt-get install clang-22"), "{}", left.stderr);
}

#[test]
fn mistakes_in_the_command_line_end_with_status_2() {
    let folder = Folder::new();
    for line in [
        "",
        "bogus",
        "run",
        "check",
        "report",
        "explain abc",
        "run --digits=6",
        "run -x ./a",
        "report a.json --html --sarif",
    ] {
        let left = folder.nonius(line);
        assert_eq!(left.code, Some(2), "{line}: {left:?}");
        assert!(!left.stderr.is_empty(), "{line}");
    }
    for line in ["--help", "--version", "run --help", "check --help", "report --help"] {
        assert_eq!(folder.nonius(line).code, Some(0), "{line}");
    }
}
