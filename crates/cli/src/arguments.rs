//! The command line of `nonius`, as written and as described.

use crate::exit::Status;
use crate::flags;
use crate::services::Service;
use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, ArgAction, Args, Command, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use nonius_options::{Flag, KEYS, Key, Takes, dashed};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  nonius check a.c                   compile, run and report in one go
  nonius cc a.c -O2 -o a -lm && ./a  findings on stderr when the program ends
  nonius run ./a input.txt           the same, confirmed and explained
  nonius explain ID                  where the error of a finding comes from
  nonius report --html --open        the last report, in the browser
  nonius view                        the same, and shown anew after each run
  nonius browse                      the same in the terminal
  make CC=nonius-cc CXX=nonius-c++   a whole project, also with CMake
  cargo nonius test                  a Rust crate's own tests

Exit status of run and check: that of the program if it failed, else 1 with findings (or exitcode=), 0 without, and 2 if \
Nonius itself failed.
Environment: NONIUS_OPTIONS (key=value:key=value, for programs; help=1 lists the keys), NONIUS_CLANG, NONIUS_FLANG, \
NONIUS_HOME.";

const RUN_HELP: &str = "\
Options come before the program, as --key value or --key=value; switches stand alone. Each key is also one of \
NONIUS_OPTIONS=key=value:key=value.

If anything is found, the program runs again under the event engine, on the same input and with its output hidden, and \
MPFR's verdict is joined to the findings: confirmed, refuted or not reproduced, with causes. The second run leaves nothing \
behind: what it writes is thrown away. Where that cannot be promised (sockets, a system without namespaces) it does not take \
place unless --confirm=1 asks for it.

Exit status: the program's own if it failed (128 and the signal if one ended it), else 1 with findings (or exitcode=), 0 \
without, and 2 if Nonius itself failed.

Examples:
  nonius run ./a
  nonius run --report nonius.json ./a -v input.txt
  nonius run --html --open ./a
  nonius run ctest
  nonius run -- ./--odd-name";

const REPLAY_HELP: &str = "\
FILE was written by NONIUS_OPTIONS=record=FILE. Oracles: mpfr[:BITS] (2 to 65536, 256 if left out), double-double, residue, \
residue-override, native. residue-override goes through FILE again where residues have absorbed what is asked for later, \
reexecutions=N times at most.

Examples:
  NONIUS_OPTIONS=record=a.events ./a && nonius replay a.events
  nonius replay a.events --oracle mpfr:512 --report nonius.json";

const CHECK_HELP: &str = "\
Options of 'nonius run' and of the compiler may be mixed with the files, arguments of the program come after '--'. The \
program is compiled with -O2 -g -lm unless told otherwise, and not kept.

Examples:
  nonius check a.c
  nonius check a.cpp b.cpp -O0 -Iinclude -lfoo -- arg1 arg2
  nonius check a.c --confirm 0 --html";

const VIEW_HELP: &str = "\
The page is served to this machine alone, at an address that nobody can guess, until Ctrl-C. Run the program again, with the
same --report or with none, and the page shows the new report.

Examples:
  nonius view                              the last report of this folder, and each that comes after it
  nonius view nonius.json
  nonius view --no-open --port 8080        for a tunnel: ssh -L 8080:127.0.0.1:8080 HOST";

const BASELINE_HELP: &str = "\
The file has an id, a kind and a place for each finding, one a line, and belongs into version control. With
--baseline=FILE the commands run, check, report and 'cargo nonius' count what is in it and fail for other findings alone.

Examples:
  nonius run --report=nonius.json make check && nonius baseline nonius.baseline nonius.json
  nonius run --baseline=nonius.baseline make check
  nonius baseline nonius.baseline --update reports/";

/// Finds where a program's floating-point results go wrong, why, and how badly.
#[derive(Debug, Parser)]
#[command(name = "nonius", version, after_help = EXAMPLES, styles = STYLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub task: Task,
}

