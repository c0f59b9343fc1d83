//! Shadow memory: two flat planes at constant offsets from the program's addresses.
//!
//! ```text
//!  residue plane   A + RESIDUE   ideal - actual, in the value's own size (see `Precision`)
//!  copy plane      A + COPY      the value the residue belongs to
//! ```
//! A residue counts only while the copy still equals, bit for bit, what the program loads;
//! else it is 0. So a residue of 0 needs no copy, and clearing a range means zeroing its residues.
//!
//! Sizes in memory: a double's residue is a double, a float's a float, a half's and a bfloat's
//! a bfloat (a half has too few exponents for its own rounding errors), an x87 value's an x87
//! value (10 bytes), a quad's a quad.
//!
//! The program's addresses lie in two spans: position-independent executables with their heap,
//! and the region of mmap and the stack. Both move down by the same constant, so the optimizer
//! folds it into the addressing. Each offset also adds a different odd number of cache lines:
//! without this skew an address and its shadows compete for one cache set.

/// A span of the program's addresses that has shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u64,
    pub end: u64,
}

pub const EXECUTABLE: Span = Span { start: 0x5500_0000_0000, end: 0x5700_0000_0000 };
pub const MAPPINGS: Span = Span { start: 0x7000_0000_0000, end: 0x8000_0000_0000 };

/// Added to an address to reach its residue.
pub const RESIDUE: i64 = -0x5000_0000_0000 + 64 * 37;
/// Added to an address to reach its copy.
pub const COPY: i64 = -0x4000_0000_0000 + 64 * 85;

const PAGE: u64 = 4096;

impl Span {
    /// The page-aligned range that a plane at `offset` needs for this span.
    pub const fn plane(self, offset: i64) -> Span {
        let start = self.start.wrapping_add_signed(offset) / PAGE * PAGE;
        let end = self.end.wrapping_add_signed(offset).div_ceil(PAGE) * PAGE;
        Span { start, end }
    }

    pub const fn contains(self, address: u64) -> bool {
        self.start <= address && address < self.end
    }

    pub const fn bytes(self) -> u64 {
        self.end - self.start
    }
}

/// Whether all of `bytes` bytes from `address` have shadows.
pub const fn is_shadowed(address: u64, bytes: u64) -> bool {
    let Some(end) = address.checked_add(bytes) else { return false };
    (EXECUTABLE.start <= address && end <= EXECUTABLE.end) || (MAPPINGS.start <= address && end <= MAPPINGS.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_overlap_neither_each_other_nor_the_program() {
        let mut spans = vec![EXECUTABLE, MAPPINGS];
        for offset in [RESIDUE, COPY] {
            spans.push(EXECUTABLE.plane(offset));
            spans.push(MAPPINGS.plane(offset));
        }
        spans.sort_by_key(|s| s.start);
        for pair in spans.windows(2) {
            assert!(pair[0].end <= pair[1].start, "{pair:x?}");
        }
        assert!(spans[0].start >= 0x1_0000, "the lowest pages stay unmapped");
    }

    #[test]
    fn offsets_differ_in_their_cache_set() {
        let set = |offset: i64| offset.rem_euclid(4096) / 64;
        assert_ne!(set(RESIDUE), set(COPY));
        assert_ne!(set(RESIDUE), 0);
        assert_ne!(set(COPY), 0);
    }
}
