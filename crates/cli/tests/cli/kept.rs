//! The last report is kept: `nonius explain` and `nonius report` need no file.

use crate::home::{Folder, Left, NONIUS, finish};
use crate::report::write_report;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

fn prepared() -> Folder {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    folder.nonius("cc a.c -o a").silent("a.c");
    write_report(&folder, "found.json", 2);
    folder
}

fn run(folder: &Folder, line: &str) -> Left {
    let mut command = folder.command(NONIUS);
    finish(command.args(line.split_whitespace()).env("STANDIN_REPORT", folder.path("found.json")), "")
}

/// The id that the text tells to explain.
fn id(left: &Left) -> String {
    let (_, rest) = left.stderr.split_once("'nonius explain ").unwrap_or_else(|| panic!("{}", left.stderr));
    rest.split('\'').next().unwrap().to_owned()
}

#[test]
fn the_id_that_is_printed_can_be_explained() {
    let folder = prepared();
    let left = folder.nonius("explain abc");
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("no report was kept yet"), "{}", left.stderr);
    for line in ["check a.c", "run ./a", "run --report r.json ./a"] {
        let id = id(&run(&folder, line));
        let explained = folder.nonius(&format!("explain {id}"));
        assert_eq!(explained.code, Some(0), "{line}: {}", explained.stderr);
        assert!(explained.stdout.contains("[precision-loss]"), "{line}: {}", explained.stdout);
    }
    let unknown = folder.nonius("explain 0123456789ab");
    assert!(
        unknown.code == Some(2) && unknown.stderr.contains("there is no finding 0123456789ab"),
        "{}",
        unknown.stderr
    );
    let report = folder.nonius("report --json");
    assert_eq!(report.code, Some(0));
    assert!(report.stderr.starts_with("nonius: the last report, of ./a ("), "{}", report.stderr);
    assert_eq!(
        report.stdout.matches("precision-loss").count(),
        folder.read("found.json").matches("precision-loss").count()
    );
}

#[test]
fn nobody_else_can_read_it_and_links_are_not_followed() {
    let folder = prepared();
    run(&folder, "run ./a");
    let mode = |path: &str| fs::metadata(folder.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(".state"), mode(".state/nonius")), (0o700, 0o700));
    fs::remove_dir_all(folder.path(".state/nonius")).unwrap();
    fs::create_dir(folder.path("elsewhere")).unwrap();
    symlink(folder.path("elsewhere"), folder.path(".state/nonius")).unwrap();
    let left = run(&folder, "run ./a");
    assert_eq!(left.code, Some(1));
    assert!(!left.stderr.contains("nonius explain"), "{}", left.stderr);
    assert_eq!(fs::read_dir(folder.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn a_user_without_a_home_does_without() {
    let folder = prepared();
    let mut command = folder.command(NONIUS);
    command.args(["run", "./a"]).env("STANDIN_REPORT", folder.path("found.json"));
    let left = finish(command.env_remove("XDG_STATE_HOME").env_remove("HOME"), "");
    assert_eq!(left.code, Some(1));
    assert!(left.stderr.contains("precision-loss") && !left.stderr.contains("error: "), "{}", left.stderr);
}
