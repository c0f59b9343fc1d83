//! Finds clang 22. The plugin is bound to one version of LLVM: another would refuse it or crash.
//!
//! `configure` runs the wrapper thousands of times, so a clang whose path carries the version is
//! taken at its word, and only others are started to ask.

use crate::environment::{CLANG, Environment};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use thiserror::Error;

/// The version of LLVM that the plugin is built for.
pub const LLVM_VERSION: u32 = 22;

const INSTALL: &str = "sudo apt-get install clang-22";
/// Where Debian's and LLVM's own packages put it, for a `PATH` that leaves it out.
const USUAL_PLACES: &[&str] = &["/usr/lib/llvm-22/bin/clang", "/usr/bin/clang-22", "/usr/local/bin/clang-22"];

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ToolchainError {
    #[error("clang {LLVM_VERSION} is not installed: run '{INSTALL}', or set {CLANG} to where it is")]
    Missing,
    #[error(
        "{path} is clang {found}, Nonius needs clang {LLVM_VERSION}: run '{INSTALL}', or set {CLANG} to where it is"
    )]
    Version { path: String, found: u32 },
    #[error("{CLANG}={path}: {why}. Set it to a clang {LLVM_VERSION}, or unset it and run '{INSTALL}'")]
    Unusable { path: String, why: String },
}

/// The path of a clang of the right version.
pub fn find_clang(environment: &Environment) -> Result<PathBuf, ToolchainError> {
    let search_path = &environment.search_path;
    if let Some(chosen) = &environment.clang {
        return chosen_clang(chosen, search_path);
    }
    if let Some(path) = find_in_path("clang-22", search_path) {
        return Ok(path);
    }
    if let Some(usual) = USUAL_PLACES.iter().map(Path::new).find(|p| is_executable(p)) {
        return Ok(usual.to_owned());
    }
    let plain = find_in_path("clang", search_path).ok_or(ToolchainError::Missing)?;
    match version_of(&plain) {
        Ok(LLVM_VERSION) => Ok(plain),
        Ok(found) => Err(ToolchainError::Version { path: plain.display().to_string(), found }),
        Err(_) => Err(ToolchainError::Missing),
    }
}

/// A clang that the user names, by path or as a command.
fn chosen_clang(chosen: &OsStr, search_path: &OsStr) -> Result<PathBuf, ToolchainError> {
    let shown = chosen.to_string_lossy().into_owned();
    let unusable = |why: String| ToolchainError::Unusable { path: shown.clone(), why };
    let path = if Path::new(chosen).components().count() > 1 { Some(PathBuf::from(chosen)) } else { None };
    let path =
        path.or_else(|| find_in_path(chosen, search_path)).ok_or_else(|| unusable("not found in PATH".into()))?;
    if !is_executable(&path) {
        return Err(unusable("no such program".into()));
    }
    if carries_version(&path) {
        return Ok(path);
    }
    match version_of(&path).map_err(unusable)? {
        LLVM_VERSION => Ok(path),
        found => Err(ToolchainError::Version { path: shown, found }),
    }
}

/// Whether the path, or what it links to, names the version: `clang-22`, `/usr/lib/llvm-22/bin/clang`.
fn carries_version(path: &Path) -> bool {
    let names_it = |p: &Path| p.iter().any(|part| part == "clang-22" || part == "clang++-22" || part == "llvm-22");
    names_it(path) || fs::canonicalize(path).is_ok_and(|resolved| names_it(&resolved))
}

/// The major version that a clang says it has.
fn version_of(clang: &Path) -> Result<u32, String> {
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    parse_version(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| "it is not a clang".to_owned())
}

/// `Debian clang version 22.1.8 (1~deb12u1)` is 22. Apple counts its clangs otherwise.
fn parse_version(text: &str) -> Option<u32> {
    let line = text.lines().find(|l| l.contains("clang version ") && !l.starts_with("Apple"))?;
    let (_, number) = line.split_once("clang version ")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The first program of this name in the folders of `PATH`.
pub(crate) fn find_in_path(name: impl AsRef<OsStr>, search_path: &OsStr) -> Option<PathBuf> {
    env::split_paths(search_path).map(|folder| folder.join(name.as_ref())).find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// What `clang --version` says first.
pub fn describe(clang: &Path) -> Option<String> {
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a script that answers `--version` like a clang.
    fn fake_clang(name: &str, answer: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\necho '{answer}'\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn versions_are_read() {
        let cases = [
            ("Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu", Some(22)),
            ("clang version 23.0.0git (https://example.org abc)", Some(23)),
            ("Ubuntu clang version 18.1.3 (1ubuntu1)", Some(18)),
            ("note first\nclang version 22.1.0-rc1", Some(22)),
            ("Apple clang version 22.0.0 (clang-2200.0.0)", None),
            ("gcc (Debian 12.2.0-14) 12.2.0", None),
            ("", None),
        ];
        for (text, version) in cases {
            assert_eq!(parse_version(text), version, "{text}");
        }
    }

    #[test]
    fn a_path_that_carries_the_version_is_not_asked() {
        let folder = fake_clang("clang-22", "I was asked");
        let clang = folder.path().join("clang-22");
        let environment = Environment { search_path: folder.path().into(), ..Environment::default() };
        assert_eq!(find_clang(&environment), Ok(clang.clone()));
        let environment = Environment { clang: Some(clang.clone().into()), ..Environment::default() };
        assert_eq!(find_clang(&environment), Ok(clang));
    }

    #[test]
    fn a_chosen_clang_of_another_name_is_asked() {
        let right = fake_clang("mycc", "clang version 22.1.0");
        let by_name =
            Environment { clang: Some("mycc".into()), search_path: right.path().into(), ..Environment::default() };
        assert_eq!(find_clang(&by_name), Ok(right.path().join("mycc")));

        let wrong = fake_clang("mycc", "Debian clang version 14.0.6").path().join("mycc");
        let gone = Environment { clang: Some(wrong.clone().into()), ..Environment::default() };
        assert!(matches!(find_clang(&gone), Err(ToolchainError::Unusable { .. })));

        let wrong = fake_clang("mycc", "Debian clang version 14.0.6");
        let path = wrong.path().join("mycc");
        let environment = Environment { clang: Some(path.clone().into()), ..Environment::default() };
        let error = find_clang(&environment).unwrap_err();
        assert_eq!(error, ToolchainError::Version { path: path.display().to_string(), found: 14 });
        assert!(error.to_string().contains("apt-get install clang-22"));
    }
}
