//! Findings: what the engines conclude, and what the reports show.
//!
//! An engine fills [`Finding`]s. [`merge`] makes one of all that speak of the same site,
//! [`Suppressions`] drops those the user has explained away, [`rank`] puts the worst first, and a
//! [`Report`] carries the rest to whoever prints it. Nothing here prints, and no value is judged
//! here: how wrong a value is comes from the engine.

#![forbid(unsafe_code)]

mod assertion;
mod baseline;
mod bounds;
mod cause;
mod class;
mod confirmation;
mod coverage;
mod finding;
mod float;
mod for_inputs;
mod glob;
mod identity;
mod location;
mod merge;
mod report;
mod statistics;
mod suppress;
mod symptom;
mod tier;
mod vocabulary;
mod worst;

pub use assertion::{Assertion, Proof, ProvedFor};
pub use baseline::{Baseline, BaselineEntry, BaselineError, BaselineFault, BaselineOutcome, MAX_BASELINE_BYTES};
pub use bounds::{Bounds, ErrorSource, HoldsFor, Range};
pub use cause::{Cause, Growth, Measured};
pub use class::{Marks, are_alike, are_nearly_equal, classify, is_threshold_on_residual, is_tolerance_test};
pub use confirmation::Confirmation;
pub use coverage::{Coverage, LeftAlone, Unshadowed};
pub use finding::Finding;
pub use float::hex_float;
pub use for_inputs::{Example, ForInputs, InputValue};
pub use glob::Glob;
pub use identity::{Ids, Source, identify, without_number};
pub use location::{Frame, Location};
pub use merge::{compare, merge, rank, united_ranks};
pub use nonius_numerics::Precision;
pub use report::{Program, Report, SCHEMA, Summary, Suppressed, SuppressionRecord, Tool};
pub use statistics::{ErrorSamples, LikelyResult, MOST_RESULTS, Observable, OperationStatistics};
pub use suppress::{Applied, Fault, MAX_FILE_BYTES, Resume, Suppression, SuppressionError, Suppressions, Target};
pub use symptom::{Symptom, united};
pub use tier::{Arranged, Folded, Selection, Tier, arrange, failing};
pub use vocabulary::{Class, Focus, Kind, LeftAloneFor, Loss, ObservedAt, Severity, UnknownWord, Verdict};
pub use worst::{Operand, Worst};
