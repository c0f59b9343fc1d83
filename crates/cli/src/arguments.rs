//! The command line of `nonius`, as written.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  nonius check a.c                      compile, run and report in one go
  nonius cc a.c -O2 -o a -lm && ./a     findings on stderr when the program ends
  nonius run ./a input.txt              the same, confirmed and explained by a second run
  make CC=nonius-cc CXX=nonius-c++      a whole project; so do CMake and configure (FC=nonius-fortran)
  cargo nonius test                     a Rust crate's own tests
  nonius report nonius.json --html -o nonius.html

Exit status of run and check: 0 nothing found, 1 findings, 2 Nonius itself failed.
Environment: NONIUS_OPTIONS (key=value:key=value, for programs; help=1 lists the keys),
NONIUS_COMPILE_OPTIONS (see 'nonius cc --nonius-help'), NONIUS_CLANG, NONIUS_FLANG, NONIUS_HOME.";

const RUN_HELP: &str = "\
Every key of NONIUS_OPTIONS can be given as a flag before the program: --key=value.
If anything is found, the program runs again under the event engine, on the same input and with its output
hidden, and MPFR's verdict is joined to the findings: confirmed, refuted or not reproduced, with causes.
--confirm=ORACLE asks another oracle, --confirm=0 none; --oracle=X runs the event engine alone.
The second run leaves nothing behind: what it writes is thrown away. Where that cannot be promised (sockets, a system
without namespaces) it does not take place unless --confirm=1 asks for it. --confirm-time=SECONDS limits it.
--progress=1 shows how far a long run of the event engine is, --progress=0 does not; auto is on a terminal.
--report=FILE keeps the JSON report. NONIUS_OPTIONS=help=1 ./a lists the keys.

Examples:
  nonius run ./a
  nonius run --report=nonius.json ./a -v input.txt
  nonius run -- ./--odd-name";

const REPLAY_HELP: &str = "\
FILE was written by NONIUS_OPTIONS=record=FILE. Oracles: mpfr[:BITS] (2 to 65536, 256 if left out),
double-double, residue, residue-override, native. Keys are those of NONIUS_OPTIONS that say what is reported (threshold,
check_..., resume), report=FILE, stats=1, and machine_mib=N, the memory that may be used.
residue-override goes through FILE again where residues have absorbed what is asked for later, reexecutions=N times
at most.
--progress=1 shows how far it is, --progress=0 does not; auto is on a terminal.

Examples:
  NONIUS_OPTIONS=record=a.events ./a && nonius replay a.events
  nonius replay a.events --oracle=mpfr:512 --report=nonius.json";

const CHECK_HELP: &str = "\
Options of the compiler may follow the files, arguments of the program come after '--'.
The program is compiled with -O2 -g -lm unless told otherwise, and not kept. --confirm= and --progress= mean what they
mean to 'nonius run'; other keys are given in NONIUS_OPTIONS.

Examples:
  nonius check a.c
  nonius check a.cpp b.cpp -O0 -Iinclude -lfoo -- arg1 arg2
  nonius check a.c --confirm=0";

const BASELINE_HELP: &str = "\
The file has an id, a kind and a place for each finding, one a line, and belongs into version control. With
--baseline=FILE the commands run, check, report and 'cargo nonius' count what is in it and fail for other findings alone.

Examples:
  nonius run --report=nonius.json make check && nonius baseline nonius.baseline nonius.json
  nonius run --baseline=nonius.baseline make check
  nonius baseline nonius.baseline --update reports/";

/// Finds where a program's floating-point results go wrong, why, and how badly.
#[derive(Debug, Parser)]
#[command(name = "nonius", version, after_help = EXAMPLES, styles = STYLES, disable_help_subcommand = true)]
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
    /// What 'cargo nonius' does
    #[command(hide = true)]
    Cargo {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Run a program that was compiled by Nonius, and report
    #[command(after_help = RUN_HELP, override_usage = "nonius run [--key=value]... [--] PROGRAM [ARGUMENTS]...")]
    Run {
        #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compile, run and report in one go
    #[command(after_help = CHECK_HELP, override_usage = "nonius check FILE... [COMPILER OPTIONS]... [-- ARGUMENTS...]")]
    Check {
        #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Walk a recorded run again, under any oracle, without the program
    #[command(after_help = REPLAY_HELP, override_usage = "nonius replay FILE [--oracle=X] [--key=value]...")]
    Replay {
        #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Show where the error of one finding came from, operation by operation
    Explain(ExplainArguments),
    /// Show a JSON report as text, JSON, SARIF or HTML
    Report(ReportArguments),
    /// Write a report's findings to a file, so that only new ones fail
    #[command(after_help = BASELINE_HELP)]
    Baseline(BaselineArguments),
    /// Accept a finding: write its suppression, with the reason
    Suppress(SuppressArguments),
    /// Show what Nonius found on this machine, and how to fix what is missing
    Doctor,
}

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The finding, or the beginning of its id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The report that it is in
    #[arg(value_name = "FILE.json", default_value = "nonius.json")]
    pub file: PathBuf,
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
    /// Reports, or folders of them
    #[arg(value_name = "REPORT", default_value = "nonius.json")]
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
    /// The report that it is in
    #[arg(value_name = "REPORT", default_value = "nonius.json")]
    pub report: PathBuf,
}

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Reports, as written by 'nonius run --report=FILE' or NONIUS_OPTIONS=report=FILE, or folders of them: one is
    /// made of all
    #[arg(value_name = "FILE.json", required = true)]
    pub files: Vec<PathBuf>,
    /// Findings that were there before, by 'nonius baseline': the status is 1 if there are others, else 0
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatFlags,
    /// Where to write it; standard output if left out
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Arguments::command().debug_assert();
    }
}
