//! Intervals: every operation rounded outwards.

use crate::rounding::{add_down, add_up, div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up};
use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `lo` to `hi`. Nothing, if `lo` is above `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub lo: f64,
    pub hi: f64,
}

impl Interval {
    pub const ENTIRE: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    pub const EMPTY: Interval = Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY };
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };

    /// A bound that is no number is no bound.
    pub fn new(lo: f64, hi: f64) -> Interval {
        let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo };
        let hi = if hi.is_nan() { f64::INFINITY } else { hi };
        Interval { lo, hi }
    }

    pub fn point(x: f64) -> Interval {
        Interval::new(x, x)
    }

    pub fn around(center: f64, radius: f64) -> Interval {
        Interval::new(add_down(center, -radius), add_up(center, radius))
    }

    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    pub fn holds(self, other: Interval) -> bool {
        other.is_empty() || (self.lo <= other.lo && other.hi <= self.hi)
    }

    /// The greatest magnitude.
    pub fn mag(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The least magnitude.
    pub fn mig(self) -> f64 {
        if self.contains(0.0) { 0.0 } else { self.lo.abs().min(self.hi.abs()) }
    }

    /// A number in it, near its middle.
    pub fn mid(self) -> f64 {
        if self.lo == self.hi {
            return self.lo;
        }
        let mid = 0.5 * self.lo + 0.5 * self.hi;
        if mid.is_finite() { mid.clamp(self.lo, self.hi) } else { 0.0 }
    }

    /// The distance of `mid` to the farther end, rounded up.
    pub fn rad(self) -> f64 {
        let mid = self.mid();
        add_up(self.hi, -mid).max(add_up(mid, -self.lo))
    }

    pub fn width(self) -> f64 {
        add_up(self.hi, -self.lo)
    }

    pub fn meet(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    pub fn hull(self, other: Interval) -> Interval {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn abs(self) -> Interval {
        Interval { lo: self.mig(), hi: self.mag() }
    }

    pub fn min(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    pub fn max(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn square(self) -> Interval {
        let (lo, hi) = (self.mig(), self.mag());
        Interval::new(mul_down(lo, lo), mul_up(hi, hi))
    }

    /// Everything, where the divisor can be 0.
    pub fn over(self, y: Interval) -> Interval {
        if y.contains(0.0) || self.is_empty() || y.is_empty() {
            return Interval::ENTIRE;
        }
        extremes(self, y, div_down, div_up)
    }

    /// Of what is not below 0.
    pub fn sqrt(self) -> Interval {
        Interval { lo: sqrt_down(self.lo.max(0.0)), hi: sqrt_up(self.hi.max(0.0)) }
    }
}

/// The least and the greatest of an operation that is monotone in both operands.
fn extremes(x: Interval, y: Interval, down: fn(f64, f64) -> f64, up: fn(f64, f64) -> f64) -> Interval {
    let ends = [(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)];
    let mut z = Interval::EMPTY;
    for (a, b) in ends {
        let (lo, hi) = (down(a, b), up(a, b));
        // 0 times what has no bound is 0: no number there is infinite.
        let (lo, hi) = (if lo.is_nan() { 0.0 } else { lo }, if hi.is_nan() { 0.0 } else { hi });
        z = z.hull(Interval { lo, hi });
    }
    z
}

impl Add for Interval {
    type Output = Interval;

    fn add(self, y: Interval) -> Interval {
        Interval::new(add_down(self.lo, y.lo), add_up(self.hi, y.hi))
    }
}

impl Sub for Interval {
    type Output = Interval;

    fn sub(self, y: Interval) -> Interval {
        self + -y
    }
}

impl Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}

impl Mul for Interval {
    type Output = Interval;

    fn mul(self, y: Interval) -> Interval {
        if self.is_empty() || y.is_empty() { Interval::EMPTY } else { extremes(self, y, mul_down, mul_up) }
    }
}

impl Mul<f64> for Interval {
    type Output = Interval;

    fn mul(self, k: f64) -> Interval {
        self * Interval::point(k)
    }
}
