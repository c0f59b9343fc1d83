//! Symptoms: where else the error of a root was seen.

use super::{clean, observable, position};
use crate::numbers::{bits_lost, decimal_of, ideal, integer, times};
use crate::source::Sources;
use nonius_finding::{Finding, Kind, Symptom};

/// What comes before the list.
pub(crate) const HEAD: &str = "the same error was also seen, outputs and decisions first:";

/// A symptom in one line: `in output at a.c:11:5: value 31462416, ideal 34306272, 50 of 53 bits lost`.
pub(crate) fn symptom(s: &Symptom, sources: &Sources) -> String {
    let place = position(&s.location, sources);
    let how_often = if s.count > 1 { format!("; {}", times(s.count)) } else { String::new() };
    format!("in {} at {place}: {}{how_often}", observable(s.observed_at).unwrap_or("an operation"), what(s))
}

fn what(s: &Symptom) -> String {
    let w = &s.worst;
    match s.kind {
        Kind::BranchFlip => format!("{}, with ideal operands {}", super::truth(w.value), super::truth(w.shadow)),
        Kind::CastFlip => format!("{}, ideally {}", integer(w.value), integer(w.shadow)),
        Kind::Nan => "a NaN".to_owned(),
        Kind::Inf => "an infinity".to_owned(),
        _ => {
            let value = decimal_of(w.value, w.precision);
            format!("value {value}, ideal {}, {} lost", ideal(w.shadow, w.radius), bits_lost(w))
        }
    }
}

/// The error came from elsewhere, and the engine does not know from where.
pub(crate) fn inherited(f: &Finding) -> Option<String> {
    f.inherited.then(|| {
        let through = clean(&f.operation);
        format!("a symptom: the value came in wrong through a {through}; 'nonius run' follows it to its root")
    })
}
