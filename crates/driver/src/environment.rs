//! What the process was given from outside, read once.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The clang to use, for systems where `clang-22` is called otherwise.
pub const CLANG: &str = "NONIUS_CLANG";
/// The flang to use, likewise.
pub const FLANG: &str = "NONIUS_FLANG";
/// The folder that holds the plugin and the runtime, if they are not where they are installed.
pub const HOME: &str = "NONIUS_HOME";

/// Everything that decides where Nonius finds its parts and what it adds.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// This program's own file, with all links resolved.
    pub executable: PathBuf,
    pub search_path: OsString,
    /// [`CLANG`].
    pub clang: Option<OsString>,
    /// [`FLANG`].
    pub flang: Option<OsString>,
    /// [`HOME`].
    pub home: Option<OsString>,
    /// [`crate::COMPILE_OPTIONS`].
    pub compile_options: Option<OsString>,
}

impl Environment {
    pub fn of_this_process() -> io::Result<Self> {
        // An empty variable is how a shell script says "not set".
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        Ok(Self {
            executable: env::current_exe()?,
            search_path: variable("PATH").unwrap_or_default(),
            clang: variable(CLANG),
            flang: variable(FLANG),
            home: variable(HOME),
            compile_options: variable(crate::COMPILE_OPTIONS),
        })
    }
}
