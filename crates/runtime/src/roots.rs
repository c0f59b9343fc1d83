//! Which finding a bad value goes back to.
//!
//! An error stays with its value. Where a value that was found bad comes in again, through memory or a call, what is
//! computed of it and found is a symptom of the finding before. A value and its ideal are known again by their bits, in a
//! table of the last ones that were found: no room is needed beside the values.
//!
//! Limits: the table holds what came to the runtime, not what instrumented code counts by itself, and forgets the oldest.
//! A symptom whose root it does not know is *inherited*; a deep run knows more.

use crate::doubts;
use crate::found::Place;
use crate::sites::Module;
use nonius_abi::site::Op;
use std::sync::atomic::{AtomicU64, Ordering};

/// The operation that a finding goes back to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Root {
    /// The address of the module; 0 if there is none.
    module: usize,
    site: u32,
}

impl Root {
    pub fn at(place: Place) -> Root {
        Root { module: std::ptr::from_ref(place.module) as usize, site: place.site }
    }

    /// Module and site.
    pub fn place(&self) -> Option<(&'static Module, u32)> {
        crate::image::module_at(self.module).map(|module| (module, self.site))
    }
}

/// A root, and the value that goes back to it; written and read without a lock, so that the three must fit together.
#[repr(C)]
struct Entry {
    check: AtomicU64,
    module: AtomicU64,
    site: AtomicU64,
}

const ENTRIES: usize = 1 << 12;
/// The extension of gdb reads it too.
#[unsafe(no_mangle)]
static __nonius_roots: [Entry; ENTRIES] =
    [const { Entry { check: AtomicU64::new(0), module: AtomicU64::new(0), site: AtomicU64::new(0) } }; ENTRIES];

/// Whether a value of such an operation came as it is from elsewhere.
pub fn is_inherited(op: Op) -> bool {
    matches!(op, Op::Load | Op::Parameter | Op::Call)
}

/// What a bad value goes back to, if it was found before.
pub fn find(value: f64, ideal: f64) -> Option<Root> {
    let key = key(value, ideal);
    let entry = &__nonius_roots[key as usize % ENTRIES];
    let module = entry.module.load(Ordering::Relaxed);
    let site = entry.site.load(Ordering::Relaxed);
    let is_whole = module != 0 && entry.check.load(Ordering::Relaxed) == key ^ module ^ site.rotate_left(32);
    is_whole.then_some(Root { module: module as usize, site: site as u32 })
}

/// Remembers what a bad value goes back to.
pub fn note(value: f64, ideal: f64, root: Root) {
    doubts::note_ideal(value, ideal);
    let key = key(value, ideal);
    let entry = &__nonius_roots[key as usize % ENTRIES];
    let (module, site) = (root.module as u64, u64::from(root.site));
    entry.module.store(module, Ordering::Relaxed);
    entry.site.store(site, Ordering::Relaxed);
    entry.check.store(key ^ module ^ site.rotate_left(32), Ordering::Relaxed);
}

/// A number for both, of either sign: a value that was negated on its way goes back to the same.
fn key(value: f64, ideal: f64) -> u64 {
    let mix = |x: u64| {
        let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ x >> 32
    };
    mix(value.abs().to_bits().wrapping_add(mix(ideal.abs().to_bits())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_again_with_its_ideal() {
        let root = Root { module: 4096, site: 7 };
        note(1.25, 1.5, root);
        assert_eq!(find(1.25, 1.5), Some(root));
        assert_eq!(find(-1.25, -1.5), Some(root));
        assert_eq!((find(1.25, 1.75), find(1.5, 1.25)), (None, None));
    }
}
