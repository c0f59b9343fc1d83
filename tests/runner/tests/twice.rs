//! Programs that change files, under `nonius run`: the second run leaves nothing behind, and finds what the first one found.

use nonius_tests::program::{Built, nonius};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const ACTS: &str = include_str!("twice/acts.c");

/// Built once; every case has a folder of its own beside it. Others than its owner may go there.
static PROGRAM: LazyLock<Built> = LazyLock::new(|| {
    let built = Built::new("cc", &["-O2", "-lm"], "acts.c", ACTS);
    fs::set_permissions(built.folder.path(), fs::Permissions::from_mode(0o755)).expect("the test's own folder");
    built
});

/// What becomes of a case where programs can be confined to a layer: they are run again, or the report says why not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    Confirmed,
    Refused(&'static str),
}
use Then::{Confirmed, Refused};

/// An act, what it finds when it is done the first time, and what becomes of it.
const CASES: &[(&str, i64, Then)] = &[
    ("database", 8, Confirmed),
    ("update", 5, Confirmed),
    ("replace", 9, Confirmed),
    ("again", 9, Confirmed),
    ("folders", 2, Confirmed),
    ("cut", 9, Confirmed),
    ("mapped", 114, Confirmed),
    ("temporary", -1, Confirmed),
    ("relative", 7, Confirmed),
    ("linked", 7, Confirmed),
    ("listing", 10, Confirmed),
    ("forked", 9, Confirmed),
    ("shell", 0, Confirmed),
    (
        "shell-once",
        0,
        Refused("what these change is not seen, and the second run found it as they left it: mkdir by-shell"),
    ),
    ("network", 0, Refused("the program opens sockets")),
    ("own-fifo", 0, Confirmed),
    ("fifo", 0, Refused("the program opens a fifo")),
    ("raw", 9, Refused("by system calls of its own")),
    ("devices", 28, Confirmed),
    ("times", 0, Confirmed),
    ("read-and-rewritten", 9, Confirmed),
    ("nothing", 2, Confirmed),
    ("pure", 9, Confirmed),
];

/// Those that leave files alone can be run again without the right to write.
const HARMLESS: &[&str] = &["devices", "pure"];

/// Files as a program may find them.
fn furnish(folder: &Path) {
    let at = |name: &str| folder.join(name);
    for name in ["full/deep", "empty", "closed"] {
        fs::create_dir_all(at(name)).expect("a folder");
    }
    for (name, text) in [("old.txt", "old text\n"), ("old.db", "row\nrow\n"), ("full/deep/x", "x\n")] {
        fs::write(at(name), text).expect("a file");
    }
    assert!(Command::new("mkfifo").arg(at("a.fifo")).status().expect("mkfifo").success());
    symlink("full/deep", at("link")).expect("a link");
    symlink("old.txt", at("to old")).expect("a link");
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o555)).expect("a folder");
    fs::set_permissions(at("old.txt"), fs::Permissions::from_mode(0o664)).expect("a file");
}

/// All there is to see of what a folder holds, but times: those are looked at by `newest`.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for path in all(folder) {
        let status = fs::symlink_metadata(&path).expect("it is there");
        let content = match status.file_type() {
            kind if kind.is_symlink() => fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes(),
            kind if kind.is_file() => fs::read(&path).expect("a file"),
            _ => Vec::new(),
        };
        found.insert(path.strip_prefix(folder).expect("within").to_owned(), (status.mode(), content));
    }
    found
}

fn all(folder: &Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let folder = fs::symlink_metadata(&path).expect("it is there").is_dir();
        if folder { paths.extend(all(&path)) } else { paths.push(path) }
    }
    paths
}

/// When anything of what a folder holds was last changed, be it only its mode.
fn newest(folder: &Path) -> SystemTime {
    let time = |path: &PathBuf| {
        let status = fs::symlink_metadata(path).expect("it is there");
        let at = |seconds: i64, nanos: i64| UNIX_EPOCH + Duration::new(seconds as u64, nanos as u32);
        at(status.mtime(), status.mtime_nsec()).max(at(status.ctime(), status.ctime_nsec()))
    };
    all(folder).iter().map(time).max().expect("the folder itself")
}

