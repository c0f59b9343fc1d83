//! The number by which GitHub's code scanning knows a line again, `primaryLocationLineHash`.
//!
//! It depends on what the line and those after it say, not on where they stand: the first [`WINDOW`] characters from the
//! line's start on, blanks left out and line ends made one, are digits of a number to base 37, modulo 2^64. Behind the
//! file's end stand a mark and zeros. Lines that look alike are counted. Their uploader computes it where it is missing
//! and complains where it differs.

use std::collections::HashMap;

const WINDOW: usize = 100;
const BASE: u64 = 37;
/// What stands behind the last character, in UTF-16's numbers as the others.
const END: u16 = u16::MAX;

/// The hash of each line, in order. A file that ends in a line end has an empty line behind it.
pub(super) fn of_lines(text: &str) -> Vec<String> {
    let (digits, starts) = digits(text);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let of_line = |start: usize| {
        let line = digits[start..].iter().copied().chain(std::iter::repeat(0)).take(WINDOW);
        let hash = line.fold(0u64, |hash, digit| hash.wrapping_mul(BASE).wrapping_add(digit.into()));
        let count = seen.entry(hash).or_default();
        *count += 1;
        format!("{hash:x}:{count}")
    };
    starts.into_iter().map(of_line).collect()
}

/// All that counts of the text, the mark at its end included, and where lines start in it.
fn digits(text: &str) -> (Vec<u16>, Vec<usize>) {
    let (mut digits, mut starts) = (Vec::with_capacity(text.len() + 1), vec![0]);
    let mut after_return = false;
    for unit in text.encode_utf16() {
        let is_end_of_pair = after_return && unit == u16::from(b'\n');
        after_return = unit == u16::from(b'\r');
        let is_blank = unit == u16::from(b' ') || unit == u16::from(b'\t');
        if is_blank || is_end_of_pair {
            continue;
        }
        let unit = if after_return { u16::from(b'\n') } else { unit };
        digits.push(unit);
        if unit == u16::from(b'\n') {
            starts.push(digits.len());
        }
    }
    digits.push(END);
    (digits, starts)
}

#[cfg(test)]
mod tests {
    use super::of_lines;

    /// What GitHub's own uploader makes of these texts.
    #[test]
    fn lines_have_githubs_hashes() {
        assert_eq!(of_lines(""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(
            of_lines(" a\nb\n  \t\tc\n d"),
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
        );
        let greeting = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        for ends in ["\n", "\r", "\r\n"] {
            let text = " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n".replace('\n', ends);
            assert_eq!(of_lines(&text), greeting, "{ends:?}");
        }
    }

    #[test]
    fn lines_that_look_alike_are_counted() {
        let hashes = of_lines(&"Lorem ipsum dolor sit amet.\n".repeat(10));
        assert_eq!(hashes[0], "a7f2ff13bc495cf2:1");
        assert_eq!(hashes[5], "a7f2ff13bc495cf2:6");
        assert_eq!(hashes[6], "a7f2ff1481e87703:1");
        assert_eq!((hashes[9].as_str(), hashes.len()), ("cc97dc7b1d7d8f7b:1", 11));
    }
}
