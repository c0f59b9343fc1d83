//! Four lanes at once: what `walk_quick` does for each, if that comes to the same for all four. Otherwise nothing is
//! done, and the lanes' own instructions follow.

use crate::checks::statistics::badness;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use nonius_oracle::{Binary, Oracle};

#[cfg(target_arch = "x86_64")]
mod arithmetic;

#[cfg(target_arch = "x86_64")]
pub use nonius_oracle::lanes::Avx2;

/// There is no such thing on this processor.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub enum Avx2 {}

#[cfg(not(target_arch = "x86_64"))]
impl Avx2 {
    pub fn find() -> Option<Avx2> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl<O: Oracle> Core<O> {
    pub fn four<const SAME: bool>(&mut self, avx2: Avx2, _: Binary, _: &mut [Register<O::Shadow>], _: &Insn) -> bool {
        match avx2 {}
    }
}

/// The badness of a sum of doubles.
#[inline(always)]
pub fn badness_in_sum(avx2: Option<Avx2>, x: &Known, y: &Known, z: f64) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2 {
        return arithmetic::badness_of_one(avx2, x, y, z);
    }
    let _ = avx2;
    badness(x, y, z, 53)
}

/// The registers of a second operand: four from one on, or one for all lanes.
#[inline(always)]
fn second<S, const SAME: bool>(frame: &[Register<S>], at: u32) -> Option<[&Register<S>; 4]> {
    if SAME { frame.get(at as usize).map(|one| [one; 4]) } else { chunk(frame, at).map(|four| four.each_ref()) }
}

/// Four registers from one on.
#[inline(always)]
fn chunk<S>(frame: &[Register<S>], at: u32) -> Option<&[Register<S>; 4]> {
    frame.get(at as usize..)?.first_chunk()
}

#[inline(always)]
fn chunk_mut<S>(frame: &mut [Register<S>], at: u32) -> Option<&mut [Register<S>; 4]> {
    frame.get_mut(at as usize..)?.first_chunk_mut()
}

impl<O: Oracle> Core<O> {
    #[inline(always)]
    pub fn binary_four<const SAME: bool>(
        &mut self,
        avx2: Option<Avx2>,
        op: Binary,
        frame: &mut [Register<O::Shadow>],
        insn: &Insn,
    ) -> bool {
        if O::MEASURES {
            return avx2.is_some_and(|avx2| self.four::<SAME>(avx2, op, frame, insn));
        }
        let (x, y) = (chunk(frame, insn.args[0]), second::<_, SAME>(frame, insn.args[1]));
        let (Some(x), Some(y)) = (x, y) else { return false };
        let [x, y] = [x.each_ref(), y].map(|four| four.map(|r| r.known.value));
        let Some(out) = chunk_mut(frame, insn.out) else { return false };
        for (lane, out) in out.iter_mut().enumerate() {
            (out.known.value, out.known.depth) = (op.in_double(x[lane], y[lane]), 0);
        }
        true
    }

    #[inline(always)]
    pub fn load_four(
        &mut self,
        avx2: Option<Avx2>,
        frame: &mut [Register<O::Shadow>],
        insn: &Insn,
        words: &[u64],
    ) -> bool {
        let Some(out) = chunk_mut(frame, insn.out) else { return false };
        let Some(values) = words.get(insn.word as usize..).and_then(|w| w.first_chunk::<4>()) else { return false };
        if !O::MEASURES {
            for (out, &value) in out.iter_mut().zip(values) {
                (out.known.value, out.known.depth) = (f64::from_bits(value), 0);
            }
            return true;
        }
        let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
        let is_held = self.memory.load_four(avx2, address, values, out, &mut self.oracle);
        self.loads += if is_held { 4 } else { 0 };
        for register in out.iter_mut().filter(|_| is_held) {
            if self.trail.is_overwritten(register.known.node) {
                self.renew(&mut register.known);
            }
        }
        is_held
    }

    #[inline(always)]
    pub fn store_four(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) -> bool {
        let Some(from) = chunk(frame, insn.args[0]) else { return false };
        let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
        // Those that are not finite are seen here, one by one; of those that are not known nothing is kept.
        let is_usual = |r: &Register<O::Shadow>| r.known.value.is_finite() & r.known.is_known();
        if address == 0 || !from.iter().fold(true, |all, r| all & is_usual(r)) {
            return false;
        }
        self.memory.store_four(address, from, &mut self.oracle)
    }

    /// Checks that have nothing to tell.
    #[inline(always)]
    pub fn check_four(&mut self, frame: &[Register<O::Shadow>], insn: &Insn) -> bool {
        let Some(four) = chunk(frame, insn.args[0]) else { return false };
        let limit = self.filter[insn.format as usize];
        let Some(seen) = self.founds.seen_mut(insn.site) else { return false };
        let mut is_usual = true;
        let mut not_followed = 0;
        for Register { known, shadow } in four {
            let (error, value) = (known.residue.abs(), known.value.abs());
            is_usual &= error <= limit * value && value < f64::INFINITY;
            is_usual &= !self.oracle.is_unsure(shadow, value, limit);
            is_usual &= error <= seen.largest_error * (known.value + known.residue).abs();
            not_followed += u64::from(!known.is_followed());
        }
        if is_usual {
            seen.count += 4;
            seen.not_followed += not_followed;
        }
        is_usual
    }
}
