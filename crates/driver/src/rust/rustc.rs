//! The wrapper of rustc, by hand (`nonius rustc`) or under cargo, and that of rustdoc for doctests.

use super::request::Request;
use super::toolchain::{RustToolchain, RustToolchainError};
use crate::acsl::Held;
use crate::compile_options::{self, CompileOptions, OptionError, PASS_OPTIONS, SEPARATOR};
use crate::compiler::Compile;
use crate::environment::Environment;
use crate::mpi;
use crate::pieces::{MissingPiece, Pieces};
use rustix::io::FdFlags;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// Tells `cargo-nonius`, called as rustdoc, where the real one is.
pub const RUSTDOC: &str = "NONIUS_RUSTDOC";
/// Tells procedural macros that Nonius compiles the crate.
const WRAPPED: &str = "NONIUS_RUSTC";
/// Lets a stable rustc take `-Z llvm-plugins`: for the crate that it names, and for no other.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

#[derive(Debug, Error)]
pub enum RustError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Toolchain(#[from] RustToolchainError),
    #[error(transparent)]
    Missing(#[from] MissingPiece),
    #[error(
        "target {target} is not supported: Nonius works on x86_64-unknown-linux-gnu, and programs must run here. \
         Leave the target out"
    )]
    Target { target: String },
    #[error(
        "{option} cannot work with Nonius: its runtime is a shared library, and shadow memory needs \
         position-independent programs. Leave it out"
    )]
    Static { option: String },
    #[error("{option} cannot work with Nonius: both own the same part of the address space. Build once with each")]
    Sanitizer { option: String },
    #[error(
        "{option} cannot work with Nonius: instrumented code must not be optimized again, and IR of it would be. \
         Ask for IR in a command of its own, which then leaves the code as it is"
    )]
    Bitcode { option: String },
    #[error("{path} does not run: {why}")]
    Start { path: String, why: String },
}

