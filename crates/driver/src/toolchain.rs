//! Finds clang 22 and flang 22. The plugin is bound to one version of LLVM: another would refuse
//! it or crash.
//!
//! `configure` runs the wrapper thousands of times, so a compiler whose path carries the version
//! is taken at its word, and only others are started to ask.

use crate::environment::{CLANG, Environment, FLANG};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use thiserror::Error;

/// The version of LLVM that the plugin is built for.
pub const LLVM_VERSION: u32 = 22;

/// A compiler that the plugin can be loaded into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Its name without a version, which is also what it calls itself.
    pub name: &'static str,
    /// The variable that names another.
    variable: &'static str,
    /// Names that carry the version.
    versioned: &'static [&'static str],
    /// Where Debian's and LLVM's own packages put it, for a `PATH` that leaves it out.
    usual_places: &'static [&'static str],
}

const CLANG_TOOL: Tool = Tool {
    name: "clang",
    variable: CLANG,
    versioned: &["clang-22", "clang++-22"],
    usual_places: &["/usr/lib/llvm-22/bin/clang", "/usr/bin/clang-22", "/usr/local/bin/clang-22"],
};

const FLANG_TOOL: Tool = Tool {
    name: "flang",
    variable: FLANG,
    versioned: &["flang-22", "flang-new-22"],
    usual_places: &["/usr/lib/llvm-22/bin/flang", "/usr/bin/flang-22", "/usr/local/bin/flang-22"],
};

const LLD: &str = "ld.lld";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ToolchainError {
    #[error(
        "link-time optimization needs lld {LLVM_VERSION}, which runs the pass where it ends: \
         run 'sudo apt-get install lld-{LLVM_VERSION}', or build without -flto"
    )]
    NoLld,
    #[error("{0} {LLVM_VERSION} is not installed: run 'sudo apt-get install llvm-{LLVM_VERSION}'")]
    NoTool(&'static str),
    #[error("{name} {LLVM_VERSION} is not installed: run '{install}', or set {variable} to where it is",
        name = .0.name, install = .0.install(), variable = .0.variable)]
    Missing(Tool),
    #[error("{path} is {name} {found}, Nonius needs {name} {LLVM_VERSION}: run '{install}', or set {variable} to where it is",
        name = .tool.name, install = .tool.install(), variable = .tool.variable)]
    Version { tool: Tool, path: String, found: u32 },
    #[error("{variable}={path}: {why}. Set it to a {name} {LLVM_VERSION}, or unset it and run '{install}'",
        name = .tool.name, install = .tool.install(), variable = .tool.variable)]
    Unusable { tool: Tool, path: String, why: String },
}

/// The path of a clang of the right version.
pub fn find_clang(environment: &Environment) -> Result<PathBuf, ToolchainError> {
    CLANG_TOOL.find(environment.clang.as_deref(), &environment.search_path)
}

/// The path of a flang of the right version.
pub fn find_flang(environment: &Environment) -> Result<PathBuf, ToolchainError> {
    FLANG_TOOL.find(environment.flang.as_deref(), &environment.search_path)
}

/// Whether the compiler finds lld: beside itself, as the packages put it, or in `PATH`.
pub(crate) fn require_lld(compiler: &Path, environment: &Environment) -> Result<(), ToolchainError> {
    let beside = fs::canonicalize(compiler).is_ok_and(|path| is_executable(&path.with_file_name(LLD)));
    let found = beside || find_in_path(LLD, &environment.search_path).is_some();
    if found { Ok(()) } else { Err(ToolchainError::NoLld) }
}

/// A tool of LLVM that belongs to clang, such as `llvm-ar`: beside it, as the packages put it, or in `PATH`.
pub fn find_llvm_tool(name: &'static str, environment: &Environment) -> Result<PathBuf, ToolchainError> {
    let beside = fs::canonicalize(find_clang(environment)?).ok().map(|path| path.with_file_name(name));
    let in_path = || find_in_path(format!("{name}-{LLVM_VERSION}"), &environment.search_path);
    beside.filter(|path| is_executable(path)).or_else(in_path).ok_or(ToolchainError::NoTool(name))
}