/// Who runs a program, and how a second run may be confined.
#[derive(Clone, Copy)]
struct Setting<'a> {
    /// `nobody`, if this user may become that.
    as_nobody: bool,
    confinement: Option<&'a str>,
    flags: &'a [&'a str],
    /// `nonius check` of the source in place of `nonius run` of the program.
    checks: bool,
}

const USUAL: Setting = Setting { as_nobody: false, confinement: None, flags: &[], checks: false };

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("/proc").uid() == 0
}

impl Setting<'_> {
    fn command(&self, folder: &Path, words: &[&str]) -> Command {
        let mut command = match self.as_nobody {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(nonius());
                command
            }
            false => Command::new(nonius()),
        };
        match self.checks {
            true => command.args(["check", "../acts.c", "-O2", "-lm"]).args(self.flags).arg("--").args(words),
            false => command.arg("run").args(self.flags).arg("../a").args(words),
        };
        command.current_dir(folder);
        command.env_remove("LD_LIBRARY_PATH").env_remove("NONIUS_OPTIONS").env_remove("NONIUS_CONFINEMENT");
        if let Some(confinement) = self.confinement {
            command.env("NONIUS_CONFINEMENT", confinement);
        }
        command.stdin(std::process::Stdio::null());
        command
    }

    /// In a folder of its own, for which the program is asked once.
    fn folder(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir_in(PROGRAM.folder.path()).expect("a folder");
        furnish(folder.path());
        if self.as_nobody {
            for path in all(folder.path()) {
                std::os::unix::fs::lchown(path, Some(65534), Some(65534)).expect("this is root");
            }
        }
        folder
    }

    /// Runs an act in a new folder; the folder after it, what was said, and the report.
    fn run(&self, act: &str, finds: i64) -> Ran {
        let folder = self.folder();
        let reports = tempfile::tempdir().expect("a folder");
        fs::set_permissions(reports.path(), fs::Permissions::from_mode(0o777)).expect("a folder");
        let report = reports.path().join("report.json");
        let mut command = self.command(folder.path(), &[act, &finds.to_string()]);
        command.env("NONIUS_OPTIONS", format!("report={}", report.display()));
        let output = command.output().expect("nonius starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = fs::read(&report).unwrap_or_else(|error| panic!("{act}: {error}: {stderr}"));
        Ran { folder, output, stderr, report: serde_json::from_slice(&report).expect("JSON") }
    }
}

struct Ran {
    folder: tempfile::TempDir,
    output: Output,
    stderr: String,
    report: Value,
}

impl Ran {
    /// When the first run ended.
    fn ended(&self) -> SystemTime {
        let text = String::from_utf8_lossy(&self.output.stdout);
        let (seconds, nanos) = text.lines().last().and_then(|line| line.split_once('.')).expect("a time");
        UNIX_EPOCH + Duration::new(seconds.parse().expect("seconds"), nanos.parse().expect("nanoseconds"))
    }

