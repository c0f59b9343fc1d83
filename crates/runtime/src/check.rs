//! Verdicts: pure functions from what a hook was handed to whether it is a finding; the same for both engines.

pub use nonius_machine::verdict::*;
