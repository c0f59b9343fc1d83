//! The `nonius` command. Called as `nonius-cc`, `nonius-c++` or `nonius-fortran` it is that compiler
//! wrapper, called as `cargo-nonius` it is cargo's subcommand.

#![forbid(unsafe_code)]

mod arguments;
mod browser;
mod commands;
mod coverage;
mod deliver;
mod exit;
mod flags;
mod kept;
mod progress;
mod services;
mod terminal;

use anyhow::Result;
use arguments::{Arguments, Task};
use clap::FromArgMatches;
use exit::Status;
use nonius_driver::Language;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // How 'nonius run' calls itself.
    if words.get(1).is_some_and(|word| word == nonius_driver::SECOND) {
        return nonius_driver::second_run(&words[2..]);
    }
    exit::code(work(&words))
}

fn work(words: &[OsString]) -> Result<Status> {
    let (name, rest) = words.split_first().map_or((OsStr::new("nonius"), words), |(n, r)| (n.as_os_str(), r));
    let task = match pass_through(name, rest) {
        Some(task) => task,
        None => {
            let read = arguments::command().try_get_matches_from(words);
            match read.and_then(|matches| Arguments::from_arg_matches(&matches)) {
                Ok(arguments) => arguments.task,
                Err(error) => return exit::usage(&error),
            }
        }
    };
    match task {
        Task::Cc { words } => commands::compile(Language::C, words),
        Task::Cpp { words } => commands::compile(Language::Cpp, words),
        Task::Fortran { words } => commands::compile(Language::Fortran, words),
        Task::Tool { name, words } => commands::llvm_tool(name, &words),
        Task::Rustc { words } => commands::compile_rust(words),
        Task::Cargo { words } => commands::cargo_nonius(&words),
        Task::Run { words } => commands::run(&words),
        Task::Check { words } => commands::check(&words),
        Task::Replay { words } => commands::replay(&words),
        Task::Explain(explain) => commands::explain(&explain),
        Task::Report(report) => commands::report(&report),
        Task::View(view) => commands::view(&view),
        Task::Browse(browse) => commands::browse(&browse),
        Task::Baseline(baseline) => commands::baseline(&baseline),
        Task::Suppress(suppress) => commands::suppress(&suppress),
        Task::Doctor => commands::doctor(),
        Task::Completions { shell } => commands::completions(shell),
        Task::Man { folder } => commands::man(&folder),
        Task::Version => commands::version(),
    }
}

/// Tasks whose words belong to somebody else, clang or a program, and so are not parsed: even
/// `--help` may be theirs.
fn pass_through(name: &OsStr, rest: &[OsString]) -> Option<Task> {
    let words = |from: usize| rest[from..].to_vec();
    match Path::new(name).file_name().and_then(OsStr::to_str) {
        Some("nonius-cc") => return Some(Task::Cc { words: words(0) }),
        Some("nonius-c++") => return Some(Task::Cpp { words: words(0) }),
        Some("nonius-fortran") => return Some(Task::Fortran { words: words(0) }),
        // CMake takes `nonius-` for the prefix of a toolchain, and looks for these beside the compiler.
        Some("nonius-llvm-ar") => return Some(Task::Tool { name: "llvm-ar", words: words(0) }),
        Some("nonius-llvm-ranlib") => return Some(Task::Tool { name: "llvm-ranlib", words: words(0) }),
        Some("cargo-nonius") => return Some(Task::Cargo { words: words(0) }),
        _ => {}
    }
    // 'nonius run -h' is the short form, and without any word there is nothing to run.
    let asks_for_help = rest.get(1).is_none_or(|word| word == "-h");
    match rest.first()?.to_str()? {
        "cc" => Some(Task::Cc { words: words(1) }),
        "c++" => Some(Task::Cpp { words: words(1) }),
        "fortran" => Some(Task::Fortran { words: words(1) }),
        "rustc" => Some(Task::Rustc { words: words(1) }),
        "run" if !asks_for_help => Some(Task::Run { words: words(1) }),
        "replay" if !asks_for_help => Some(Task::Replay { words: words(1) }),
        "check" if !asks_for_help => Some(Task::Check { words: words(1) }),
        _ => None,
    }
}
