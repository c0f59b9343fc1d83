//! A place with stand-ins for the plugin and the runtime, and a folder to work in.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

pub const NONIUS: &str = env!("CARGO_BIN_EXE_nonius");
const STANDIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/standin");

/// Built once for all tests. Tests end without destructors of statics, so the folder is the
/// build's own, not a temporary one.
static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("standin");
    fs::create_dir_all(&home).unwrap();
    for (source, library) in [("plugin.c", "libnonius_pass.so"), ("runtime.c", "libnonius_rt.so")] {
        let status = Command::new("clang-22")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(home.join(library))
            .arg(Path::new(STANDIN).join(source))
            .arg(format!("-Wl,-soname,{library}"))
            .status();
        assert!(status.expect("clang-22 starts").success(), "{source}");
    }
    fs::create_dir_all(home.join("include")).unwrap();
    fs::write(home.join("include/nonius.h"), "#define STANDIN_HEADER 1\n").unwrap();
    home
});

/// A folder to work in, removed at the end.
pub struct Folder(TempDir);

/// What a command left.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With files, as (name, text).
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            fs::write(folder.path(name), text).unwrap();
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// A command that runs in this folder, with the stand-ins and nothing else from outside.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("NONIUS_HOME", &*HOME).env("XDG_STATE_HOME", self.path(".state"));
        for variable in
            ["NONIUS_OPTIONS", "NONIUS_PASS_OPTIONS", "NONIUS_CLANG", "BROWSER", "DISPLAY", "WAYLAND_DISPLAY"]
        {
            command.env_remove(variable);
        }
        // Cargo puts the build's own folders there, and with them the real runtime.
        command.env_remove("LD_LIBRARY_PATH");
        command
    }

    /// `nonius` with the words of `line`.
    pub fn nonius(&self, line: &str) -> Left {
        finish(self.command(NONIUS).args(line.split_whitespace()), "")
    }

    pub fn clang(&self, line: &str) -> Left {
        finish(self.command("clang-22").args(line.split_whitespace()), "")
    }
}

pub fn runtime_path() -> String {
    HOME.join("libnonius_rt.so").display().to_string()
}

pub fn home_path() -> String {
    HOME.display().to_string()
}

/// Runs to the end, with this text as standard input.
pub fn finish(command: &mut Command, input: &str) -> Left {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The command may end without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    Left {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

impl Left {
    /// Asserts success without a word.
    pub fn silent(&self, what: &str) {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), (Some(0), "", ""), "{what}");
    }
}
