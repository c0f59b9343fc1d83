//! `./x accuracy`: see the library.
//!
//! Exit status: 0 measured, 1 measured but a program failed under Nonius or printed something else, 2 could not measure.

#![forbid(unsafe_code)]

use anyhow::{Context, Result};
use clap::Parser;
use nonius_accuracy::{campaign, cli::Cli, table};
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    match accuracy() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// True if every program could be measured.
fn accuracy() -> Result<bool> {
    let plan = Cli::parse().resolve()?;
    let results = campaign::run(&plan)?;
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    let files = [("results.json", results.json()?), ("table.txt", table::text(&results, true))];
    for (name, content) in files {
        let path = plan.out.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print!("{}", table::text(&results, plan.verbose));
    println!("\nresults: {}/{{table.txt,results.json}}", plan.out.display());
    Ok(results.failures().is_empty())
}
