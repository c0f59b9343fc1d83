//! `nonius baseline`, and what `--baseline` does elsewhere.

use super::report;
use crate::arguments::BaselineArguments;
use crate::exit::Status;
use anyhow::{Context, Result, bail};
use nonius_driver::RuntimeOptions;
use nonius_finding::{Baseline, Report};
use nonius_report::{Sources, create};
use std::env;
use std::path::{Path, PathBuf};

/// Writes a baseline from a report.
pub fn baseline(arguments: &BaselineArguments) -> Result<Status> {
    let path = &arguments.file;
    let shown = path.display();
    let before = match path.exists() {
        true if !arguments.update => bail!("{shown} exists: 'nonius baseline {shown} --update' writes it anew"),
        true => Baseline::read(path)?,
        false => Baseline::default(),
    };
    let report = report::read(&arguments.reports)?;
    let sources = Sources::new(env::current_dir().ok());
    let now = Baseline::of(&report, |file| sources.short_path(file).to_owned());
    create::write(path, now.write().as_bytes()).with_context(|| format!("cannot write {shown}"))?;
    let new = now.entries().filter(|entry| !before.has(&entry.id)).count();
    let gone = before.entries().filter(|entry| !now.has(&entry.id)).count();
    let total = now.entries().len();
    let plural = if total == 1 { "" } else { "s" };
    super::print(&format!("{shown}: {total} finding{plural}, {new} new, {gone} gone\n"))?;
    Ok(Status::Clean)
}

/// Takes what a baseline has out of the findings that count.
pub fn apply(report: &mut Report, path: &Path) -> Result<()> {
    let baseline = Baseline::read(path)?;
    baseline.apply(report, &path.display().to_string());
    Ok(())
}

/// The baseline that the options name.
fn named(options: &RuntimeOptions) -> Option<PathBuf> {
    options.get("baseline").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Whether the baseline that the options name can be used.
pub fn check(options: &RuntimeOptions) -> Result<()> {
    named(options).map_or(Ok(()), |path| Ok(Baseline::read(&path).map(|_| ())?))
}

/// Holds a report against the baseline that the options name.
pub fn hold_against(report: &mut Report, options: &RuntimeOptions) -> Result<()> {
    named(options).map_or(Ok(()), |path| apply(report, &path))
}
