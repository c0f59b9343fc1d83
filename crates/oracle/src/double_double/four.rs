//! Four double-doubles at once: the formulas of `nonius_numerics::Dd`, step by step, so that the bits are the same.

use crate::Dd;
use crate::lanes::{Avx2, F4};
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
    pub fn gather(avx2: Avx2, four: [&Dd; 4]) -> Dd4 {
        let [hi, lo] = avx2.parts(four);
        Dd4 { hi, lo }
    }

    #[inline(always)]
    pub fn scatter(self, out: [&mut Dd; 4]) {
        self.hi.put_parts(self.lo, out);
    }

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