/// `nonius rustc`: the crate at hand is instrumented, whatever it is.
pub fn compile_rust(mut args: Vec<OsString>, env: &Environment) -> Result<Compile, RustError> {
    if env.compile_options.is_some() && !env.is_under_cargo {
        return Err(OptionError::Unseen.into());
    }
    let chosen = CompileOptions::take(&mut args, env.compile_options.as_deref())?;
    if chosen.help {
        return Ok(Compile::Say(compile_options::help()));
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let request = Request::read(&args);
    let mut command = Command::new(&rustc);
    command.args(&args);
    if request.query || request.proc_macro {
        return Ok(Compile::Run(Box::new(command), Held::default()));
    }
    request.refuse()?;
    RustToolchain::ask(&rustc)?;
    let additions = Additions::of(&request, &Pieces::of(env), &chosen)?;
    additions.apply(&mut command, &request, &chosen);
    carry(&mut command, &args, env);
    Ok(Compile::Run(Box::new(command), Held::default()))
}

/// As `RUSTC_WRAPPER`: the crates of the target are instrumented but for those left out by name.
pub fn rustc_wrapper(rustc: &OsStr, args: &[OsString], env: &Environment) -> Result<Wrapped, RustError> {
    let chosen = CompileOptions::take(&mut Vec::new(), env.compile_options.as_deref())?;
    let request = Request::read(args);
    if args.first().is_some_and(|word| word == "-vV") {
        return Ok(Wrapped::Answer(identity(rustc, args, env, &chosen)?));
    }
    let mut command = Command::new(rustc);
    command.args(args);
    // A build script that asks the compiler what it can do must get the answer of a plain one.
    let probe = env::var_os("NUM_JOBS").is_some() && env::var_os("OUT_DIR").is_some();
    if request.query || request.target.is_none() || request.crate_name.is_none() || probe {
        return Ok(Wrapped::Run(command));
    }
    request.refuse()?;
    let additions = Additions::of(&request, &Pieces::of(env), &chosen)?;
    additions.apply(&mut command, &request, &chosen);
    carry(&mut command, args, env);
    Ok(Wrapped::Run(command))
}

/// Shadows cross MPI ranks if the crate that links MPI takes along what carries them.
fn carry(command: &mut Command, args: &[OsString], env: &Environment) {
    match mpi::rust_words(args, env) {
        None => {}
        Some(Ok(words)) => drop(command.args(words)),
        Some(Err(why)) => eprintln!("nonius: note: shadows restart at MPI messages: {why}"),
    }
}

/// What a wrapper under cargo has to do.
#[derive(Debug)]
pub enum Wrapped {
    Answer(String),
    Run(Command),
}

/// rustc's version, with what else decides what comes out: cargo builds anew when this changes.
fn identity(rustc: &OsStr, args: &[OsString], env: &Environment, chosen: &CompileOptions) -> Result<String, RustError> {
    let output = Command::new(rustc)
        .args(args)
        .output()
        .map_err(|e| RustError::Start { path: rustc.to_string_lossy().into_owned(), why: e.to_string() })?;
    let plugin = Pieces::of(env).plugin()?;
    let stamp = fs::metadata(&plugin).and_then(|m| Ok((m.len(), m.modified()?))).ok();
    let stamp = stamp.and_then(|(bytes, time)| Some((bytes, time.duration_since(UNIX_EPOCH).ok()?.as_nanos())));
    let options = chosen.encode().unwrap_or_default();
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(format!("{version}nonius: {} {stamp:?} {options:?}\n", plugin.display()))
}

/// Called as rustdoc: doctests are programs, and are instrumented too.
pub fn rustdoc_wrapper(args: &[OsString], env: &Environment) -> Result<Command, RustError> {
    let chosen = CompileOptions::take(&mut Vec::new(), env.compile_options.as_deref())?;
    let mut command = Command::new(env::var_os(RUSTDOC).unwrap_or_else(|| "rustdoc".into()));
    command.args(args);
    if args.iter().any(|word| word == "--test") {
        let request = Request::default();
        // A doctest is a crate without a name of its own.
        Additions::of(&request, &Pieces::of(env), &CompileOptions::default())?.apply(&mut command, &request, &chosen);
    }
    Ok(command)
}

/// Words for rustc, behind those of the user.
struct Additions {
    plugin: Option<PathBuf>,
    runtime: PathBuf,
}

impl Additions {
    fn of(request: &Request, pieces: &Pieces, chosen: &CompileOptions) -> Result<Self, MissingPiece> {
        let wanted = request.crate_name.as_deref().is_none_or(|name| chosen.wants_crate(name));
        let plugin = if wanted { Some(pieces.plugin()?) } else { None };
        Ok(Self { plugin, runtime: pieces.runtime()? })
    }

    fn apply(&self, command: &mut Command, request: &Request, chosen: &CompileOptions) {
        if let Some(plugin) = &self.plugin {
            command.arg(joined("-Zllvm-plugins=", one_word(plugin)));
            if !request.debug_level {
                command.arg("-Cdebuginfo=line-tables-only");
            }
            if !request.mangling {
                command.arg("-Csymbol-mangling-version=v0");
            }
            // Without optimization, operators would be calls of functions in other modules.
            if !request.incremental {
                command.arg("-Ccodegen-units=1");
            }
            if env::var_os(BOOTSTRAP).is_none() {
                command.env(BOOTSTRAP, request.crate_name.as_deref().unwrap_or("1"));
            }
        }
        // Nothing may optimize instrumented code again, and without fast-math LTO changes no result.
        command.args(["-Clto=off", "-Clinker-plugin-lto=no", "-Cembed-bitcode=no"]);
        // Names and lines are read from the program when it ends.
        command.arg("-Cstrip=none");
        let folder = self.runtime.parent().unwrap_or(Path::new("/"));
        let words: [&OsStr; 7] = [
            // Vectors grow in precompiled code; the runtime's realloc takes their shadows along.
            OsStr::new("--wrap=realloc"),
            OsStr::new("--push-state"),
            OsStr::new("--no-as-needed"),
            self.runtime.as_os_str(),
            OsStr::new("--pop-state"),
            OsStr::new("-rpath"),
            folder.as_os_str(),
        ];
        // In front of the C library if that can be: then the runtime sees which files are written. The option for
        // it is as new as the one for plugins.
        let option = if self.plugin.is_some() { "-Zpre-link-arg=" } else { "-Clink-arg=" };
        for word in words {
            command.arg(joined(option, "-Xlinker"));
            command.arg(joined(option, word));
        }
        // For the crate `nonius` and its `#[nonius::ignore]`.
        command.args(["--cfg", "nonius", "--check-cfg", "cfg(nonius)"]).env(WRAPPED, "1");
        let mut options = chosen.encode().unwrap_or_default();
        if request.panic_aborts {
            options += &format!("{SEPARATOR}panic-aborts=1");
        }
        if request.emits_ir() {
            options += &format!("{SEPARATOR}bitcode=1");
        }
        command.env(PASS_OPTIONS, options);
    }
}

/// A path without spaces, at which rustc would split the list of plugins: if need be that of an open descriptor, which
/// rustc and the compilers of doctests inherit.
fn one_word(plugin: &Path) -> PathBuf {
    let has_space = plugin.as_os_str().as_bytes().iter().any(u8::is_ascii_whitespace);
    let inherited = || {
        let file = File::open(plugin).ok()?;
        rustix::io::fcntl_setfd(&file, FdFlags::empty()).ok()?;
        // Open for as long as this process lives.
        Some(format!("/proc/self/fd/{}", file.into_raw_fd()).into())
    };
    let inherited = if has_space { inherited() } else { None };
    inherited.unwrap_or_else(|| plugin.to_owned())
}

fn joined(option: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}
