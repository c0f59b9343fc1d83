//! Options as everywhere: values in one word or two, mistakes told once, with what may have been meant.

use crate::home::{Folder, Left, NONIUS, finish};
use crate::report::write_report;

/// A program that says what it was given, and a report of it.
fn prepared() -> Folder {
    let source = "#include <stdio.h>\nint main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); }\n";
    let folder = Folder::with(&[("a.c", source)]);
    folder.nonius("cc a.c -o a").silent("a.c");
    write_report(&folder, "found.json", 2);
    folder
}

fn run(folder: &Folder, line: &str) -> Left {
    let mut command = folder.command(NONIUS);
    finish(command.args(line.split_whitespace()).env("STANDIN_REPORT", folder.path("found.json")), "")
}

#[test]
fn a_mistake_is_told_once_with_what_may_be_meant() {
    let folder = prepared();
    for (line, words) in [
        ("run --thresold=1e-3 ./a", "there is no option --thresold: did you mean --threshold?"),
        ("run --repport r.json ./a", "did you mean --report?"),
        ("run --htlm ./a", "did you mean --html?"),
        ("run --threshold ./a", "--threshold ./a: expected a relative error (1e-6"),
        ("run --threshold", "--threshold needs a value: --threshold ERROR"),
        ("run --report --verbose ./a", "--report needs a value: --report FILE"),
        ("run --open=yes ./a", "--open takes no value"),
        ("run --max-findings=many ./a", "--max-findings many: expected a number"),
        ("run -v ./a", "there is no option -v"),
        ("run --confirm=magic ./a", "--confirm: "),
        ("run ./missing", "cannot run ./missing: No such file or directory"),
        ("replay --oracel=mpfr a.events", "did you mean --oracle?"),
        ("replay --confirm=0 a.events", "there is no option --confirm"),
        ("replay missing.events", "missing.events"),
        ("check a.c --threshold 7.5.3", "--threshold 7.5.3: expected"),
        ("cc --nonius-skip-function=f a.c", "did you mean --nonius-skip-functions?"),
    ] {
        let left = run(&folder, line);
        assert_eq!((left.code, left.stdout.as_str()), (Some(2), ""), "{line}: {}", left.stderr);
        assert!(left.stderr.starts_with("nonius: error: ") && left.stderr.contains(words), "{line}: {}", left.stderr);
        assert_eq!(left.stderr.lines().count(), 1, "{line}: {}", left.stderr);
        let (_, tail) = left.stderr.trim_end().rsplit_once(": ").unwrap();
        assert_eq!(left.stderr.matches(tail).count(), 1, "{line} says it twice: {}", left.stderr);
    }
}

#[test]
fn wrong_options_in_the_environment_are_told_before_the_program_starts() {
    let folder = prepared();
    let mut command = folder.command(NONIUS);
    let left = finish(command.args(["run", "./a", "started"]).env("NONIUS_OPTIONS", "halt=maybe"), "");
    assert_eq!((left.code, left.stdout.as_str()), (Some(2), ""));
    assert_eq!(left.stderr, "nonius: error: NONIUS_OPTIONS: 'halt=maybe': expected 0 or 1\n");
}

#[test]
fn every_command_refuses_what_it_does_not_know() {
    let folder = prepared();
    for (line, words) in [
        ("report --htm", "--html"),
        ("explain abc --dott", "--dot"),
        ("doctor --al", "--al"),
        ("chek a.c", "check"),
        ("completions bsh", "bash"),
        ("view --no-opn", "--no-open"),
        ("view --port", "a value is required for '--port <N>'"),
        ("view --port=x", "invalid value 'x' for '--port <N>'"),
        ("view missing.json", "cannot read report missing.json"),
        ("browse --al", "--al"),
        ("browse found.json", "nonius browse needs a terminal"),
        ("baseline f --updat", "--update"),
        ("suppress abc --reson x", "--reason"),
        ("suppress abc", "--reason <WHY>"),
        ("report found.json --output", "a value is required for '--output <OUT>'"),
        ("report found.json --annotate gitlab", "github"),
        ("version --x", "--x"),
    ] {
        let left = folder.nonius(line);
        assert_eq!(left.code, Some(2), "{line}");
        assert!(left.stderr.contains(words), "{line}: {}", left.stderr);
    }
    let left = folder.nonius("check a.c --thresold=3");
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("went to the compiler: did you mean --threshold?"), "{}", left.stderr);
}

#[test]
fn the_programs_own_flags_are_its_own() {
    let folder = prepared();
    let left = run(&folder, "run --quiet ./a --report x --help -v --");
    assert_eq!((left.code, left.stdout.as_str()), (Some(1), "--report\nx\n--help\n-v\n--\n"));
}

#[test]
fn reports_come_in_every_form_at_once() {
    let folder = prepared();
    for line in ["run --html --sarif=s.json --report r.json ./a", "check a.c --html --sarif=s.json --report r.json"] {
        let left = run(&folder, line);
        assert_eq!(left.code, Some(1), "{line}: {}", left.stderr);
        assert!(folder.read("nonius.html").contains("<html"), "{line}");
        assert!(folder.read("s.json").contains("\"runs\""), "{line}");
        assert!(folder.read("r.json").contains("nonius-report"), "{line}");
        for name in ["nonius.html", "s.json", "r.json"] {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
    assert_eq!(run(&folder, "run --html=no/such/folder.html ./a").code, Some(2));
}

#[test]
fn a_page_is_opened_in_the_browser_or_its_place_is_told() {
    let folder = prepared();
    let left = run(&folder, "run --open ./a");
    assert!(left.stderr.contains("there is no browser here") && left.stderr.contains(".html"), "{}", left.stderr);
    std::fs::write(folder.path("show"), "#!/bin/sh\ncp \"$1\" shown.html.new && mv shown.html.new shown.html\n")
        .unwrap();
    finish(folder.command("chmod").args(["+x", "show"]), "").silent("chmod");
    let mut command = folder.command(NONIUS);
    let left = finish(command.args(["report", "found.json", "--open"]).env("BROWSER", "./missing:./show"), "");
    assert_eq!(left.code, Some(0), "{}", left.stderr);
    // The browser goes on by itself.
    let is_shown = || folder.path("shown.html").exists();
    (0..600).take_while(|_| !is_shown()).for_each(|_| std::thread::sleep(std::time::Duration::from_millis(50)));
    assert!(folder.read("shown.html").contains("<html"));
}
