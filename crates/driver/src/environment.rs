//! What the process was given from outside, read once.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

/// The clang to use, for systems where `clang-22` is called otherwise.
pub const CLANG: &str = "NONIUS_CLANG";
/// The flang to use, likewise.
pub const FLANG: &str = "NONIUS_FLANG";
/// The folder that holds the plugin and the runtime, if they are not where they are installed.
pub const HOME: &str = "NONIUS_HOME";

/// Set by `cargo nonius`: what build scripts compile is instrumented only if it is for this target.
pub const BUILD_SCRIPT_TARGET: &str = "NONIUS_BUILD_SCRIPT_TARGET";

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
    /// The compiler works for `cargo nonius`, which sees to it that code is compiled anew when these options change.
    pub is_under_cargo: bool,
    /// The compiler works for cargo, and not on code of the target: for a build script's own host, or a program that runs.
    pub leaves_code_alone: bool,
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
            is_under_cargo: variable(BUILD_SCRIPT_TARGET).is_some(),
            leaves_code_alone: variable(BUILD_SCRIPT_TARGET)
                .is_some_and(|target| !is_for(&target, variable("OUT_DIR").map(PathBuf::from))),
        })
    }
}

/// Whether what is compiled now is for the target. Cargo calls target and host by one name where they are the same machine;
/// only the folders that it has made for them differ.
fn is_for(target: &OsStr, out_folder: Option<PathBuf>) -> bool {
    out_folder.is_some_and(|folder| folder.components().any(|part| part.as_os_str() == target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_build_script_of_the_target_has_its_code_instrumented() {
        let target = OsStr::new("x86_64-unknown-linux-gnu");
        let is_for = |folder: &str| is_for(target, Some(folder.into()));
        assert!(is_for("/a/target/nonius/x86_64-unknown-linux-gnu/debug/build/b-1/out"));
        assert!(!is_for("/a/target/nonius/debug/build/b-1/out"));
        assert!(!super::is_for(target, None));
    }
}
