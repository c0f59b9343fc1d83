//! A finding in one line, for debuggers and annotations.

use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::Finding;

/// `error[precision-loss]: 50 of 53 bits lost in subtraction, seen in output, at a.c:10:16; finding 658e198112ea`.
pub fn of_finding(f: &Finding, sources: &Sources) -> String {
    let place = words::position(&f.location, sources);
    let region = f.region.as_ref().map(|r| format!(", in region '{}'", clean(r))).unwrap_or_default();
    format!("{}[{}]: {}, at {place}{region}; finding {}", f.severity, f.kind, words::headline(f), clean(&f.id))
}
