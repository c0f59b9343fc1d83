//! What program and machine say to each other. A chunk's tag has its kind, and the thread it is of.

use nonius_abi::Precision;
use nonius_finding::{Bounds, Cause, Finding, LikelyResult, Location, Observable, OperationStatistics, Summary};
use nonius_machine::{Analysis, Cell, Request, Settled, Sight};
use serde::{Deserialize, Serialize};

/// The kinds of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Records of a thread.
    Events = 1,
    /// Bytes that belong to the chunk of another kind that follows; their number first.
    Part,
    /// An object's tables, as a recording has them.
    Module,
    /// Options that have changed, as text.
    Options,
    Suppression,
    /// The program has reported; the ids that it has printed, by lines.
    Told,
    /// The same, and it ends now.
    Ends,
    Request,
    /// The answers to these are bytes.
    Ask,
    Analysis,
    News,
    /// The program is about to fork; the number of the child's slot.
    Fork,
    Answer,
}

impl Kind {
    pub const ALL: [Kind; 13] = [
        Kind::Events,
        Kind::Part,
        Kind::Module,
        Kind::Options,
        Kind::Suppression,
        Kind::Told,
        Kind::Ends,
        Kind::Request,
        Kind::Ask,
        Kind::Analysis,
        Kind::News,
        Kind::Fork,
        Kind::Answer,
    ];

    pub fn tag(self, thread: u32) -> u64 {
        u64::from(thread) << 32 | self as u64
    }

    /// The kind of a tag, and its thread.
    pub fn of(tag: u64) -> Option<(Kind, u32)> {
        let kind = Kind::ALL.into_iter().find(|kind| *kind as u32 == tag as u32)?;
        Some((kind, (tag >> 32) as u32))
    }
}

