//! Build services: what they read, and where they say that the repository is.

use anyhow::Result;
use clap::ValueEnum;
use nonius_finding::Report;
use nonius_report::{Sources, annotate, code_quality};
use std::env;
use std::path::PathBuf;

/// A service that shows lines of a build's log beside the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Service {
    Github,
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

fn sources() -> Sources {
    Sources::new(env::current_dir().ok())
}

/// What the service checked out, by the variable that says where.
fn root(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}
