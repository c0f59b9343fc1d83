//! What is shown, and in which order: outputs first.
//!
//! A wrong output is what a user of the program sees. A decision that went another way may be one. What was stored,
//! returned or passed and was never seen to get further is folded into a count where the program prints floats at all:
//! else there is nothing to go by, and it is shown. Where nothing else is there to be shown, the worst of it is. Folded is
//! also what has a class. Where that is all there is, residuals are shown, for one may be all that a caller gets of a
//! result, and of the others the worst are named. Nothing that reached an output is folded.

use crate::finding::Finding;
use crate::report::Report;
use crate::vocabulary::{Class, Focus, Kind, ObservedAt, Severity};

/// How far an error came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Out of the program, or to a place where the program asked.
    Output,
    /// To a comparison, choice or conversion, which it decided.
    Decision,
    /// No further than memory, a caller or a callee, as far as was seen.
    Stored,
}

impl Tier {
    pub fn of(finding: &Finding) -> Tier {
        let is_out = |at| matches!(at, ObservedAt::Output | ObservedAt::Api);
        // Of a NaN that was printed it is not always known which one it was.
        let may_be_printed = matches!(finding.kind, Kind::Nan | Kind::Inf) && finding.severity == Severity::Error;
        if is_out(finding.observed_at) || may_be_printed || finding.symptoms.iter().any(|s| is_out(s.observed_at)) {
            Tier::Output
        } else if decides(finding.kind) || finding.symptoms.iter().any(|s| decides(s.kind)) {
            Tier::Decision
        } else {
            Tier::Stored
        }
    }
}

fn decides(kind: Kind) -> bool {
    matches!(kind, Kind::BranchFlip | Kind::CastFlip)
}

/// Whether all that a value decided has a class: for what is shown it was stored and no more.
fn decided_nothing(finding: &Finding) -> bool {
    !decides(finding.kind) && finding.symptoms.iter().all(|s| !decides(s.kind) || s.class.is_some())
}

/// What the user wants to see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Selection {
    pub focus: Focus,
    /// Nothing in focus is folded.
    pub all: bool,
}

impl Selection {
    /// All there is.
    pub const EVERYTHING: Selection = Selection { focus: Focus::All, all: true };

    fn holds(self, tier: Tier) -> bool {
        match self.focus {
            Focus::Output => tier == Tier::Output,
            Focus::Decisions => tier <= Tier::Decision,
            Focus::All => true,
        }
    }
}

/// Why findings are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Folded {
    Class(Class),
    /// Never seen to reach an output, in a program that has some.
    Stored,
    OutOfFocus,
}

/// Findings as they are to be shown.
#[derive(Debug, Default)]
pub struct Arranged<'a> {
    pub shown: Vec<&'a Finding>,
    /// How many are folded, and why.
    pub folded: Vec<(Folded, u64)>,
    /// Of those that have a class, the worst, where nothing is shown.
    pub named: Vec<&'a Finding>,
}

/// Of what is folded so many are shown or named where there is nothing else: a run that fails must say why.
const LEAST_SHOWN: usize = 3;

/// The findings of a report, which is ranked, parted into those that are shown and the rest.
pub fn arrange(report: &Report, selection: Selection) -> Arranged<'_> {
    let mut arranged = Arranged::default();
    let reasons: Vec<Option<Folded>> = report.findings.iter().map(|f| folded(f, report, selection)).collect();
    let mut room = if reasons.contains(&None) { 0 } else { LEAST_SHOWN };
    for (finding, reason) in report.findings.iter().zip(&reasons) {
        let why = match reason {
            Some(Folded::Stored | Folded::Class(Class::Residual)) if room > 0 => {
                room -= 1;
                arranged.shown.push(finding);
                continue;
            }
            Some(why) => *why,
            None => {
                arranged.shown.push(finding);
                continue;
            }
        };
        match arranged.folded.iter_mut().find(|(other, _)| *other == why) {
            Some((_, count)) => *count += 1,
            None => arranged.folded.push((why, 1)),
        }
    }
    arranged.folded.sort();
    if arranged.shown.is_empty() {
        let classed = report.findings.iter().zip(&reasons).filter(|(_, why)| matches!(why, Some(Folded::Class(_))));
        arranged.named = classed.map(|(finding, _)| finding).take(LEAST_SHOWN).collect();
    }
    arranged
}

fn folded(finding: &Finding, report: &Report, selection: Selection) -> Option<Folded> {
    let tier = Tier::of(finding);
    match finding.class {
        _ if !selection.holds(tier) => Some(Folded::OutOfFocus),
        _ if selection.all || tier == Tier::Output => None,
        Some(class) => Some(Folded::Class(class)),
        None => (decided_nothing(finding) && report.summary.outputs > 0).then_some(Folded::Stored),
    }
}

/// How many findings make a run fail: those in focus, folded or not. That an error does no harm is evidence, no proof.
pub fn failing(report: &Report, selection: Selection) -> usize {
    report.findings.iter().filter(|f| selection.holds(Tier::of(f))).count()
}