    fn verdict(&self) -> &str {
        let findings = self.report["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), 1, "{}", self.stderr);
        findings[0]["confirmation"]["verdict"].as_str().unwrap_or("none")
    }

    /// That the program ran twice, or the report says why it did not.
    fn assert_came_to(&self, act: &str, then: Then) {
        match then {
            Confirmed => assert_eq!(self.verdict(), "confirmed", "{act}: {}", self.stderr),
            Refused(why) => {
                assert_eq!(self.verdict(), "none", "{act}: {}", self.stderr);
                let notes = self.report["notes"].to_string();
                assert!(notes.contains("not confirmed: ") && notes.contains(why), "{act}: {}", self.stderr);
                let tried = notes.contains("recorded nothing");
                for next in ["'nonius run --oracle=auto'", "'nonius run --confirm=1'"] {
                    assert!(tried || notes.contains(next), "{act}: {notes}");
                }
            }
        }
    }
}

/// A program is run twice, and its folder is as if it had run once.
fn assert_leaves_nothing(setting: Setting, act: &str, finds: i64, then: Then) {
    let once = Setting { flags: &["--confirm=0"], ..setting }.run(act, finds);
    let twice = setting.run(act, finds);
    assert_eq!(snapshot(twice.folder.path()), snapshot(once.folder.path()), "{act}: {}", twice.stderr);
    assert!(newest(twice.folder.path()) <= twice.ended(), "{act}: changed after the first run");
    assert_eq!(twice.output.status, once.output.status, "{act}: {}", twice.stderr);
    twice.assert_came_to(act, then);
    assert!(!twice.stderr.contains("warning: "), "{act}: {}", twice.stderr);
}

/// Whether this machine allows layers, asked without Nonius.
fn allows_layers(as_nobody: bool) -> bool {
    let script = "mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w && \
        mount -t overlay -o lowerdir=/usr,upperdir=/mnt/u,workdir=/mnt/w,userxattr none /usr && mount -t proc none /proc";
    let mut command = Command::new(if as_nobody { "setpriv" } else { "unshare" });
    if as_nobody {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "unshare"]);
    }
    command.args(["-U", "--map-root-user", "--mount", "--pid", "--net", "--ipc", "--fork", "sh", "-c", script]);
    command.output().expect("unshare (util-linux)").status.success()
}

/// What becomes of a case on this machine.
fn expected(then: Then, layers: bool, act: &str) -> Then {
    match then {
        Confirmed if layers || HARMLESS.contains(&act) => Confirmed,
        Confirmed => Refused("cannot"),
        Refused(_) if !layers && act.starts_with("shell") => Refused("cannot"),
        refused => refused,
    }
}

#[test]
fn a_second_run_leaves_nothing_and_finds_what_the_first_found() {
    let layers = allows_layers(false);
    for &(act, finds, then) in CASES {
        assert_leaves_nothing(USUAL, act, finds, expected(then, layers, act));
    }
}

#[test]
fn the_same_for_a_user_without_privileges() {
    if !is_root() {
        // The test before is this one.
        return assert_leaves_nothing(USUAL, "locked", 13, expected(Confirmed, allows_layers(false), "locked"));
    }
    let setting = Setting { as_nobody: true, ..USUAL };
    let layers = allows_layers(true);
    for &(act, finds, then) in CASES.iter().chain(&[("locked", 13, Confirmed)]) {
        assert_leaves_nothing(setting, act, finds, expected(then, layers, act));
    }
}

#[test]
fn the_same_for_nonius_check() {
    let setting = Setting { checks: true, ..USUAL };
    const ACTS: &[&str] =
        &["database", "update", "replace", "folders", "mapped", "temporary", "forked", "network", "raw"];
    let layers = allows_layers(false);
    for &(act, finds, then) in CASES.iter().filter(|(act, ..)| ACTS.contains(act)) {
        assert_leaves_nothing(setting, act, finds, expected(then, layers, act));
    }
}

/// Where namespaces are not allowed.
#[test]
fn without_layers_a_program_that_writes_is_not_run_again() {
    let setting = Setting { confinement: Some("read-only"), ..USUAL };
    for &(act, finds, then) in CASES {
        let then = match then {
            Confirmed if HARMLESS.contains(&act) => Confirmed,
            _ if act.starts_with("shell") => Refused("what these write is not seen: "),
            Confirmed => Refused("the program writes "),
            refused => refused,
        };
        assert_leaves_nothing(setting, act, finds, then);
    }
}

/// What the report then says to type: a finer oracle in the only run, which writes once.
#[test]
fn without_layers_an_oracle_is_asked_in_the_only_run() {
    let once = Setting { flags: &["--confirm=0"], ..USUAL }.run("database", 8);
    let setting = Setting { confinement: Some("none"), flags: &["--oracle=auto"], ..USUAL };
    let asked = setting.run("database", 8);
    assert_eq!(snapshot(asked.folder.path()), snapshot(once.folder.path()), "{}", asked.stderr);
    let oracle = asked.report["oracle"].as_str().expect("a name");
    assert!(oracle.starts_with("double-double") || oracle.starts_with("mpfr"), "{oracle}: {}", asked.stderr);
    assert_eq!(asked.report["findings"].as_array().map(Vec::len), Some(1), "{}", asked.stderr);
}

