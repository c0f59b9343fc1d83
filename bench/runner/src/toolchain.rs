//! The three compilers, and how their programs are started.

use crate::kernel::{Kernel, Language, Problem, RealType};
use anyhow::{Context, Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Warnings neither stop the program nor are printed; everything else is nsan's default.
const NSAN_QUIET: &str = "halt_on_error=0:disable_warnings=1";
/// The same, and it counts the places that it would have warned of. Slower, so never timed.
const NSAN_COUNTING: &str =
    "halt_on_error=0:disable_warnings=1:enable_warning_stats=1:print_stats_on_exit=1:symbolize=0";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Native,
    Nonius,
    Nsan,
}

/// What a compilation makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A program at -O2.
    Program,
    /// An object at -O2 -g: what a project has while it is worked on. For compile time and size.
    Object,
}

pub struct Toolchain {
    nonius: PathBuf,
    pub nonius_version: String,
    pub clang_version: String,
}

impl Toolchain {
    pub fn find() -> Result<Self> {
        Self::at(&env::current_exe()?.with_file_name("nonius"))
    }

    /// With the program `nonius` at this path.
    pub fn at(nonius: &Path) -> Result<Self> {
        if !nonius.is_file() {
            bail!("{} is missing: run './x build'", nonius.display());
        }
        let nonius = nonius.to_owned();
        Ok(Self { nonius_version: version(&nonius)?, clang_version: version(Path::new("clang-22"))?, nonius })
    }

    pub fn compile(&self, kernel: &Kernel, real: RealType, variant: Variant, product: Product, to: &Path) -> Command {
        let language = kernel.language();
        let mut command = self.compiler(variant, language);
        command.arg(if language == Language::Rust { "-Copt-level=2" } else { "-O2" }).args(&kernel.flags);
        if real != RealType::None && language.is_of_clang() {
            command.arg(format!("-DREAL={}", real.name()));
        }
        if product == Product::Object {
            command.args(if language == Language::Rust { ["-g", "--emit=obj"] } else { ["-g", "-c"] });
        }
        command.arg(&kernel.path).arg("-o").arg(to);
        match language {
            // Module files go where they disturb nobody.
            Language::Fortran => drop(command.arg("-J").arg(to.parent().unwrap_or(Path::new(".")))),
            Language::Rust => drop(command.arg("--edition=2024")),
            _ if product == Product::Program => drop(command.arg("-lm")),
            _ => {}
        }
        command.env_remove("NONIUS_COMPILE_OPTIONS");
        command
    }

    /// Replays a recorded run; flags follow.
    pub fn replay(&self, events: &Path) -> Command {
        let mut command = Command::new(&self.nonius);
        command.arg("replay").arg(events).env_remove("NONIUS_OPTIONS");
        command
    }

    pub fn nonius_cc(&self) -> Command {
        self.compiler(Variant::Nonius, Language::C)
    }

    fn compiler(&self, variant: Variant, language: Language) -> Command {
        let (wrapper, plain) = match language {
            Language::C => ("cc", "clang-22"),
            Language::Cpp => ("c++", "clang++-22"),
            Language::Fortran => ("fortran", "flang-22"),
            Language::Rust => ("rustc", "rustc"),
        };
        if variant == Variant::Nonius {
            let mut command = Command::new(&self.nonius);
            command.arg(wrapper);
            return command;
        }
        let mut command = Command::new(plain);
        if variant == Variant::Nsan {
            command.arg("-fsanitize=numerical");
        }
        command
    }
}

/// The command that runs `program`; Nonius writes its report to `report`.
pub fn start(variant: Variant, program: &Path, problem: &Problem, report: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(problem.arguments());
    command.env_remove("NONIUS_OPTIONS").env_remove("NSAN_OPTIONS").env_remove("OMP_NUM_THREADS");
    match variant {
        Variant::Native => {}
        Variant::Nonius => {
            command.env("NONIUS_OPTIONS", format!("quiet=1:report='{}'", report.display()));
        }
        Variant::Nsan => {
            command.env("NSAN_OPTIONS", NSAN_QUIET);
        }
    }
    command
}

/// The command that makes nsan list the places it would have warned of, on stderr.
pub fn start_nsan_counting(program: &Path, problem: &Problem) -> Command {
    let mut command = Command::new(program);
    command.args(problem.arguments()).env("NSAN_OPTIONS", NSAN_COUNTING);
    command
}

fn version(program: &Path) -> Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("cannot start {}: run './x build'", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned())
}
