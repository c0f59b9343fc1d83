//! Ideals with more bits beside residues, for stretches of the run.
//!
//! Silencing says what is left of a residue if what was silenced cancels altogether. Whether it does, nobody knows who
//! has no more bits: the roundings of two computations may agree in all of a double's and differ below. So where a
//! residue is probed, everything that led to it is done by MPFR as well, from the first operation on that was not exact.
//! What is probed is this ideal's; what silencing left says how many bits it takes where they were too few.
//!
//! MPFR has the exponents, too: what leaves a double's range on the way is known here.

use super::residue::Residue;
use crate::mpfr::Ball;
use crate::{Dd, Mpfr, Operand, Oracle};
use rug::Float;
use std::sync::Arc;

/// Enough bits that what a double can hold is told from 0, whatever doubles it is made of.
pub(super) const WHOLE_RANGE: u32 = 2304;
/// Beyond, nothing is asked for: what is not known then stays open.
pub(super) const MOST_BITS: u32 = 2 * WHOLE_RANGE;
/// What a long stretch begins with.
pub(super) const FIRST_BITS: u32 = 512;
/// Operations that can be done with [`WHOLE_RANGE`] at once, which saves an execution.
pub(super) const SHORT: u64 = 1 << 17;

/// Bits of a probed residue that have to be right.
const RIGHT_BITS: i32 = 30;
/// A residue that is known to this is known as well as doubles can: 2^-1060.
const NOTHING: f64 = f64::from_bits(1 << 14);

pub type Fine = Ball<Float>;

/// The shadow of a value: its residue and, in a stretch that is refined, its ideal with more bits.
#[derive(Clone, Debug)]
pub struct Shadow {
    pub residue: Residue,
    pub(super) fine: Option<Arc<Fine>>,
}

impl Shadow {
    pub const EXACT: Shadow = Shadow { residue: Residue::EXACT, fine: None };
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow::EXACT
    }
}

impl From<Residue> for Shadow {
    fn from(residue: Residue) -> Shadow {
        Shadow { residue, fine: None }
    }
}

impl PartialEq for Shadow {
    fn eq(&self, other: &Shadow) -> bool {
        self.residue == other.residue && self.fine.is_some() == other.fine.is_some()
    }
}

/// What more bits say of a probed residue.
#[derive(Clone, Debug)]
pub struct FineProbe {
    /// To be put: the residue that a double has room for, and the ideal.
    pub(super) shadow: Shadow,
    /// It has the bits that it takes.
    pub(super) is_sure: bool,
    /// How far off it may be.
    pub(super) radius: f64,
    bits: u32,
}

impl FineProbe {
    /// Of an operation that more bits do not help with.
    pub(super) fn unknown(residue: Residue, bits: u32) -> FineProbe {
        let residue = Residue { noise: f64::INFINITY, ..residue };
        FineProbe { shadow: residue.into(), is_sure: false, radius: f64::INFINITY, bits }
    }

    pub(super) fn of(residue: Residue, fine: &Arc<Fine>, actual: f64, bits: u32) -> FineProbe {
        let radius = fine.radius();
        let difference = fine.less_actual(actual, bits);
        // What is no double is known all the same, if by its ideal alone.
        let value = difference.to_f64();
        let residue = match actual.is_finite() && value.is_finite() {
            true => residue.measured(value, radius),
            false => Residue { value: 0.0, noise: f64::INFINITY, ..residue },
        };
        let is_sure = radius <= NOTHING || fine.is_right_to(&difference, RIGHT_BITS);
        FineProbe { shadow: Shadow { residue, fine: Some(Arc::clone(fine)) }, is_sure, radius, bits }
    }

    /// More bits would say no more, or are not to be had.
    pub(super) fn is_last(&self) -> bool {
        self.is_sure || self.bits >= MOST_BITS
    }

    /// The bits to try next: those that it takes if the residue is this, or a good deal more.
    pub(super) fn bits_for(&self, residue: f64) -> u32 {
        let missing = (self.radius / residue.abs()).log2();
        let wanted = match missing.is_finite() {
            true => self.bits + (missing.max(0.0) as u32) + 2 * RIGHT_BITS as u32,
            false => WHOLE_RANGE,
        };
        wanted.max(2 * self.bits).min(MOST_BITS)
    }
}

/// An operand with more bits: those that it has, or what its residue says.
pub(super) fn lifted(x: Operand<Shadow>, fine: &mut Mpfr) -> Arc<Fine> {
    if let Some(fine) = &x.shadow.fine {
        return Arc::clone(fine);
    }
    let Residue { value, noise, .. } = x.shadow.residue;
    let mut ball = fine.variable();
    fine.restart_wide(&mut ball, x.actual, value);
    ball.add_noise(noise);
    Arc::new(ball)
}

/// The ideal as two doubles.
pub(super) fn ideal(fine: &Fine) -> Dd {
    use crate::number::Number;
    fine.value.leading()
}
