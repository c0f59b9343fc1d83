//! `./x bench`: what Nonius costs, measured beside native code and upstream nsan.
//!
//! Arguments -> plan -> campaign -> results -> table, JSON and chart. Ratios are taken between
//! runs that were interleaved on one machine, so that its moods fall on all of them alike.
//! Exit status: 0 measured, 1 measured but a program failed or its results changed, 2 could not measure.

#![forbid(unsafe_code)]

mod before;
mod bounds;
mod campaign;
mod chart;
mod cli;
mod events;
mod json;
mod long;
mod means;
mod peer;
mod process;
mod progress;
mod race;
mod results;
mod stats;
mod sweep;
mod table;
mod tasks;
mod toolchain;
mod trial;

use anyhow::{Context, Result};
use clap::Parser;
use nonius_bench::{kernel, machine};
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    match bench() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// True if every program ran and every result was the native one.
fn bench() -> Result<bool> {
    let plan = cli::Cli::parse().resolve()?;
    if let Some(earlier) = &plan.before {
        return before::run(&plan, earlier);
    }
    if plan.bounds {
        return bounds::run(&plan);
    }
    if plan.long {
        return long::run(&plan);
    }
    if plan.tasks {
        return tasks::run(&plan);
    }
    if plan.events {
        return events::run(&plan);
    }
    let results = campaign::run(&plan)?;
    let text = table::text(&results);
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    let files =
        [("results.json", json::text(&results)?), ("table.txt", text.clone()), ("chart.svg", chart::svg(&results))];
    for (name, content) in files {
        let path = plan.out.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print!("{text}");
    println!("\nresults: {}/{{table.txt,results.json,chart.svg}}", plan.out.display());
    Ok(results.problems().is_empty())
}
