//! What became of assertions, in lines.

use crate::words::clean;
use nonius_finding::{Proof, ProvedFor, Report};

/// How many held, and which did not or are not known to. Those are findings too, and shown in full there.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    let all = &report.assertions;
    if all.is_empty() {
        return Vec::new();
    }
    let count = |verdict| all.iter().filter(|a| a.verdict == verdict).count();
    let (failed, unknown, proved) = (count(Proof::Failed), count(Proof::Unknown), count(Proof::Proved));
    let holds_for = all.iter().filter(|a| a.verdict == Proof::Proved).map(|a| a.holds_for).max();
    let scope = match holds_for {
        Some(ProvedFor::AllInputs) => " for all inputs of the declared ranges",
        Some(ProvedFor::ThisPath) => " for inputs that take this run's way through every test",
        _ => " in this run",
    };
    let assertions = if all.len() == 1 { "assertion" } else { "assertions" };
    let mut parts = Vec::new();
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    if unknown > 0 {
        parts.push(format!("{unknown} not known"));
    }
    parts.push(format!("{proved} held{}", if proved > 0 { scope } else { "" }));
    let mut lines = vec![format!("{} {assertions}: {}", all.len(), parts.join(", "))];
    let open = all.iter().filter(|a| a.verdict != Proof::Proved);
    lines.extend(open.take(MOST).map(|a| {
        let verdict = if a.verdict == Proof::Failed { "failed" } else { "not known" };
        let (file, line) = (clean(a.location.file_name()), a.location.line);
        format!("    {verdict} at {file}:{line}: {} {}", clean(&a.clause), clean(&a.text))
    }));
    lines
}

/// Assertions that are named.
const MOST: usize = 10;
