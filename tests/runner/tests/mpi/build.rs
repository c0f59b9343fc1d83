//! How the programs over MPI are built, with Nonius and without.

use anyhow::{Context, Result, ensure};
use nonius_tests::tools;
use std::path::Path;
use std::process::Command;

/// The language of a program, and for Fortran the macro that chooses how it names MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    C,
    Cpp,
    Fortran(Option<&'static str>),
}

/// `mpif.h`, `use mpi` and `use mpi_f08`.
const FORTRAN: [Binding; 3] = [Binding::Fortran(None), Binding::Fortran(Some("MODULE")), Binding::Fortran(Some("F08"))];

impl Binding {
    /// All that a source is built with; none if it is no source.
    pub fn of(path: &Path) -> &'static [Binding] {
        match path.extension().and_then(|e| e.to_str()) {
            Some("c") => &[Binding::C],
            Some("cpp") => &[Binding::Cpp],
            Some("F90") => &FORTRAN,
            _ => &[],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Binding::C | Binding::Cpp => "",
            Binding::Fortran(None) => "+mpif.h",
            Binding::Fortran(Some("F08")) => "+mpi_f08",
            Binding::Fortran(Some(_)) => "+mpi",
        }
    }

    /// What wraps a compiler, and the variable that names it, without `OMPI_` or `MPICH_`; the name of Nonius's.
    fn wrapper(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Binding::C => ("mpicc", "CC", "nonius-cc"),
            Binding::Cpp => ("mpicxx", "CXX", "nonius-c++"),
            Binding::Fortran(_) => ("mpifort", "FC", "nonius-fortran"),
        }
    }
}

/// A program, and what it is built for.
pub struct Source<'a> {
    pub path: &'a Path,
    pub binding: Binding,
    pub library: &'static str,
    pub is_stable: bool,
}

impl Source<'_> {
    /// By the compilers beside `nonius`, or without it.
    pub fn build(&self, program: &Path, nonius: &Path, is_shadowed: bool) -> Result<()> {
        let compiler = |name: &str| tools::compiler(nonius, name);
        let mut command = match self.binding {
            _ if is_shadowed => self.wrapped(&compiler(self.binding.wrapper().2)),
            Binding::C => self.wrapped(Path::new("clang-22")),
            Binding::Cpp => self.wrapped(Path::new("clang++-22")),
            Binding::Fortran(_) => return self.build_by_flang(program, &compiler("nonius-fortran")),
        };
        self.add_words(&mut command);
        if !matches!(self.binding, Binding::Fortran(_)) {
            command.arg("-lm");
        }
        run(command.arg("-o").arg(program).current_dir(program.with_file_name("")))?;
        Ok(())
    }

    fn wrapped(&self, compiler: &Path) -> Command {
        let (wrapper, variable, _) = self.binding.wrapper();
        let mut command = Command::new(format!("{wrapper}.{}", self.library));
        command.env(format!("OMPI_{variable}"), compiler).env(format!("MPICH_{variable}"), compiler);
        command
    }

    fn add_words(&self, command: &mut Command) {
        command.args(["-O2", "-g"]);
        if let Binding::Fortran(chosen) = self.binding {
            // What mpif.h has no interfaces for, flang warns of.
            command.args(chosen.map(|name| format!("-D{name}"))).arg("-w");
        }
        command.arg(self.path);
        if self.is_stable {
            command.arg("-DSTABLE");
        }
    }

    /// flang reads none of the libraries' own modules: it gets those of Nonius, which does nothing else here.
    fn build_by_flang(&self, program: &Path, nonius_fortran: &Path) -> Result<()> {
        let mut asked = self.wrapped(nonius_fortran);
        self.add_words(&mut asked);
        let words = run(asked.args(["-###", "-c"]))?;
        let folder = words.split('"').find(|word| word.contains("/mpi-fortran-")).context("no modules")?;
        let mut command = Command::new("flang-22");
        command.arg("-I").arg(folder);
        self.add_words(&mut command);
        command.arg(Path::new(folder).join("libnonius_mpi_fortran.a")).args(match self.library {
            "openmpi" => &["-L/usr/lib/x86_64-linux-gnu/openmpi/lib", "-lmpi_mpifh", "-lmpi"][..],
            _ => &["-lmpichfort", "-lmpich"],
        });
        run(command.arg("-o").arg(program).current_dir(program.with_file_name("")))?;
        Ok(())
    }
}

/// What it says on stderr.
fn run(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("{command:?} cannot be started: './x setup --tests' installs both libraries"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{text}");
    Ok(text)
}
