//! A small program built by Nonius in a folder of its own, for tests of the commands.

use crate::tools::{nonius_binary, tests_root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub fn nonius() -> PathBuf {
    tests_root().and_then(|root| nonius_binary(&root)).expect("a nonius that was built")
}

/// The folder, with the program as `a` in it.
pub struct Built {
    pub folder: TempDir,
}

impl Built {
    /// `compiler` is Nonius's word for it (`cc`, `c++`, `fortran`, `rustc`), `name` the file's.
    pub fn new(compiler: &str, flags: &[&str], name: &str, source: &str) -> Built {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(name), source).expect("a file in the test's own folder");
        let built = Built { folder };
        let left = built.nonius(&[&[compiler, "-g", "-o", "a", name], flags].concat());
        assert!(left.status.success(), "{}", String::from_utf8_lossy(&left.stderr));
        built
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path()).env_remove("LD_LIBRARY_PATH").env_remove("NONIUS_OPTIONS");
        // The user's own last reports stay what they are.
        command.env("XDG_STATE_HOME", nonius().with_file_name("tests-state")).stdin(Stdio::null());
        command
    }

    pub fn nonius(&self, words: &[&str]) -> Output {
        self.command(&nonius(), words).output().expect("nonius starts")
    }

    /// What `nonius run` says of the program, and the report that it leaves.
    pub fn run(&self, flags: &[&str], words: &[&str]) -> (String, Value) {
        let left = self.nonius(&[&["run", "--report=report.json"], flags, &["./a"], words].concat());
        let stderr = String::from_utf8_lossy(&left.stderr).into_owned();
        let report = std::fs::read(self.path("report.json")).unwrap_or_else(|error| panic!("{error}: {stderr}"));
        (stderr, serde_json::from_slice(&report).expect("JSON"))
    }
}
