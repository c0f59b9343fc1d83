//! Build services: what they read, and where they say that the repository is.

use crate::deliver::{self, Outputs};
use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use nonius_finding::Report;
use nonius_report::{Sources, annotate, code_quality, create, junit, markdown};
use std::env;
use std::io::Write;
use std::path::PathBuf;

/// A service that shows lines of a build's log beside the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Service {
    Github,
}

/// The service of this name.
pub fn read(name: &str) -> Result<Service> {
    Service::from_str(name, false).map_err(|_| anyhow!("no annotations are known for '{name}': --annotate github"))
}

/// The findings as lines for the log.
pub fn annotations(report: &Report, service: Service) -> String {
    match service {
        Service::Github => annotate::github(report, &mut sources(), root("GITHUB_WORKSPACE").as_deref()),
    }
}

/// The findings as GitLab's code quality has them.
pub fn code_quality(report: &Report) -> Result<String> {
    Ok(code_quality::write(report, &sources(), root("CI_PROJECT_DIR").as_deref())?)
}

/// Where the summary of a build goes.
pub fn summary() -> PathBuf {
    root("GITHUB_STEP_SUMMARY").unwrap_or_else(|| "nonius.md".into())
}

/// Writes what is asked for.
pub fn write(report: &Report, outputs: &Outputs, sources: &mut Sources) -> Result<()> {
    if let Some(path) = &outputs.markdown {
        // A step may have several programs, and other things to say.
        let text = markdown::write(report, sources);
        let added = create::append(path).and_then(|mut file| file.write_all(text.as_bytes()));
        added.with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &outputs.junit {
        deliver::write(path, &junit::write(report, sources))?;
    }
    if let Some(path) = &outputs.gitlab {
        deliver::write(path, &code_quality(report)?)?;
    }
    Ok(())
}

fn sources() -> Sources {
    Sources::new(env::current_dir().ok())
}

/// A path that the service gives in a variable, such as that of what it checked out.
fn root(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}
