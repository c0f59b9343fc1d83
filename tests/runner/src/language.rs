//! The languages that tests are written in: their compilers, comments and flags.

use crate::level::Level;
use std::path::Path;
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
    Rust,
}

impl Language {
    /// By the file's name; `None` if it is no source.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" => Some(Self::C),
            "cpp" => Some(Self::Cpp),
            "f90" | "F90" => Some(Self::Fortran),
            "rs" => Some(Self::Rust),
            _ => None,
        }
    }

    /// What begins a comment.
    pub fn comment(self) -> &'static str {
        match self {
            Self::C | Self::Cpp | Self::Rust => "//",
            Self::Fortran => "!",
        }
    }

    /// The compiler without Nonius.
    pub fn plain(self) -> Command {
        Command::new(match self {
            Self::C => "clang-22",
            Self::Cpp => "clang++-22",
            Self::Fortran => "flang-22",
            Self::Rust => "rustc",
        })
    }

    /// The name of Nonius's wrapper of it.
    pub fn wrapper(self) -> &'static str {
        match self {
            Self::C => "cc",
            Self::Cpp => "c++",
            Self::Fortran => "fortran",
            Self::Rust => "rustc",
        }
    }

    /// The flags of a level, as its compiler spells them.
    pub fn level_flags(self, level: &Level) -> Vec<String> {
        let given = level.flags.iter();
        match self {
            Self::C | Self::Cpp | Self::Fortran => given.map(|f| (*f).to_owned()).collect(),
            Self::Rust => given.filter_map(|f| rust_flag(f)).chain(["--edition=2024".to_owned()]).collect(),
        }
    }
}

/// Rust has no fast-math, and contracts nothing.
fn rust_flag(flag: &str) -> Option<String> {
    match flag {
        "-march=native" => Some("-Ctarget-cpu=native".to_owned()),
        "-flto" | "-flto=full" => Some("-Clto=fat".to_owned()),
        "-flto=thin" => Some("-Clto=thin".to_owned()),
        "-mfma" => Some("-Ctarget-feature=+fma".to_owned()),
        _ => flag.strip_prefix("-O").map(|level| format!("-Copt-level={level}")),
    }
}
