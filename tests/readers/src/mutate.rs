//! Changes to bytes: those that damage, and those that put words of the reader's own language elsewhere.

use crate::random::Random;

/// No input grows beyond this.
pub const MOST_BYTES: usize = 1 << 14;

/// Changes an input in one to four places. `words` are what the reader knows; `other` is another input.
pub fn change(random: &mut Random, bytes: &mut Vec<u8>, words: &[&[u8]], other: &[u8]) {
    for _ in 0..=random.below(4) {
        change_once(random, bytes, words, other);
    }
    bytes.truncate(MOST_BYTES);
}

fn change_once(random: &mut Random, bytes: &mut Vec<u8>, words: &[&[u8]], other: &[u8]) {
    let at = random.below(bytes.len() + 1);
    let behind = bytes.len() - at;
    match random.below(12) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.bits() as u8;
            }
        }
        3 => {
            if let Some(four) = bytes.get_mut(at / 4 * 4..).and_then(|rest| rest.first_chunk_mut::<4>()) {
                *four = random.word(u32::from_le_bytes(*four)).to_le_bytes();
            }
        }
        4 => bytes.truncate(at),
        5 => drop(bytes.drain(at..at + random.below(behind.min(16) + 1))),
        6 => {
            let part = bytes[at..at + random.below(behind.min(32) + 1)].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        7 => {
            let from = random.below(other.len() + 1);
            let part = &other[from..from + random.below((other.len() - from).min(64) + 1)];
            bytes.splice(at..at, part.iter().copied());
        }
        8 => bytes.insert(at, random.bits() as u8),
        _ if words.is_empty() => bytes.insert(at, *random.pick(b"0=:'\"\\ \n-9a_*#@")),
        9 => {
            let word = *random.pick(words);
            let end = at + word.len().min(behind);
            bytes.splice(at..end, word.iter().copied());
        }
        10 => {
            let word = *random.pick(words);
            bytes.splice(at..at, word.iter().copied());
        }
        _ => {
            let byte = *random.pick(b"0=:'\"\\ \n-9a_*#@{}[],.%");
            let count = if random.once_in(20) { random.below(400) } else { 1 };
            bytes.splice(at..at, std::iter::repeat_n(byte, count));
        }
    }
}