#[test]
fn a_layer_that_is_full_is_the_second_run_s_own_trouble() {
    // Eight blocks of a mebibyte, and room for four.
    let setting = Setting { confinement: Some("layer:4194304"), ..USUAL };
    let once = Setting { flags: &["--confirm=0"], ..setting }.run("large", 8);
    let twice = setting.run("large", 8);
    assert_eq!(snapshot(twice.folder.path()), snapshot(once.folder.path()), "{}", twice.stderr);
    assert_eq!(twice.verdict(), "none", "{}", twice.stderr);
    let why = if allows_layers(false) { "recorded nothing" } else { "cannot" };
    assert!(twice.stderr.contains("not confirmed: ") && twice.stderr.contains(why), "{}", twice.stderr);
}

/// What the shell has open is neither read nor written again.
#[test]
fn descriptors_of_the_shell_are_the_first_run_s_only() {
    let folder = USUAL.folder();
    let mut command = USUAL.command(folder.path(), &["passed", "15"]);
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    let script = format!("exec 7>>shared; '{}' {}", nonius().display(), words.join(" "));
    command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path()).env_remove("NONIUS_OPTIONS");
    let output = command.output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("1 finding"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("shared")).expect("a file"), "to the shell's\n", "{stderr}");
}

/// A program that rewrites the file that it reads from standard input would read something else.
#[test]
fn an_input_that_has_changed_is_not_read_again() {
    let source = "#include <math.h>\n#include <stdio.h>\nint main(void) {\n    double x;\n    \
        if (scanf(\"%lf\", &x) != 1) return 5;\n    printf(\"%g\\n\", sqrt(x + 1) - sqrt(x));\n    \
        FILE *file = fopen(\"state\", \"w\");\n    fputs(\"2e15\\n\", file);\n    fclose(file);\n}\n";
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", source);
    fs::write(built.path("state"), "1e15\n").expect("a file in the test's own folder");
    let mut command = built.command(&nonius(), &["run", "./a"]);
    let input = fs::File::open(built.path("state")).expect("the file");
    let output = command.stdin(input).output().expect("nonius starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("not confirmed: ") && stderr.contains("standard input is a file that has changed"),
        "{stderr}"
    );
    assert_eq!(built.read("state"), "2e15\n");
}

/// `--confirm=1`: the network is there, files are safe all the same; without layers the program has its way.
#[test]
fn who_asks_gets_a_second_run() {
    let asked = Setting { flags: &["--confirm=1"], ..USUAL };
    if allows_layers(false) {
        assert_leaves_nothing(asked, "network", 0, Confirmed);
        assert_leaves_nothing(asked, "update", 5, Confirmed);
    }
    let open = Setting { confinement: Some("read-only,none"), ..asked };
    let ran = open.run("network", 0);
    assert_eq!(ran.verdict(), "confirmed", "{}", ran.stderr);
    let ran = open.run("replace", 9);
    assert!(ran.stderr.contains("warning: the second run is not confined, and writes again: "), "{}", ran.stderr);
    assert!(newest(ran.folder.path()) > ran.ended());
}

