//! The image of a process: what the inline engine has found, in memory that outlives the process. `nonius run` makes the
//! file, without a name in any folder; each process of the run takes a slot of it and works there in place of memory of its
//! own. Of a process that is killed, `nonius run` has the slot read, and reported.
//!
//! ```text
//!  0        PAGE                                                  PAGE + SLOT_BYTES
//!  | taken  | head | log | places | stacks | tallies              | head | ...
//!             |      |
//!             |      +-- records, one behind the other: see `record`
//!             +-- words: state, process id, bytes of log, build
//! ```
//! The file is sparse: what is never written takes no memory. Sections past the log have the runtime's own layout, which its
//! build stands for.
#![forbid(unsafe_code)]

pub mod record;

pub use record::{Object, Record, records};

/// The environment variable that names the file, for all processes of a run.
pub const VARIABLE: &str = "NONIUS_IMAGE";
/// Beside it, the number of a slot: the runtime reports what lies there, and ends.
pub const READ: &str = "NONIUS_IMAGE_READ";

/// The first word of the file counts the slots that are taken; the rest of this page is empty.
pub const PAGE: u64 = 4096;
/// Most processes of a run that have an image.
pub const SLOTS: u64 = 1 << 16;
pub const SLOT_BYTES: u64 = 12 << 30;
pub const FILE_BYTES: u64 = PAGE + SLOTS * SLOT_BYTES;
const _: () = assert!(FILE_BYTES < 1 << 62, "the kernel has room for such files");

/// A part of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Head,
    Log,
    Places,
    Stacks,
    Tallies,
}

pub const SECTIONS: [Section; 5] = [Section::Head, Section::Log, Section::Places, Section::Stacks, Section::Tallies];

impl Section {
    pub const fn bytes(self) -> u64 {
        match self {
            Section::Head => PAGE,
            Section::Log => 1 << 30,
            Section::Places => 1 << 24,
            Section::Stacks => 1 << 30,
            Section::Tallies => 1 << 33,
        }
    }

    /// Where it lies in the file.
    pub fn offset(self, slot: u64) -> u64 {
        let before: u64 = SECTIONS.iter().take_while(|section| **section != self).map(|section| section.bytes()).sum();
        PAGE + slot * SLOT_BYTES + before
    }
}

/// Words of the head, by their index.
pub mod head {
    /// A [`State`](super::State).
    pub const STATE: usize = 0;
    pub const PID: usize = 1;
    pub const LOG_BYTES: usize = 2;
    pub const BUILD: usize = 3;
    pub const WORDS: usize = 4;
}

/// What is known of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody's.
    Empty = 0,
    /// Something was found that is in no report.
    Untold = 1,
    /// All is in a report.
    Told = 2,
    /// Its process has found nothing so far.
    Started = 3,
    /// A report is being made of what was found.
    Telling = 4,
}

impl State {
    /// Whether a process that is gone has left something that is in no report.
    pub fn is_lost(word: u64) -> bool {
        word == State::Untold as u64 || word == State::Started as u64 || word == State::Telling as u64
    }
}

/// Tells builds apart, so that nobody reads what another laid out.
pub fn build(layout: &[usize]) -> u64 {
    let version = concat!(env!("CARGO_PKG_VERSION"), " image 1").bytes().map(u64::from);
    let words = version.chain(layout.iter().map(|word| *word as u64));
    // FNV-1a.
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_a_slot_do_not_overlap() {
        for pair in SECTIONS.windows(2) {
            assert_eq!(pair[0].offset(3) + pair[0].bytes(), pair[1].offset(3));
        }
        let last = Section::Tallies;
        assert!(last.offset(3) + last.bytes() <= Section::Head.offset(4));
        assert!(last.offset(SLOTS - 1) + last.bytes() <= FILE_BYTES);
        assert!(SECTIONS.iter().all(|s| s.offset(7) % PAGE == 0 && s.bytes() % PAGE == 0));
    }

    #[test]
    fn builds_differ_by_version_and_layout() {
        assert_ne!(build(&[1, 2]), build(&[2, 1]));
        assert_eq!(build(&[1, 2]), build(&[1, 2]));
    }
}
