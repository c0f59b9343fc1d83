//! Double-double numbers.
//!
//! A `Dd` is `hi + lo` with `|lo| <= ulp(hi) / 2`: about 106 bits with a double's range. With u = 2^-53, the relative
//! errors are at most 3u^2 (sum), 5u^2 (product), 10u^2 (quotient), 4u^2 (root), as long as nothing under- or overflows.
//! Source of the algorithms and bounds: Joldes, Muller, Popescu 2017; Lefevre, Louvet, Muller, Picot, Rideau 2023.

use crate::eft::{fast_two_sum, two_prod, two_sum};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The unevaluated sum `hi + lo`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Dd {
    pub hi: f64,
    pub lo: f64,
}

impl Dd {
    pub const ZERO: Dd = Dd::new(0.0, 0.0);
    pub const ONE: Dd = Dd::new(1.0, 0.0);
    pub const NAN: Dd = Dd::new(f64::NAN, 0.0);
    pub const INFINITY: Dd = Dd::new(f64::INFINITY, 0.0);

    /// Takes the parts as they are; the caller vouches that `|lo| <= ulp(hi) / 2`.
    #[inline(always)]
    #[must_use]
    pub const fn new(hi: f64, lo: f64) -> Dd {
        Dd { hi, lo }
    }

    /// The ideal value that belongs to the actual value `x` with residue `e`, exactly: `e` may be of any size.
    ///
    /// Where the sum is not finite, `lo` is 0, so that NaN and infinities stay what they are.
    #[inline(always)]
    #[must_use]
    pub fn from_residue(x: f64, e: f64) -> Dd {
        if e == 0.0 {
            return Dd::new(x, 0.0); // keeps the sign of a zero
        }
        let (hi, lo) = two_sum(x, e);
        if lo.is_finite() { Dd::new(hi, lo) } else { Dd::new(hi, 0.0) }
    }

    /// `x * y` exactly.
    #[inline(always)]
    #[must_use]
    pub fn product(x: f64, y: f64) -> Dd {
        let (hi, lo) = two_prod(x, y);
        Dd::new(hi, lo)
    }

    /// `x + y` exactly.
    #[inline(always)]
    #[must_use]
    pub fn sum(x: f64, y: f64) -> Dd {
        let (hi, lo) = two_sum(x, y);
        Dd::new(hi, lo)
    }

    /// `hi + lo` with the overlap resolved, for `|hi| >= |lo|` or `hi == 0`.
    #[inline(always)]
    #[must_use]
    pub fn renormalized(hi: f64, lo: f64) -> Dd {
        let (hi, lo) = fast_two_sum(hi, lo);
        Dd::new(hi, lo)
    }