impl Tool {
    fn install(self) -> String {
        format!("sudo apt-get install {}-{LLVM_VERSION}", self.name)
    }

    fn find(self, chosen: Option<&OsStr>, search_path: &OsStr) -> Result<PathBuf, ToolchainError> {
        if let Some(chosen) = chosen {
            return self.chosen(chosen, search_path);
        }
        if let Some(path) = find_in_path(self.versioned[0], search_path) {
            return Ok(path);
        }
        if let Some(usual) = self.usual_places.iter().map(Path::new).find(|p| is_executable(p)) {
            return Ok(usual.to_owned());
        }
        let plain = find_in_path(self.name, search_path).ok_or(ToolchainError::Missing(self))?;
        match self.version_of(&plain) {
            Ok(LLVM_VERSION) => Ok(plain),
            Ok(found) => Err(ToolchainError::Version { tool: self, path: plain.display().to_string(), found }),
            Err(_) => Err(ToolchainError::Missing(self)),
        }
    }

    /// A compiler that the user names, by path or as a command.
    fn chosen(self, chosen: &OsStr, search_path: &OsStr) -> Result<PathBuf, ToolchainError> {
        let shown = chosen.to_string_lossy().into_owned();
        let unusable = |why: String| ToolchainError::Unusable { tool: self, path: shown.clone(), why };
        let path = if Path::new(chosen).components().count() > 1 { Some(PathBuf::from(chosen)) } else { None };
        let path =
            path.or_else(|| find_in_path(chosen, search_path)).ok_or_else(|| unusable("not found in PATH".into()))?;
        if !is_executable(&path) {
            return Err(unusable("no such program".into()));
        }
        if self.carries_version(&path) {
            return Ok(path);
        }
        match self.version_of(&path).map_err(unusable)? {
            LLVM_VERSION => Ok(path),
            found => Err(ToolchainError::Version { tool: self, path: shown, found }),
        }
    }

    /// Whether the path, or what it links to, names the version: `clang-22`, `/usr/lib/llvm-22/bin/clang`.
    fn carries_version(self, path: &Path) -> bool {
        let versioned = |part: &OsStr| part == "llvm-22" || self.versioned.iter().any(|name| part == *name);
        let names_it = |p: &Path| p.iter().any(versioned);
        names_it(path) || fs::canonicalize(path).is_ok_and(|resolved| names_it(&resolved))
    }

    /// The major version that a compiler says it has.
    fn version_of(self, path: &Path) -> Result<u32, String> {
        let output = Command::new(path).arg("--version").stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        self.parse_version(&text).ok_or_else(|| format!("it is not a {}", self.name))
    }

    /// `Debian clang version 22.1.8 (1~deb12u1)` is 22. Apple counts its clangs otherwise.
    fn parse_version(self, text: &str) -> Option<u32> {
        let marks = [format!("{} version ", self.name), format!("{}-new version ", self.name)];
        let of_line =
            |line: &str| marks.iter().find_map(|mark| line.split_once(mark.as_str()).map(|(_, n)| n.to_owned()));
        let number = text.lines().filter(|l| !l.starts_with("Apple")).find_map(of_line)?;
        number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
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
            assert_eq!(CLANG_TOOL.parse_version(text), version, "{text}");
        }
    }

    #[test]
    fn flang_is_read_by_both_its_names() {
        let cases = ["Debian flang version 22.1.8 (1~deb12u1)", "flang-new version 22.0.0"];
        assert!(cases.iter().all(|text| FLANG_TOOL.parse_version(text) == Some(22)));
        assert_eq!(FLANG_TOOL.parse_version("Debian clang version 22.1.8"), None);
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
        assert_eq!(error, ToolchainError::Version { tool: CLANG_TOOL, path: path.display().to_string(), found: 14 });
        assert!(error.to_string().contains("apt-get install clang-22"));
    }
}
