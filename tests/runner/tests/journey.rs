//! The way of a new user: install, the first finding, its explanation, a baseline, the fix, a green build. And the commands
//! of the README, each as it stands there.

use nonius_tests::tools::{nonius_binary, tests_root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const BUG: &str = r#"#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double gap(double x) {
    return sqrt(x + 1) - sqrt(x);
}

int main(int count, char **words) {
    printf("%.9g\n", gap(count > 1 ? atof(words[1]) : 1e15));
    return 0;
}
"#;
const MAKEFILE: &str = "roots: roots.c\n\t$(CC) -O2 -g $< -o $@ -lm\ncheck: roots\n\t./roots 1e15\n\t./roots 1e14\n";
const FORTRAN: &str = "program a\n  real(8) :: x\n  x = 1d0\n  print *, sqrt(x)\nend program a\n";
const RUST: &str = "fn main() { println!(\"{}\", std::hint::black_box(2.0f64).sqrt()); }\n";
const CRATE: &str = "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIBRARY: &str = "#[test]\nfn halves() {\n    assert_eq!(std::hint::black_box(1.0) / 2.0, 0.5);\n}\n";

/// A home of its own, with Nonius installed in it and a project beside.
struct User {
    home: TempDir,
}

impl User {
    fn new() -> User {
        let user = User { home: tempfile::Builder::new().prefix("a user ").tempdir().expect("a folder") };
        fs::create_dir(user.project()).expect("a folder");
        let root = tests_root().expect("the tests' folder").join("..");
        // The build that is tested, as './x build' left it.
        let release = nonius_binary(&root.join("tests")).expect("a nonius").parent().expect("a folder").to_owned();
        let mut install = Command::new(root.join("x"));
        install.arg("install").arg("--prefix").arg(user.prefix()).env("NONIUS_X_BUILT", "1");
        install.env("CARGO_TARGET_DIR", release.parent().expect("a folder")).env_remove("DESTDIR");
        let left = install.output().expect("./x starts");
        assert!(left.status.success(), "{}", said(&left));
        user
    }

    fn prefix(&self) -> PathBuf {
        self.home.path().join("local")
    }

    fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file of the project");
    }

    /// What a shell in the project makes of a line.
    fn types(&self, line: &str) -> Output {
        let path = format!("{}:{}", self.prefix().join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell.args(["-c", line]).current_dir(self.project()).env("PATH", path).env("BROWSER", "true");
        shell.env("XDG_STATE_HOME", self.home.path().join("state")).env("CI", "true");
        for name in
            ["NONIUS_OPTIONS", "NONIUS_HOME", "CC", "CXX", "CARGO_TARGET_DIR", "GITHUB_STEP_SUMMARY", "MAKEFLAGS"]
        {
            shell.env_remove(name);
        }
        shell.output().expect("bash starts")
    }

    /// The same, and it must end with this status.
    fn sees(&self, line: &str, status: i32) -> String {
        let left = self.types(line);
        assert_eq!(left.status.code(), Some(status), "{line}: {}", said(&left));
        said(&left)
    }
}

fn said(left: &Output) -> String {
    String::from_utf8_lossy(&left.stdout).into_owned() + &String::from_utf8_lossy(&left.stderr)
}

/// The id of the first finding in a text.
fn id_in(text: &str) -> &str {
    let (_, rest) = text.split_once("finding ").expect("a finding with its id");
    rest.split(|c: char| !c.is_ascii_hexdigit()).next().expect("an id")
}

#[test]
fn from_the_installation_to_a_green_build() {
    let user = User::new();
    user.write("roots.c", BUG);
    user.write("Makefile", MAKEFILE);
    let first = user.sees("nonius check roots.c", 1);
    assert!(first.contains("precision-loss") && first.contains("confirmed by mpfr:256"), "{first}");
    let id = id_in(&first).to_owned();
    let explained = user.sees(&format!("nonius explain {id}"), 0);
    assert!(explained.contains("subtraction") && explained.contains("roots.c:6"), "{explained}");

    let tests = "nonius run --report=nonius.json --html --sarif make CC=nonius-cc check";
    let of_tests = user.sees(tests, 1);
    assert!(of_tests.contains(&id), "an id is the same in every program and run: {of_tests}");
    for form in ["nonius.html", "nonius.sarif"] {
        assert!(user.project().join(form).is_file(), "{form}");
    }
    user.sees("nonius baseline nonius.baseline nonius.json", 0);
    let known = user.sees("nonius run --baseline=nonius.baseline make check", 0);
    assert!(known.contains("in the baseline"), "{known}");

    let fixed = BUG.replace("sqrt(x + 1) - sqrt(x)", "1 / (sqrt(x + 1) + sqrt(x))");
    user.write("roots.c", &fixed);
    let green = user.sees("touch roots.c; nonius run --baseline=nonius.baseline make CC=nonius-cc check", 0);
    assert!(green.contains(&format!("not found any more: {id}")), "{green}");
    user.sees("nonius run --report=nonius.json make check && nonius baseline nonius.baseline --update nonius.json", 0);
    let baseline = fs::read_to_string(user.project().join("nonius.baseline")).expect("a baseline");
    assert!(!baseline.contains(&id), "{baseline}");
    user.sees("nonius check roots.c", 0);
}

/// The commands of a block of code, without what is said of them.
fn commands(document: &Path, heading: &str) -> Vec<String> {
    let text = fs::read_to_string(document).expect("a document");
    let (_, section) = text.split_once(heading).unwrap_or_else(|| panic!("{} has no {heading}", document.display()));
    let block = section.split("```").nth(1).expect("a block of code");
    let lines = block.lines().map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_commands_of_the_readme_do_what_they_say() {
    let user = User::new();
    user.write("a.c", BUG);
    user.write("a.f90", FORTRAN);
    user.write("a.rs", RUST);
    user.write("Cargo.toml", CRATE);
    user.write("src/lib.rs", LIBRARY);
    let readme = tests_root().expect("the tests' folder").join("../README.md");
    let commands = commands(&readme, "## Use");
    assert!(commands.len() >= 10, "{commands:?}");
    let mut id = None;
    for command in &commands {
        let line = command.replace("./a args", "./a 1e15").replace("ID", id.as_deref().unwrap_or("ID"));
        let left = user.types(&line);
        let text = said(&left);
        let status = left.status.code();
        // The Fortran program takes the place of the first.
        if line.starts_with("nonius fortran") {
            user.sees("nonius rustc a.rs -o b && nonius cc a.c -O2 -o a -lm", 0);
        }
        let finds = line.starts_with("nonius run") || line.starts_with("nonius check");
        let expected = if finds { 1 } else { 0 };
        assert_eq!(status, Some(expected), "{line}: {text}");
        if finds {
            id = Some(id_in(&text).to_owned());
        }
    }
    assert!(id.is_some() && commands.iter().any(|command| command.starts_with("nonius explain")), "{commands:?}");
}