    /// The nearest double.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.hi + self.lo
    }

    /// `self - z`: the residue of `z` when `self` is its ideal. Rounded once if neither is more than twice the other, since
    /// then the first difference is exact (Sterbenz), and else to two roundings.
    #[inline(always)]
    #[must_use]
    pub fn minus_actual(self, z: f64) -> f64 {
        (self.hi - z) + self.lo
    }

    #[inline(always)]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }

    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Dd {
        if self.hi.is_sign_negative() { -self } else { self }
    }

    /// `self * s` for `s` a power of two: exact unless it leaves the normal range.
    #[inline(always)]
    #[must_use]
    pub fn scaled(self, s: f64) -> Dd {
        Dd::new(self.hi * s, self.lo * s)
    }

    #[inline(always)]
    #[must_use]
    pub fn add_f64(self, y: f64) -> Dd {
        let (s, t) = two_sum(self.hi, y);
        Dd::renormalized(s, t + self.lo)
    }

    /// `self + y` in fewer operations, for `|self| >= |y|` or `self == 0`.
    #[inline(always)]
    #[must_use]
    pub fn add_smaller(self, y: Dd) -> Dd {
        let (s, t) = fast_two_sum(self.hi, y.hi);
        Dd::renormalized(s, t + (self.lo + y.lo))
    }

    #[inline(always)]
    #[must_use]
    pub fn mul_f64(self, y: f64) -> Dd {
        let (p, t) = two_prod(self.hi, y);
        Dd::renormalized(p, self.lo.mul_add(y, t))
    }

    /// `self * y` whose parts may overlap by a few bits: what sums and products of it need, in fewer steps.
    #[inline(always)]
    pub(crate) fn mul_loose(self, y: Dd) -> Dd {
        let (p, t) = two_prod(self.hi, y.hi);
        Dd::new(p, t + self.hi.mul_add(y.lo, self.lo * y.hi))
    }

    /// `self + y` as in [`Dd::add_smaller`], with parts that may overlap by a few bits.
    #[inline(always)]
    pub(crate) fn add_smaller_loose(self, y: Dd) -> Dd {
        let (s, t) = fast_two_sum(self.hi, y.hi);
        Dd::new(s, t + (self.lo + y.lo))
    }

    /// `self / y` with one division, for `y` and 1/y well inside the range.
    #[inline(always)]
    pub(crate) fn div_by_reciprocal(self, y: Dd) -> Dd {
        let inverse = 1.0 / y.hi;
        let q = self.hi * inverse;
        let rest = (-q).mul_add(y.hi, self.hi) + (-q).mul_add(y.lo, self.lo);
        Dd::renormalized(q, rest * inverse)
    }

    #[inline(always)]
    pub(crate) fn square_loose(self) -> Dd {
        let (p, t) = two_prod(self.hi, self.hi);
        Dd::new(p, (2.0 * self.hi).mul_add(self.lo, t))
    }

    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Dd {
        let (p, t) = two_prod(self.hi, self.hi);
        Dd::renormalized(p, (2.0 * self.hi).mul_add(self.lo, t))
    }

    /// NaN below zero; the sign of a zero is kept.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Dd {
        const TINY: f64 = f64::from_bits(0x0600_0000_0000_0000); // 2^-927: below it, `rest` underflows
        const UP: f64 = f64::from_bits(0x4630_0000_0000_0000); // 2^100
        let root = self.hi.sqrt();
        if root == 0.0 || !root.is_finite() {
            return Dd::new(root, 0.0);
        }
        if self.hi < TINY {
            return self.scaled(UP).scaled(UP).sqrt_of_normal().scaled(1.0 / UP);
        }
        self.sqrt_of_normal()
    }

    #[inline(always)]
    fn sqrt_of_normal(self) -> Dd {
        let root = self.hi.sqrt();
        let rest = (-root).mul_add(root, self.hi) + self.lo;
        Dd::renormalized(root, rest / (2.0 * root))
    }
}

impl From<f64> for Dd {
    #[inline(always)]
    fn from(x: f64) -> Dd {
        Dd::new(x, 0.0)
    }
}

impl Neg for Dd {
    type Output = Dd;
    #[inline(always)]
    fn neg(self) -> Dd {
        Dd::new(-self.hi, -self.lo)
    }
}

impl Dd {
    /// The sum, bit for bit, for one that waits for it: nearly always its high part is there before the low part says that
    /// it is the one, and a branch that is foreseen does not wait.
    #[inline(always)]
    #[must_use]
    pub fn sum_ahead(self, y: Dd) -> Dd {
        let (s, s_low) = two_sum(self.hi, y.hi);
        let (t, t_low) = two_sum(self.lo, y.lo);
        let (v, w) = fast_two_sum(s, s_low + t);
        let low = t_low + w;
        if (v + low).to_bits() == v.to_bits() { Dd::new(v, low) } else { renormalized_after_all(v, low) }
    }
}

/// Out of line, or the compiler would work out both and choose.
#[cold]
#[inline(never)]
fn renormalized_after_all(hi: f64, lo: f64) -> Dd {
    Dd::renormalized(hi, lo)
}

impl Add for Dd {
    type Output = Dd;
    #[inline(always)]
    fn add(self, y: Dd) -> Dd {
        let (s, s_low) = two_sum(self.hi, y.hi);
        let (t, t_low) = two_sum(self.lo, y.lo);
        let (v, w) = fast_two_sum(s, s_low + t);
        Dd::renormalized(v, t_low + w)
    }
}

impl Sub for Dd {
    type Output = Dd;
    #[inline(always)]
    fn sub(self, y: Dd) -> Dd {
        self + -y
    }
}

impl Mul for Dd {
    type Output = Dd;
    #[inline(always)]
    fn mul(self, y: Dd) -> Dd {
        let (p, t) = two_prod(self.hi, y.hi);
        let cross = self.hi.mul_add(y.lo, self.lo * y.hi);
        Dd::renormalized(p, t + cross)
    }
}

impl Div for Dd {
    type Output = Dd;
    #[inline(always)]
    fn div(self, y: Dd) -> Dd {
        let q = self.hi / y.hi;
        let rest = (-q).mul_add(y.hi, self.hi) + (-q).mul_add(y.lo, self.lo);
        Dd::renormalized(q, rest / y.hi)
    }
}