/// Bytes as words.
pub fn packed(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// Adds the bytes of a part.
pub fn unpack(part: &[u64], to: &mut Vec<u8>) -> Option<()> {
    let (count, words) = part.split_first()?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    to.extend(bytes.get(..usize::try_from(*count).ok()?)?);
    Some(())
}

/// A request in words.
pub fn request_words(request: Request) -> [u64; 4] {
    let cell = |kind: u64, cell: Cell| [kind, cell.address, cell.format as u64, cell.value.to_bits()];
    match request {
        Request::BeginStage(set) => [0, set, 0, 0],
        Request::EndStage(set) => [1, set, 0, 0],
        Request::Analyse(on) => [2, on.into(), 0, 0],
        Request::Reset => [3, 0, 0, 0],
        Request::Forked => [4, 0, 0, 0],
        Request::Look(of) => cell(5, of),
        Request::Insert(of) => cell(6, of),
        Request::Asked(thread) => [7, thread.into(), 0, 0],
    }
}

pub fn request_of(words: &[u64]) -> Option<Request> {
    let &[kind, first, format, value] = words else { return None };
    let cell = || {
        let format = Precision::ALL.into_iter().find(|precision| *precision as u64 == format)?;
        Some(Cell { address: first, format, value: f64::from_bits(value) })
    };
    Some(match kind {
        0 => Request::BeginStage(first),
        1 => Request::EndStage(first),
        2 => Request::Analyse(first != 0),
        3 => Request::Reset,
        4 => Request::Forked,
        5 => Request::Look(cell()?),
        6 => Request::Insert(cell()?),
        7 => Request::Asked(first as u32),
        _ => return None,
    })
}

/// What of a finding is not part of its JSON.
type Beside = Option<Box<(Location, String)>>;

#[derive(Serialize, Deserialize)]
pub struct SightMessage {
    /// Value, residue, ideal, the ideal rounded, and radius, bit for bit.
    numbers: [u64; 5],
    format: u32,
    causes: Vec<Cause>,
    reported_as: Option<(Finding, Beside)>,
}

impl SightMessage {
    pub fn new(sight: Sight) -> SightMessage {
        let numbers = [sight.value, sight.residue, sight.ideal, sight.rounded, sight.radius].map(f64::to_bits);
        let format = sight.format as u32;
        SightMessage { numbers, format, causes: sight.causes, reported_as: sight.reported_as.map(parted) }
    }

    pub fn sight(self) -> Option<Sight> {
        let [value, residue, ideal, rounded, radius] = self.numbers.map(f64::from_bits);
        let format = Precision::ALL.into_iter().find(|precision| *precision as u32 == self.format)?;
        let reported_as = self.reported_as.map(whole);
        Some(Sight { value, format, residue, ideal, rounded, radius, causes: self.causes, reported_as })
    }
}

fn parted(mut finding: Finding) -> (Finding, Beside) {
    let beside = finding.root_place.take();
    (finding, beside)
}

fn whole((finding, root_place): (Finding, Beside)) -> Finding {
    Finding { root_place, ..finding }
}

/// What a machine makes of a run. Abstract execution, which has more to say, walks in the program.
#[derive(Serialize, Deserialize)]
pub struct AnalysisMessage {
    findings: Vec<(Finding, Beside)>,
    operations: Vec<OperationStatistics>,
    observables: Vec<Observable>,
    results: Vec<LikelyResult>,
    bounds: Vec<Bounds>,
    summary: Summary,
    notes: Vec<String>,
    vague: usize,
    oracle: String,
    pub stopped: Option<String>,
}

impl AnalysisMessage {
    pub fn new(settled: Settled, stopped: Option<String>) -> AnalysisMessage {
        let Settled { analysis, oracle } = settled;
        AnalysisMessage {
            findings: analysis.findings.into_iter().map(parted).collect(),
            operations: analysis.operations,
            observables: analysis.observables,
            results: analysis.results,
            bounds: analysis.bounds,
            summary: analysis.summary,
            notes: analysis.notes,
            vague: analysis.vague,
            oracle: oracle.to_string(),
            stopped,
        }
    }

    pub fn settled(self) -> Option<Settled> {
        let analysis = Analysis {
            findings: self.findings.into_iter().map(whole).collect(),
            operations: self.operations,
            observables: self.observables,
            results: self.results,
            bounds: self.bounds,
            holds_for: None,
            summary: self.summary,
            notes: self.notes,
            vague: self.vague,
        };
        Some(Settled { analysis, oracle: self.oracle.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_requests_read_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of(kind.tag(7)), Some((kind, 7)));
        }
        assert_eq!((Kind::of(0), Kind::of(99)), (None, None));
        let cell = Cell { address: 0x7fff_0008, format: Precision::Float, value: -0.0 };
        let all = [
            Request::BeginStage(3),
            Request::EndStage(4),
            Request::Analyse(true),
            Request::Analyse(false),
            Request::Reset,
            Request::Forked,
            Request::Look(cell),
            Request::Insert(cell),
            Request::Asked(5),
        ];
        for request in all {
            assert_eq!(request_of(&request_words(request)), Some(request));
        }
        assert_eq!(request_of(&[9, 0, 0, 0]), None);
    }

    #[test]
    fn bytes_read_back() {
        for count in [0, 1, 7, 8, 9, 1000] {
            let bytes: Vec<u8> = (0..count).map(|n| n as u8).collect();
            let mut read = Vec::new();
            let part = [vec![count as u64], packed(&bytes)].concat();
            unpack(&part, &mut read).expect("a part");
            assert_eq!(read, bytes);
        }
        assert_eq!(unpack(&[9, 1], &mut Vec::new()), None);
    }

    #[test]
    fn a_sight_keeps_every_bit() {
        let sight = Sight {
            value: f64::NAN,
            format: Precision::Double,
            residue: f64::INFINITY,
            ideal: -0.0,
            rounded: 5e-324,
            radius: 0.1,
            causes: Vec::new(),
            reported_as: None,
        };
        let bytes = serde_json::to_vec(&SightMessage::new(sight.clone())).expect("bytes");
        let read = serde_json::from_slice::<SightMessage>(&bytes).ok().and_then(SightMessage::sight).expect("a sight");
        assert_eq!(read.value.to_bits(), sight.value.to_bits());
        assert_eq!(Sight { value: 0.0, ..read }, Sight { value: 0.0, ..sight });
    }
}
