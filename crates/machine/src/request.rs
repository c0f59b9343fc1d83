//! What a program asks of a machine by `nonius.h`, and what it is told.

use nonius_abi::Precision;
use nonius_abi::event::Note;
use nonius_finding::{Cause, Finding};

/// A request of the program that is about no register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    BeginStage(u64),
    EndStage(u64),
    /// Analyse from here on, or no more.
    Analyse(bool),
    /// Forget all shadows and statistics; findings stay.
    Reset,
    /// What was found so far is another process's: this one was forked.
    Forked,
    /// What is known of the value that lies in memory.
    Look(Cell),
    /// The same; from now on it is its own ideal, rounded to its format.
    Insert(Cell),
    /// What is known of the value that this thread has just asked for.
    Asked(u32),
}

impl Request {
    /// How it is recorded; what asks for an answer is not.
    pub fn note(self) -> Option<(Note, u64)> {
        match self {
            Request::BeginStage(set) => Some((Note::BeginStage, set)),
            Request::EndStage(set) => Some((Note::EndStage, set)),
            Request::Analyse(on) => Some((Note::Analyse, u64::from(on))),
            Request::Reset => Some((Note::Reset, 0)),
            Request::Forked => Some((Note::Forked, 0)),
            Request::Look(_) | Request::Insert(_) | Request::Asked(_) => None,
        }
    }

    /// The request that a chunk of events is, if it is one.
    pub fn of(words: &[u64]) -> Option<Request> {
        let &[header, word] = words else { return None };
        match Note::of(header)? {
            Note::BeginStage => Some(Request::BeginStage(word)),
            Note::EndStage => Some(Request::EndStage(word)),
            Note::Analyse => Some(Request::Analyse(word != 0)),
            Note::Reset => Some(Request::Reset),
            Note::Forked => Some(Request::Forked),
            _ => None,
        }
    }
}

/// A value in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub address: u64,
    pub format: Precision,
    pub value: f64,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    pub value: f64,
    pub format: Precision,
    pub residue: f64,
    pub ideal: f64,
    /// The ideal in the value's format.
    pub rounded: f64,
    /// How far off the oracle may be.
    pub radius: f64,
    pub causes: Vec<Cause>,
    /// The id of the finding that all this is taken from: after it the shadow restarted from the value.
    pub reported_as: Option<Finding>,
}
