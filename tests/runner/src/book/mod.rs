//! The book: `docs/` as `SUMMARY.md` orders it.
//!
//! ```text
//!  docs/*.md --blocks--> files and commands --session--> what they printed  == what the page says
//!            --stage---> target/book/src (reference generated) --mdbook--> target/book/html --links--> all lead somewhere
//! ```
//! What a page shows was run: a block of code that names a file (`c file=roots.c`) is written to the page's own folder, a
//! `console` block is typed into a shell there, line by line, and must print what stands below each line. `[..]` stands for
//! anything in a line, a line `[...]` for any lines.

pub mod blocks;
pub mod links;
pub mod matching;
pub mod reference;
pub mod session;
pub mod stage;

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn project() -> Result<PathBuf> {
    Ok(crate::tools::tests_root()?.join("..").canonicalize()?)
}

/// The pages that `SUMMARY.md` names, relative to `docs`.
pub fn pages(docs: &Path) -> Result<Vec<PathBuf>> {
    let summary = docs.join("SUMMARY.md");
    let text = fs::read_to_string(&summary).with_context(|| format!("cannot read {}", summary.display()))?;
    let targets = text.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    Ok(targets.filter(|target| !target.is_empty()).map(PathBuf::from).collect())
}
