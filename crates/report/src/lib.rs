//! Reports: the findings of a run as text, JSON, SARIF or HTML.
//!
//! One file a format. Nothing is judged here: what is said follows from the [`nonius_finding::Report`]
//! alone, plus the source lines it points at, which are read from disk if they are still there.

#![forbid(unsafe_code)]

pub mod create;
pub mod dot;
pub mod explain;
pub mod html;
pub mod json;
mod numbers;
pub mod sarif;
mod source;
pub mod text;
mod words;
pub mod wrap;

pub use numbers::ideal;
pub use source::Sources;
pub use text::ColorChoice;
pub use words::gaps;