/// Programs of which the runtime sees nothing: the layer holds for them too.
#[test]
fn programs_that_are_not_instrumented_are_confined_too() {
    let folder = USUAL.folder();
    let mut command = Command::new(nonius());
    command.args(["run", "sh", "-c", "echo one >> log; rm -f old.db; ../a pure 9"]).current_dir(folder.path());
    let output = command.env_remove("NONIUS_OPTIONS").output().expect("nonius starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("log")).expect("a file"), "one\n");
    let said = if allows_layers(false) { "confirmed by mpfr" } else { "what these write is not seen: sh" };
    assert!(stderr.contains(said), "{stderr}");
}

#[test]
fn fortran_and_rust_are_seen_too() {
    let fortran = "program a\n  double precision :: x\n  integer :: lines, ios\n  x = sqrt(1d15)\n  lines = 0\n  \
        open (10, file='b.log')\n  do\n    read (10, *, iostat=ios)\n    if (ios /= 0) exit\n    lines = lines + 1\n  end do\n  \
        close (10)\n  open (10, file='b.log', position='append')\n  write (10, *) 1\n  close (10)\n  \
        read (*, *, end=1) x\n1 if (lines == 0) print *, sqrt(x * x + 1) - x\nend program\n";
    let rust = "use std::io::Write;\nfn main() {\n    let x: f64 = std::hint::black_box(1e15);\n    \
        let lines = std::fs::read_to_string(\"b.log\").map_or(0, |text| text.lines().count());\n    \
        let mut log = std::fs::OpenOptions::new().append(true).create(true).open(\"b.log\").unwrap();\n    \
        writeln!(log, \"1\").unwrap();\n    std::fs::create_dir_all(\"c/d\").unwrap();\n    \
        std::fs::write(\"c/d/e\", \"1\").unwrap();\n    std::fs::remove_dir_all(\"c\").unwrap();\n    \
        if lines == 0 {\n        println!(\"{}\", (x + 1.0).sqrt() - x.sqrt());\n    }\n}\n";
    for built in
        [Built::new("fortran", &["-O2"], "a.f90", fortran), Built::new("rustc", &["-Copt-level=2"], "a.rs", rust)]
    {
        let (stderr, report) = built.run(&[], &[]);
        let verdict = &report["findings"][0]["confirmation"]["verdict"];
        assert_eq!(verdict == "confirmed", allows_layers(false), "{stderr}");
        assert_eq!(built.read("b.log").lines().count(), 1, "{stderr}");
        assert!(!built.path("c").exists());
    }
}

/// Finds something at once, starts a process that would outlive it, and goes on for long.
const ENDLESS: &str = r#"#include <math.h>
#include <stdio.h>
#include <unistd.h>
volatile double x = 1e15, sum;
int main(int count, char **words) {
    printf("%.17g\n", sqrt(x + 1) - sqrt(x));
    fflush(stdout);
    if (!fork()) { close(1); close(2); sleep(600); _exit(0); }
    for (long i = 0; i < 3000000; i++) sum += sin(i);
    for (long i = 0; i < 100; i++) sum += 1e-3 * i;
    double late = sqrt(x + 2) - sqrt(x);
    printf("%.17g\n", late);
}
"#;

#[test]
fn a_second_run_that_takes_too_long_is_ended_with_a_report() {
    let built = Built::new("cc", &["-O1", "-lm"], "a.c", ENDLESS);
    let program = built.path("a").canonicalize().expect("the program");
    let sleepers = || -> Vec<String> {
        let processes = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok).map(|process| process.path());
        let own = processes.filter(|path| fs::read_link(path.join("exe")).is_ok_and(|exe| exe == program));
        own.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    };
    let started = std::time::Instant::now();
    let (stderr, report) = built.run(&["--confirm-time=0.5"], &[]);
    let verdicts: Vec<&str> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|finding| finding["confirmation"]["verdict"].as_str())
        .collect();
    assert!(verdicts.contains(&"confirmed") && verdicts.contains(&"not-reached"), "{verdicts:?} {stderr}");
    assert!(stderr.contains("not reached in time") && stderr.contains("the second run was ended after "), "{stderr}");
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    let left = sleepers();
    assert!(Command::new("kill").args(&left).status().expect("kill").success());
    if allows_layers(false) {
        assert_eq!(left.len(), 1, "the first run's only");
    }
}

/// What is listened to does not change: results, errno, permissions, descriptors.
#[test]
fn a_program_that_is_watched_does_what_it_does() {
    let source = include_str!("../../transparent/io/files.c");
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", source);
    let plain = built.command("clang-22".as_ref(), &["-O2", "-o", "plain", "a.c", "-lm"]).status();
    assert!(plain.expect("clang").success());
    let expected = built.command(&built.path("plain"), &[]).output().expect("the program runs");
    let watched = built.nonius(&["run", "./a"]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&watched.stdout), text(&expected.stdout));
    assert!(text(&expected.stdout).lines().count() > 30 && expected.status.success());
}
