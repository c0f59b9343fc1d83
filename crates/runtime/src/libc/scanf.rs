//! Which arguments of a scanf call are floats, by its format.
//!
//! What is scanned comes from outside and has no residue. Only the float targets matter; other
//! conversions are walked over to keep count of the pointers. The format is the program's own
//! and is read to its end and no further.

use crate::planes::clear;

/// A pointer argument, by index, and how many bytes of float it receives.
type Target = (usize, usize);

/// Clears the shadows of what a scanf call stored.
///
/// # Safety
/// `format` is a C string, `pointers` has `count` entries.
pub unsafe fn scanned(format: *const u8, count: u32, pointers: *const usize) {
    if format.is_null() || pointers.is_null() {
        return;
    }
    // SAFETY: as this function demands.
    let (format, pointers) = unsafe {
        (std::ffi::CStr::from_ptr(format.cast()).to_bytes(), std::slice::from_raw_parts(pointers, count as usize))
    };
    for (index, bytes) in (Targets { rest: format, next: 0 }) {
        if let Some(&pointer) = pointers.get(index) {
            clear(pointer, bytes);
        }
    }
}

/// The float targets of a format.
struct Targets<'a> {
    rest: &'a [u8],
    next: usize,
}

impl Iterator for Targets<'_> {
    type Item = Target;

    fn next(&mut self) -> Option<Target> {
        loop {
            let percent = self.rest.iter().position(|&c| c == b'%')?;
            self.rest = &self.rest[percent + 1..];
            if let Some(target) = self.conversion() {
                return Some(target);
            }
        }
    }
}

impl Targets<'_> {
    /// Takes one conversion, after its `%`.
    fn conversion(&mut self) -> Option<Target> {
        let mut number = self.number();
        let positional = number.is_some() && self.take(b"$").is_some();
        let mut discarded = false;
        while let Some(flag) = self.take(b"*'I") {
            discarded |= flag == b'*';
        }
        if positional || number.is_none() {
            // The width; a first number without `$` was the width already.
            let position = number;
            self.number();
            number = position;
        }
        self.take(b"m");
        let length = self.length();
        let kind = *self.rest.first()?;
        self.rest = &self.rest[1..];
        match kind {
            b'%' => return None,
            b'[' => self.scanset(),
            _ => {}
        }
        if discarded {
            return None;
        }
        let index = match number {
            Some(position) if positional => position.checked_sub(1)?,
            _ => {
                self.next += 1;
                self.next - 1
            }
        };
        matches!(kind, b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G').then_some((index, length))
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|c| c.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        (digits > 0).then(|| number.iter().fold(0usize, |n, c| n.saturating_mul(10).saturating_add((c - b'0').into())))
    }

    fn take(&mut self, any_of: &[u8]) -> Option<u8> {
        let first = *self.rest.first().filter(|c| any_of.contains(c))?;
        self.rest = &self.rest[1..];
        Some(first)
    }

    /// Takes the length modifier: the bytes of a float so qualified.
    fn length(&mut self) -> usize {
        let mut bytes = 4;
        while let Some(c) = self.take(b"hlqjztL") {
            bytes = match c {
                b'l' => 8,
                b'L' | b'q' => 16,
                _ => bytes,
            };
        }
        bytes
    }

    /// Takes the rest of a scanset: `]` first, or after `^`, is an element.
    fn scanset(&mut self) {
        self.take(b"^");
        self.take(b"]");
        let end = self.rest.iter().position(|&c| c == b']').map_or(self.rest.len(), |at| at + 1);
        self.rest = &self.rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn targets(format: &str) -> Vec<Target> {
        Targets { rest: format.as_bytes(), next: 0 }.collect()
    }

    #[test]
    fn floats_are_found_among_other_conversions() {
        assert_eq!(targets("%f %lf %Lf"), [(0, 4), (1, 8), (2, 16)]);
        assert_eq!(targets("%d,%le"), [(1, 8)]);
        assert_eq!(targets("%*lf %lg"), [(0, 8)]);
        assert_eq!(targets("%*d%*[^,],%12lf"), [(0, 8)]);
        assert_eq!(targets("%[]a%f] %f"), [(1, 4)]);
        assert_eq!(targets("%[^]%f]%5a"), [(1, 4)]);
        assert_eq!(targets("%ms %mc %lf"), [(2, 8)]);
        assert_eq!(targets("%% %f %n %f"), [(0, 4), (2, 4)]);
        assert_eq!(targets("%2$lf %1$f"), [(1, 8), (0, 4)]);
        assert_eq!(targets("%3$*f %2$7f"), [(1, 4)]);
        assert!(targets("100%").is_empty());
        assert!(targets("%5").is_empty());
        assert_eq!(targets("%lld %hhu %Lf"), [(2, 16)]);
    }

    proptest! {
        #[test]
        fn no_format_makes_it_panic(format in r"[%\[\]^*m$0-9lLhqfgadsc ]{0,30}") {
            let _ = targets(&format);
        }
    }
}
