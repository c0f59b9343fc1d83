//! Reports: the findings of a run as text, JSON, SARIF, HTML, and as build services read them.
//!
//! One file a format. Nothing is judged here: what is said follows from the [`nonius_finding::Report`]
//! alone, plus the source lines it points at, which are read from disk if they are still there.

#![forbid(unsafe_code)]

pub mod annotate;
mod assertions;
mod bounds;
pub mod code_quality;
pub mod create;
pub mod dot;
pub mod explain;
pub mod html;
pub mod json;
pub mod junit;
pub mod line;
pub mod markdown;
mod numbers;
mod repository;
pub mod sarif;
mod source;
pub mod text;
mod words;
pub mod wrap;

use nonius_finding::Finding;

pub use numbers::ideal;
pub use source::Sources;
pub use text::ColorChoice;
pub use words::{clean, gaps, headline, position};

/// Gives findings the ids that they keep, by what their lines say.
pub fn identify(findings: &mut [Finding], sources: &mut Sources) {
    nonius_finding::identify(findings, &mut |file, line| sources.lines(file, line..line.saturating_add(1)).pop());
}
