//! Which functions Nonius compiled.
//!
//! Every object that it makes lists the functions that others can call, by the hashes of their names, in a section of its
//! own that the linker joins. A callee of the same executable or library that is not in the list was compiled by another
//! compiler, or left alone: what it writes to memory has no shadows.

/// The section, and what the linker calls its ends.
pub const SECTION: &str = "nonius_defined";
pub const START: &str = "__start_nonius_defined";
pub const STOP: &str = "__stop_nonius_defined";

/// The number that stands for a name: FNV-1a.
#[must_use]
pub fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_have_the_published_hashes() {
        assert_eq!(super::hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(super::hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(super::hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
