//! `oracle=auto`: what an oracle leaves open is asked of the next finer one, on the same events, until nothing is open,
//! time is over, or there is no finer one. The finest that came to an end has the last word. An ideal that a finding shows,
//! and of which no digit is known, is asked for in the same way: Rump's polynomial is a finding by double-double, but
//! what it should have been is not known before 256 bits.
//!
//! All events are walked each time, not only those that an open verdict hangs on: shadows come from anywhere before it, and
//! what a value's history is, the coarser execution has not kept.
//!
//! Past the precision that has the last word on zeros, one that closes nothing that the one before it left open is the
//! last: an iteration that goes on after it has converged doubles its noise at every step, and no precision ends that.

use crate::machine::{Analysis, Engine, engine};
use crate::options::Options;
use nonius_oracle::Spec;

/// An analysis, and the oracle that it is by.
#[derive(Clone, Debug)]
pub struct Settled {
    pub analysis: Analysis,
    pub oracle: Spec,
}

impl Settled {
    /// Whether a finer oracle, given what the next one has found, may close what it has left open.
    fn is_worth_more_bits(&self, next: &Analysis, zero_bits: u32) -> bool {
        let has_last_word = matches!(self.oracle, Spec::Mpfr { bits } if bits > zero_bits);
        !has_last_word || next.unsettled() < self.analysis.unsettled()
    }
}

/// Whether a machine was given all events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fed {
    All,
    /// Time was over before.
    Late,
}

/// Goes on from what `coarse` has left open. `feed` hands all events to a machine.
pub fn escalated<E>(
    options: &Options,
    coarse: Settled,
    mut feed: impl FnMut(&mut dyn Engine) -> Result<Fed, E>,
) -> Result<Settled, E> {
    let mut best = coarse;
    let mut asked: Vec<Asked> = Vec::new();
    let mut is_late = false;
    let mut helps = true;
    while best.analysis.may_be_closed() && helps && !is_late {
        let Some(finer) = best.oracle.finer() else { break };
        let mut machine = engine(finer, options.clone());
        match feed(&mut *machine)? {
            Fed::Late => is_late = true,
            Fed::All => {
                asked.push(Asked { oracle: best.oracle, open: best.analysis.open(), vague: best.analysis.vague });
                let closer = Settled { analysis: machine.analysis(), oracle: finer };
                helps = best.is_worth_more_bits(&closer.analysis, options.zero_bits);
                best = closer;
            }
        }
    }
    let note = note(&asked, &best, is_late);
    best.analysis.notes.extend(note);
    Ok(best)
}

/// An oracle that did not have the last word, and what it left to finer ones.
struct Asked {
    oracle: Spec,
    open: usize,
    vague: usize,
}

/// What the user must know of it.
fn note(asked: &[Asked], best: &Settled, is_late: bool) -> Option<String> {
    let mut text = match asked {
        [] if !is_late => return None,
        [] if best.analysis.open() == 0 => format!("{} left ideals without a known digit", best.oracle),
        [] => format!("{} left verdicts open", best.oracle),
        [Asked { oracle, open: 0, vague }, ..] => {
            let ideals = if *vague == 1 { "an ideal".to_owned() } else { format!("{vague} ideals") };
            format!("{oracle} left {ideals} without a known digit, {} had the last word", best.oracle)
        }
        [Asked { oracle, open, .. }, ..] => {
            format!("{oracle} left {open} verdict{} open, {} had the last word", plural(*open), best.oracle)
        }
    };
    if is_late {
        text += "; there was no time for a finer oracle (confirm_time= sets it, 0 is no limit)";
    }
    Some(text)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Location, Observable, ObservedAt};

    fn settled(oracle: Spec, open: u64) -> Settled {
        let location = Location::default();
        let observed_at = ObservedAt::Output;
        let seen = Observable {
            location,
            observed_at,
            count: 3,
            max_error: 0.0,
            not_followed: 0,
            open,
            undefined: 0,
            open_by_constants: 0,
        };
        Settled { analysis: Analysis { observables: vec![seen], ..Analysis::default() }, oracle }
    }

    #[test]
    fn a_closed_verdict_is_not_asked_again() {
        let all = |_: &mut dyn Engine| -> Result<Fed, ()> { panic!("nothing is open") };
        let best = escalated(&Options::default(), settled(Spec::DoubleDouble, 0), all).unwrap();
        assert_eq!((best.oracle, best.analysis.notes.len()), (Spec::DoubleDouble, 0));
    }

    #[test]
    fn the_next_finer_oracle_decides() {
        let mut asked = 0;
        // A machine without events leaves nothing open.
        let feed = |_: &mut dyn Engine| {
            asked += 1;
            Ok::<_, ()>(Fed::All)
        };
        let best = escalated(&Options::default(), settled(Spec::DoubleDouble, 2), feed).unwrap();
        assert_eq!((best.oracle, asked), (Spec::Mpfr { bits: 256 }, 1));
        assert_eq!(best.analysis.notes, ["double-double left 2 verdicts open, mpfr:256 had the last word"]);
    }

    #[test]
    fn an_ideal_that_is_shown_is_asked_for() {
        let mut coarse = settled(Spec::DoubleDouble, 0);
        coarse.analysis.vague = 1;
        let best = escalated(&Options::default(), coarse.clone(), |_| Ok::<_, ()>(Fed::All)).unwrap();
        let note = "double-double left an ideal without a known digit, mpfr:256 had the last word";
        assert_eq!((best.oracle, best.analysis.notes), (Spec::Mpfr { bits: 256 }, vec![note.to_owned()]));
        let late = escalated(&Options::default(), coarse, |_| Ok::<_, ()>(Fed::Late)).unwrap();
        assert!(late.analysis.notes[0].starts_with("double-double left ideals without a known digit; there was"));
    }

    #[test]
    fn bits_that_close_nothing_are_the_last() {
        let goes_on = |bits, open: [u64; 2]| {
            let [before, next] = open.map(|open| settled(Spec::Mpfr { bits }, open));
            before.is_worth_more_bits(&next.analysis, 4096)
        };
        assert!(goes_on(4096, [3, 3]) && goes_on(8192, [3, 2]));
        assert!(!goes_on(8192, [3, 3]) && !goes_on(8192, [3, 4]));
    }

    #[test]
    fn what_there_is_no_time_for_stays_open() {
        let feed = |_: &mut dyn Engine| Ok::<_, ()>(Fed::Late);
        let best = escalated(&Options::default(), settled(Spec::Mpfr { bits: 256 }, 1), feed).unwrap();
        assert_eq!((best.oracle, best.analysis.open()), (Spec::Mpfr { bits: 256 }, 1));
        assert!(best.analysis.notes[0].starts_with("mpfr:256 left verdicts open; there was no time"));
    }
}