const STYLES: Styles =
    Styles::styled().header(AnsiColor::Green.on_default().bold()).usage(AnsiColor::Green.on_default().bold());

#[derive(Debug, Subcommand)]
pub enum Task {
    /// Compile C as clang does, with the shadow put in; takes every option of clang
    #[command(disable_help_flag = true)]
    Cc {
        #[arg(value_name = "CLANG ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compile C++ as clang++ does, with the shadow put in
    #[command(name = "c++", disable_help_flag = true)]
    Cpp {
        #[arg(value_name = "CLANG ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compile Fortran as flang does, with the shadow put in
    #[command(disable_help_flag = true)]
    Fortran {
        #[arg(value_name = "FLANG ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compile one Rust crate as rustc does, with the shadow put in
    #[command(disable_help_flag = true)]
    Rustc {
        #[arg(value_name = "RUSTC ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// What a tool of LLVM does that is called by a name of ours
    #[command(skip)]
    Tool { name: &'static str, words: Vec<OsString> },
    /// What 'cargo nonius' does
    #[command(hide = true)]
    Cargo {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Run a program that was compiled by Nonius, and report
    #[command(after_help = RUN_HELP, override_usage = "nonius run [OPTIONS] [--] PROGRAM [ARGUMENTS]...")]
    Run {
        #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compile, run and report in one go
    #[command(after_help = CHECK_HELP, override_usage = "nonius check [OPTIONS] FILE... [COMPILER OPTIONS]... [-- ARGUMENTS...]")]
    Check {
        #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Walk a recorded run again, under any oracle, without the program
    #[command(after_help = REPLAY_HELP, override_usage = "nonius replay FILE [OPTIONS]")]
    Replay {
        #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Show where the error of one finding came from, operation by operation
    Explain(ExplainArguments),
    /// Show a JSON report as text, JSON, SARIF, HTML, or as build services read it
    Report(ReportArguments),
    /// Show a report in the browser, and show it anew whenever it changes
    #[command(after_help = VIEW_HELP)]
    View(ViewArguments),
    /// Read a report in the terminal: findings, their causes, the source
    Browse(BrowseArguments),
    /// Write a report's findings to a file, so that only new ones fail
    #[command(after_help = BASELINE_HELP)]
    Baseline(BaselineArguments),
    /// Accept a finding: write its suppression, with the reason
    Suppress(SuppressArguments),
    /// Show what Nonius found on this machine, and how to fix what is missing
    Doctor,
    /// Print completions for a shell: source <(nonius completions bash)
    Completions { shell: Shell },
    /// Write the man pages to a folder
    #[command(hide = true)]
    Man { folder: PathBuf },
    /// Print the version
    Version,
}

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The finding, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The report that it is in, if it is not one of the last
    #[arg(value_name = "FILE.json")]
    pub file: Option<PathBuf>,
    /// As a graph for Graphviz: nonius explain ID --dot | dot -Tsvg
    #[arg(long)]
    pub dot: bool,
}

#[derive(Debug, Args)]
pub struct BaselineArguments {
    /// The baseline
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write it anew if it is there: what is not found any more goes, what is new comes
    #[arg(long)]
    pub update: bool,
    /// Reports, or folders of them; the last report if left out
    #[arg(value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SuppressArguments {
    /// The finding, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Why it is acceptable
    #[arg(long, value_name = "WHY")]
    pub reason: String,
    /// The file that suppressions are in; nonius.supp of the project if left out
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The report that it is in; the last one that has it if left out
    #[arg(value_name = "REPORT")]
    pub report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Reports, as written by 'nonius run --report=FILE' or NONIUS_OPTIONS=report=FILE, or folders of them: one is
    /// made of all. The last one if left out
    #[arg(value_name = "FILE.json")]
    pub files: Vec<PathBuf>,
    /// Findings that were there before, by 'nonius baseline': the status is 1 if there are others, else 0
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatFlags,
    /// Where to write it; standard output if left out
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Show it in the browser, as HTML
    #[arg(long, conflicts_with_all = ["text", "json", "sarif", "markdown", "junit", "gitlab", "annotate"])]
    pub open: bool,
}

#[derive(Debug, Args)]
pub struct BrowseArguments {
    /// Reports, or folders of them: one is made of all. The last one if left out
    #[arg(value_name = "REPORT")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ViewArguments {
    /// Reports, or folders of them: one is made of all. The last one if left out
    #[arg(value_name = "REPORT")]
    pub files: Vec<PathBuf>,
    /// The port to listen on; any free one if left out
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address and open nothing
    #[arg(long)]
    pub no_open: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct FormatFlags {
    /// As a compiler would say it (default)
    #[arg(long)]
    pub text: bool,
    /// The report itself, checked and indented
    #[arg(long)]
    pub json: bool,
    /// For code scanners and editors
    #[arg(long)]
    pub sarif: bool,
    /// One page that needs no other file
    #[arg(long)]
    pub html: bool,
    /// The summary of a build: a sentence, a table, details folded
    #[arg(long)]
    pub markdown: bool,
    /// As tests that failed, for any build service
    #[arg(long)]
    pub junit: bool,
    /// For GitLab's code quality
    #[arg(long)]
    pub gitlab: bool,
    /// As annotations in the log of a build service
    #[arg(long, value_name = "SERVICE")]
    pub annotate: Option<Service>,
}

/// The whole definition, with the options of a run where they belong. For help, completions and man pages: the words of
/// 'nonius run' and its like are read by [`crate::flags`].
pub fn command() -> Command {
    let mut command = Arguments::command();
    for (name, own) in [("run", flags::RUN), ("check", flags::RUN), ("replay", flags::REPLAY)] {
        command =
            command.mut_subcommand(name, |sub| sub.args(own.iter().map(of_flag)).args(KEYS.iter().filter_map(of_key)));
    }
    for name in ["cc", "c++", "fortran", "rustc"] {
        command = command.mut_subcommand(name, |sub| sub.after_help(nonius_driver::compile_help()));
    }
    command
}

fn of_flag(flag: &Flag) -> Arg {
    let arg = Arg::new(flag.name).long(flag.name).help(flag.help);
    match flag.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::Value(name) => arg.value_name(name),
        Takes::Maybe(name) => arg.value_name(name).num_args(0..=1).require_equals(true),
    }
}

/// Keys that 'nonius run -h' shows; --help has all.
const COMMON: &[&str] =
    &["threshold", "suppressions", "report", "oracle", "exitcode", "min_coverage", "verbose", "quiet"];

fn of_key(key: &'static Key) -> Option<Arg> {
    // clap has a --help of its own, which means the same.
    if key.name == "help" {
        return None;
    }
    let default = if key.default.is_empty() { "none" } else { key.default };
    let arg = Arg::new(key.name)
        .long(dashed(key.name))
        .help(format!("{} [default: {default}]", key.help))
        .help_heading("Keys")
        .hide_short_help(!COMMON.contains(&key.name));
    Some(match key.value() {
        None => arg.action(ArgAction::Set).num_args(0..=1).require_equals(true).value_name("0|1"),
        Some(name) => arg.value_name(name),
    })
}

/// Whether the first word asks for help.
pub fn ask_for_help(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| word == "--help" || word == "-h")
}

/// Prints all that there is to say of a command.
pub fn help(name: &str) -> Result<Status> {
    let mut command = command();
    command.build();
    match command.find_subcommand_mut(name) {
        Some(sub) => sub.print_long_help()?,
        None => command.print_long_help()?,
    }
    Ok(Status::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_holds_together() {
        command().debug_assert();
    }

    #[test]
    fn help_knows_every_key() {
        let text = command().find_subcommand_mut("run").unwrap().render_long_help().to_string();
        assert!(KEYS.iter().all(|key| text.contains(&format!("--{}", dashed(key.name)))), "{text}");
    }
}
