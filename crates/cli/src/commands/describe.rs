//! What others know of the command line: `nonius completions`, `nonius man`, `nonius version`.

use crate::arguments;
use crate::exit::Status;
use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use nonius_report::create;
use std::path::Path;

/// Completions for a shell, on standard output.
pub fn completions(shell: Shell) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut arguments::command(), "nonius", &mut script);
    super::print(&String::from_utf8_lossy(&script))?;
    Ok(Status::Clean)
}

/// A man page for each command, as files of a folder.
pub fn man(folder: &Path) -> Result<Status> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let command = arguments::command().disable_help_subcommand(true);
    let mut pages = vec![command.clone(), cargo_nonius()];
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("nonius-{}", sub.get_name());
        pages.push(sub.clone().bin_name(name.replacen('-', " ", 1)).display_name(name.clone()).name(name));
    }
    for page in pages {
        let path = folder.join(format!("{}.1", page.get_name()));
        let mut text = Vec::new();
        Man::new(page).manual("Nonius").render(&mut text)?;
        create::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Status::Clean)
}

/// As cargo's own words describe it: its options are those of cargo.
fn cargo_nonius() -> Command {
    Command::new("cargo-nonius")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Build and run a Rust crate with the shadow of every float beside it")
        .override_usage("cargo nonius COMMAND [OPTIONS OF CARGO] [--nonius-...]")
        .after_help(nonius_driver::cargo_help())
}

pub fn version() -> Result<Status> {
    super::print(&format!("nonius {}\n", env!("CARGO_PKG_VERSION")))?;
    Ok(Status::Clean)
}
