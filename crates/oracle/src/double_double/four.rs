//! Four double-doubles at once: the formulas of `nonius_numerics::Dd`, step by step, so that the bits are the same.

use super::{GROWTH, LEAST, NoisyDd, SMALL, UNIT_ROUNDOFF};
use crate::Binary;
use crate::lanes::{Avx2, F4, U4};
use core::ops::{Add, Div, Mul, Neg};

#[derive(Clone, Copy, Debug)]
pub struct Dd4 {
    hi: F4,
    lo: F4,
}

#[inline(always)]
fn two_sum(x: F4, y: F4) -> (F4, F4) {
    let s = x + y;
    let y_seen = s - x;
    let x_seen = s - y_seen;
    (s, (x - x_seen) + (y - y_seen))
}

#[inline(always)]
fn renormalized(x: F4, y: F4) -> Dd4 {
    let s = x + y;
    Dd4 { hi: s, lo: y - (s - x) }
}

impl Dd4 {
    #[inline(always)]
    pub fn minus_actual(self, z: F4) -> F4 {
        (self.hi - z) + self.lo
    }
}

impl Neg for Dd4 {
    type Output = Dd4;
    #[inline(always)]
    fn neg(self) -> Dd4 {
        Dd4 { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Dd4 {
    type Output = Dd4;
    #[inline(always)]
    fn add(self, y: Dd4) -> Dd4 {
        let (s, s_low) = two_sum(self.hi, y.hi);
        let (t, t_low) = two_sum(self.lo, y.lo);
        let v = renormalized(s, s_low + t);
        renormalized(v.hi, t_low + v.lo)
    }
}

impl Mul for Dd4 {
    type Output = Dd4;
    #[inline(always)]
    fn mul(self, y: Dd4) -> Dd4 {
        let p = self.hi * y.hi;
        let t = self.hi.mul_add(y.hi, -p);
        let cross = self.hi.mul_add(y.lo, self.lo * y.hi);
        renormalized(p, t + cross)
    }
}

impl Div for Dd4 {
    type Output = Dd4;
    #[inline(always)]
    fn div(self, y: Dd4) -> Dd4 {
        let q = self.hi / y.hi;
        let rest = (-q).mul_add(y.hi, self.hi) + (-q).mul_add(y.lo, self.lo);
        renormalized(q, rest / y.hi)
    }
}

/// Four shadows.
#[derive(Clone, Copy, Debug)]
pub struct NoisyDd4 {
    pub ideal: Dd4,
    noise: F4,
}

impl NoisyDd4 {
    #[inline(always)]
    pub fn gather(avx2: Avx2, [a, b, c, d]: [&NoisyDd; 4]) -> NoisyDd4 {
        let [hi, lo] = avx2.parts([&a.ideal, &b.ideal, &c.ideal, &d.ideal]);
        NoisyDd4 { ideal: Dd4 { hi, lo }, noise: avx2.floats([a.noise, b.noise, c.noise, d.noise]) }
    }

    #[inline(always)]
    pub fn scatter(self, [a, b, c, d]: [&mut NoisyDd; 4]) {
        let noise = self.noise.lanes();
        (a.noise, b.noise, c.noise, d.noise) = (noise[0], noise[1], noise[2], noise[3]);
        self.ideal.hi.put_parts(self.ideal.lo, [&mut a.ideal, &mut b.ideal, &mut c.ideal, &mut d.ideal]);
    }

    /// As `noise_of` has it, a lane each.
    #[inline(always)]
    pub fn of(avx2: Avx2, op: Binary, x: NoisyDd4, y: NoisyDd4) -> NoisyDd4 {
        let ideal = match op {
            Binary::Add => x.ideal + y.ideal,
            Binary::Sub => x.ideal + -y.ideal,
            Binary::Mul => x.ideal * y.ideal,
            Binary::Div => x.ideal / y.ideal,
        };
        let zero = avx2.all(0.0);
        let are_doubles = x.ideal.lo.equals(zero) & y.ideal.lo.equals(zero);
        let has_zero = x.ideal.hi.equals(zero) | y.ideal.hi.equals(zero);
        let introduced = avx2.all(UNIT_ROUNDOFF).mul_add(ideal.hi.abs(), avx2.all(LEAST));
        let unless = |exact: U4| exact.choose(zero.bits(), introduced.bits()).floats();
        let of_sum = || are_doubles.choose(zero.bits(), (avx2.all(UNIT_ROUNDOFF) * ideal.hi.abs()).bits()).floats();
        let reach = |x: NoisyDd4| x.ideal.hi.abs().max_or(x.noise).min_or(avx2.all(f64::MAX));
        let is_in_range = || ideal.hi.abs().is_above(avx2.all(SMALL));
        let noise = match op {
            Binary::Add | Binary::Sub => x.noise.max_or(y.noise).max_or(of_sum()),
            Binary::Mul => {
                let inherited = (x.noise * reach(y)).max_or(y.noise * reach(x));
                inherited.max_or(unless(are_doubles & is_in_range() | has_zero))
            }
            Binary::Div => {
                let size = y.ideal.hi.abs();
                let has_remainder = x.ideal.hi.abs().is_above(avx2.all(SMALL)) | has_zero;
                let widened = x.noise.max_or(avx2.all(LEAST));
                let dividend = has_remainder.choose(x.noise.bits(), widened.bits()).floats();
                let inherited = (dividend / size).max_or(y.noise / size * ideal.hi.abs());
                let known = inherited.max_or(unless(are_doubles & ideal.lo.equals(zero) & is_in_range() | has_zero));
                // Not below its noise, and there is some.
                let may_be_zero = size.is_above(y.noise * avx2.all(GROWTH)).choose(zero.bits(), y.noise.is_above(zero));
                may_be_zero.choose(avx2.all(f64::INFINITY).bits(), known.bits()).floats()
            }
        };
        NoisyDd4 { ideal, noise }
    }
}
