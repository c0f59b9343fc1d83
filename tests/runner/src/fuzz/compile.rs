//! How a program is compiled: by the plain compiler and by Nonius, with the same flags.

use super::random::Random;
use crate::language::Language;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who compiles, and with what.
#[derive(Clone, Debug)]
pub struct Setup {
    pub nonius: PathBuf,
    pub language: Language,
    pub flags: Vec<String>,
    /// Whether it also runs under the event engine's oracle of residues.
    pub asks_residues: bool,
}

/// Sets of flags, of which each unit gets one.
const C_FLAGS: &[&[&str]] = &[
    &["-O0"],
    &["-O1"],
    &["-O2"],
    &["-O3"],
    &["-Os"],
    &["-O2", "-march=native"],
    &["-O3", "-march=native"],
    &["-O2", "-march=native", "-ffp-contract=off"],
    &["-O2", "-ffp-contract=fast"],
    &["-O3", "-ffp-contract=fast", "-march=native"],
    &["-O2", "-flto", "-fuse-ld=lld"],
    &["-O3", "-flto=thin", "-fuse-ld=lld", "-march=native"],
];

/// The same where the compiler may do algebra, which is for programs without infinities and NaNs.
const FAST_FLAGS: &[&[&str]] = &[
    &["-O2", "-ffast-math"],
    &["-O3", "-ffast-math", "-march=native"],
    &["-O1", "-fno-math-errno", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
];

/// Debug and release as cargo has them, and what else a profile may ask for.
const RUST_FLAGS: &[&[&str]] = &[
    &["-Copt-level=0", "-Cdebug-assertions=yes", "-Cdebuginfo=2"],
    &["-Copt-level=3"],
    &["-Copt-level=1"],
    &["-Copt-level=2", "-Ctarget-cpu=native"],
    &["-Copt-level=s"],
    &["-Copt-level=3", "-Ctarget-cpu=native", "-Ccodegen-units=1"],
];

/// One of the language's sets of flags.
pub fn pick(random: &mut Random, language: Language, may_be_fast: impl Fn() -> bool) -> &'static [&'static str] {
    let sets = match language {
        Language::Rust => RUST_FLAGS,
        _ if random.chance(20) && may_be_fast() => FAST_FLAGS,
        _ => C_FLAGS,
    };
    sets[random.below(sets.len())]
}

impl Setup {
    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }

    /// Whether the compiler may do algebra.
    pub fn is_fast(&self) -> bool {
        is_fast(&self.flags)
    }

    pub fn ignores_signs_of_zero(&self) -> bool {
        self.has("-fno-signed-zeros") || self.has("-ffast-math")
    }

    /// Whether results may differ from what the operations of the source say one by one.
    pub fn may_rearrange(&self) -> bool {
        let fuses = self.has("-march=native") && !self.has("-ffp-contract=off");
        fuses || self.is_fast()
    }

    pub fn file_name(&self) -> &'static str {
        match self.language {
            Language::Cpp => "program.cpp",
            Language::Rust => "program.rs",
            _ => "program.c",
        }
    }

    pub fn plain(&self, source: &Path, binary: &Path) -> Command {
        let mut command = self.language.plain();
        self.arguments(&mut command, source, binary);
        command
    }

    pub fn instrumented(&self, source: &Path, binary: &Path) -> Command {
        let mut command = Command::new(&self.nonius);
        command.args([self.language.wrapper(), "--nonius-verify"]);
        self.arguments(&mut command, source, binary);
        command
    }

    fn arguments(&self, command: &mut Command, source: &Path, binary: &Path) {
        command.args(&self.flags);
        // Not every libgcc converts bfloats.
        command.args(match self.language {
            Language::Rust => &["--edition=2024", "--cap-lints=allow", "-Clink-arg=-lm"][..],
            Language::Cpp => &["-w", "-std=gnu++20", "--rtlib=compiler-rt", "-pthread"],
            _ => &["-w", "-std=gnu17", "--rtlib=compiler-rt", "-pthread"],
        });
        command.arg(source).arg("-o").arg(binary);
        if self.language == Language::Rust {
            // Where it leaves what it makes on the way.
            command.current_dir(binary.parent().unwrap_or(Path::new(".")));
        } else {
            command.arg("-lm");
        }
    }
}

pub fn is_fast(flags: &[impl AsRef<str>]) -> bool {
    flags.iter().map(AsRef::as_ref).any(|f| f.ends_with("-math") && !f.starts_with("-fno-"))
}

/// The command as it is typed, with the files of the working folder.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
