//! The compiler wrappers: from the words of `nonius cc`, `nonius c++` and `nonius fortran` to the
//! command of clang or flang that does the work.

use crate::acsl::{self, AcslError, Held};
use crate::additions::Additions;
use crate::compile_options::{self, CompileOptions, OptionError, PASS_OPTIONS, SEPARATOR};
use crate::environment::Environment;
use crate::identity;
use crate::invocation::Invocation;
use crate::mpi;
use crate::pieces::{MissingPiece, Pieces};
use crate::refusal::{self, Refusal};
use crate::response_file::{self, Word};
use crate::toolchain::{self, ToolchainError};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use thiserror::Error;

/// Which driver the wrapper stands in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
}

impl Language {
    /// What build scripts call if nobody says otherwise.
    fn usual_compiler(self) -> &'static str {
        match self {
            Language::C => "cc",
            Language::Cpp => "c++",
            Language::Fortran => "gfortran",
        }
    }
}

impl Language {
    /// The compiler that does the work.
    pub(crate) fn compiler(self, env: &Environment) -> Result<PathBuf, ToolchainError> {
        match self {
            Language::C | Language::Cpp => toolchain::find_clang(env),
            Language::Fortran => toolchain::find_flang(env),
        }
    }
}

/// Why no compiler can be started.
#[derive(Debug, Error)]
pub enum CompileError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    #[error(transparent)]
    Missing(#[from] MissingPiece),
    #[error(transparent)]
    Acsl(#[from] AcslError),
}

/// What a wrapper has to do.
#[derive(Debug)]
pub enum Compile {
    /// Print this and be done.
    Say(String),
    /// Run this in place of the wrapper; what it reads must live until it has ended.
    Run(Box<Command>, Held),
}

/// Turns the wrapper's arguments into the compiler's: all of them, in order, with the additions.
pub fn compile(language: Language, mut args: Vec<OsString>, env: &Environment) -> Result<Compile, CompileError> {
    if env.leaves_code_alone {
        let mut compiler = Command::new(language.usual_compiler());
        compiler.args(args);
        return Ok(Compile::Run(Box::new(compiler), Held::default()));
    }
    if env.compile_options.is_some() && !env.is_under_cargo {
        return Err(OptionError::Unseen.into());
    }
    let chosen = CompileOptions::take(&mut args, env.compile_options.as_deref())?;
    if chosen.help {
        return Ok(Compile::Say(compile_options::help()));
    }
    if chosen.identity {
        return Ok(Compile::Say(identity::of(language, env)?));
    }
    let words = response_file::expand(&args);
    CompileOptions::reject_in_files(&words)?;
    let invocation = match language {
        Language::C | Language::Cpp => Invocation::of_words(&words),
        Language::Fortran => Invocation::of_fortran(&words),
    };
    if let Some(refusal) = refusal::refuse(&invocation) {
        return Err(refusal.into());
    }
    let additions = Additions::for_invocation(&invocation, &Pieces::of(env), language)?;
    let mut annotations = match invocation.preprocesses() {
        true => acsl::prepare(&words, language, chosen.acsl, &Pieces::of(env))?,
        false => acsl::Prepared::default(),
    };
    eprint!("{}", annotations.messages);
    let path = language.compiler(env)?;
    if invocation.starts_linker() && invocation.lto.needs_lld() {
        toolchain::require_lld(&path, env)?;
    }
    let mut compiler = Command::new(path);
    // `-cc1` counts only as the very first word, and calls the compiler proper.
    if language == Language::Cpp && !words.first().is_some_and(|w| w.text.starts_with("-cc1")) {
        compiler.arg("--driver-mode=g++");
    }
    if let Some(stdin) = annotations.stdin.take() {
        compiler.stdin(stdin);
    }
    let mpi = mpi_words(&words, &invocation, language, &mut annotations.held, env)?;
    let args = args.into_iter().filter(|arg| language != Language::Fortran || !is_of_gfortran(arg));
    let args = args.map(|arg| annotations.replaced(arg));
    compiler.args(mpi.before).args(&annotations.before).args(additions.before).args(args).args(additions.after);
    compiler.args(mpi.after);
    let mut options: Vec<String> = chosen.encode().into_iter().collect();
    if invocation.emits_ir {
        options.push("bitcode=1".to_owned());
    }
    // What a wrapper further out has set is not meant for this compile.
    compiler.env_remove(PASS_OPTIONS);
    if !options.is_empty() {
        compiler.env(PASS_OPTIONS, options.join(&SEPARATOR.to_string()));
    }
    Ok(Compile::Run(Box::new(compiler), annotations.held))
}

/// What `mpifort` of a library that was built by gfortran adds, and flang refuses. None of it changes what a program does.
fn is_of_gfortran(word: &OsStr) -> bool {
    const WORDS: &[&str] = &["-fallow-invalid-boz", "-fallow-argument-mismatch", "-fstack-protector-strong"];
    word.to_str().is_some_and(|word| WORDS.contains(&word) || word.starts_with("-ffile-prefix-map="))
}

/// MPI's Fortran modules for a compile; for a link what carries shadows across ranks, before the libraries that it
/// needs, and the procedures of the modules. Without the carrier shadows restart at messages.
fn mpi_words(
    words: &[Word],
    invocation: &Invocation,
    language: Language,
    held: &mut Held,
    env: &Environment,
) -> Result<Additions, CompileError> {
    let mut added = Additions::default();
    if language == Language::Fortran && invocation.preprocesses() {
        match mpi::fortran_modules(words, env) {
            None => {}
            Some(Ok((folder, kept))) => {
                held.keep(kept);
                added.before.extend(["-I".into(), folder.into()]);
            }
            Some(Err(why)) => eprintln!("nonius: note: {why}"),
        }
    }
    if !invocation.links() {
        return Ok(added);
    }
    match mpi::carrier(words, &toolchain::find_clang(env)?) {
        None => return Ok(added),
        Some(Ok((object, folder))) => {
            held.keep(folder);
            added.before.extend(["-Xlinker".into(), object.into()]);
        }
        Some(Err(why)) => eprintln!("nonius: note: shadows restart at MPI messages: {why}"),
    }
    // Behind `--` everything is a file name.
    match mpi::fortran_link_words(words, env).filter(|_| !invocation.double_dash) {
        None => {}
        Some(Ok((words, folder))) => {
            held.keep(folder);
            added.after.extend(words);
        }
        Some(Err(why)) => eprintln!("nonius: note: {why}"),
    }
    Ok(added)
}
