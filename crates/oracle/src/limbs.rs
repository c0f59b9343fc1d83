//! Numbers of N limbs of 64 bits, all of which count: sums and products as MPFR rounds them, without its calls, copies
//! and branches on the precision.
//!
//! To nearest, ties to even. A result has the bits that MPFR gives it at 64 N bits, or is left to MPFR: what has an
//! operand that is infinite or NaN, two zeros, or an exponent near MPFR's limits. The limbs lie as MPFR has them, least
//! first and the topmost bit set, so that its functions work on them where they are (`fixed`).

// Limbs of several numbers are walked side by side.
#![allow(clippy::needless_range_loop)]

use crate::Dd;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedFloat<const N: usize> {
    pub(crate) limbs: [u64; N],
    /// The value is 0.limbs times 2 to this; the least ones have a meaning of their own.
    pub(crate) exponent: i32,
    pub(crate) is_negative: bool,
}

pub(crate) const ZERO: i32 = i32::MIN + 1;
pub(crate) const NAN: i32 = i32::MIN + 2;
pub(crate) const INFINITE: i32 = i32::MIN + 3;
/// Within these, neither operands nor results are near MPFR's limits of 2^30.
const LARGEST: i32 = 1 << 28;

const TOP: u64 = 1 << 63;
/// Limbs of the longest number.
pub(crate) const MOST_LIMBS: usize = 8;

impl<const N: usize> FixedFloat<N> {
    pub const ZERO: FixedFloat<N> = FixedFloat { limbs: [0; N], exponent: ZERO, is_negative: false };

    #[inline(always)]
    pub fn is_zero(&self) -> bool {
        self.exponent == ZERO
    }

    /// Neither 0 nor infinite nor NaN nor near the limits.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        (-LARGEST..=LARGEST).contains(&self.exponent)
    }

    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        self.is_plain() || !matches!(self.exponent, NAN | INFINITE)
    }

    #[inline(always)]
    pub fn set(&mut self, value: f64) {
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits << 11);
        self.is_negative = value.is_sign_negative();
        self.limbs = [0; N];
        match biased {
            0 if fraction == 0 => self.exponent = ZERO,
            0 => {
                let zeros = fraction.leading_zeros();
                self.limbs[N - 1] = fraction << zeros;
                self.exponent = -1021 - zeros as i32;
            }
            0x7ff => self.exponent = if fraction << 1 == 0 { INFINITE } else { NAN },
            _ => {
                self.limbs[N - 1] = fraction | TOP;
                self.exponent = biased - 1022;
            }
        }
    }

    /// x + y, or x - y, and whether that is exact; `None`: not done.
    #[inline(always)]
    pub fn sum(&mut self, x: &Self, y: &Self, negates: bool) -> Option<bool> {
        if !x.is_plain() || !y.is_plain() {
            return self.sum_with_zero(x, y, negates);
        }
        let y_negative = y.is_negative != negates;
        let order = x.exponent.cmp(&y.exponent);
        if x.is_negative == y_negative {
            self.is_negative = x.is_negative;
            return Some(match order {
                Ordering::Less => self.add_magnitudes(y, x),
                _ => self.add_magnitudes(x, y),
            });
        }
        let order = order.then_with(|| x.limbs.iter().rev().cmp(y.limbs.iter().rev()));
        Some(match order {
            Ordering::Less => {
                self.is_negative = y_negative;
                self.subtract_magnitudes(y, x)
            }
            _ => {
                self.is_negative = x.is_negative;
                self.subtract_magnitudes(x, y)
            }
        })
    }

    #[cold]
    fn sum_with_zero(&mut self, x: &Self, y: &Self, negates: bool) -> Option<bool> {
        if x.is_zero() && y.is_plain() {
            *self = FixedFloat { is_negative: y.is_negative != negates, ..*y };
            return Some(true);
        }
        if y.is_zero() && x.is_plain() {
            *self = *x;
            return Some(true);
        }
        None
    }

    /// `a` has the larger exponent. Says whether the sum is exact.
    #[inline(always)]
    fn add_magnitudes(&mut self, a: &Self, b: &Self) -> bool {
        let (low, guard, sticky) = shifted(&b.limbs, (a.exponent - b.exponent) as u32);
        let mut carry = false;
        for i in 0..N {
            (self.limbs[i], carry) = a.limbs[i].carrying_add(low[i], carry);
        }
        self.exponent = a.exponent;
        if !carry {
            return self.round(guard, sticky);
        }
        let (sticky, guard) = (sticky || guard & 1 != 0, guard >> 1 | self.limbs[0] << 63);
        for i in 0..N - 1 {
            self.limbs[i] = self.limbs[i] >> 1 | self.limbs[i + 1] << 63;
        }
        self.limbs[N - 1] = self.limbs[N - 1] >> 1 | TOP;
        self.exponent += 1;
        self.round(guard, sticky)
    }

    /// `a` is not the smaller. Says whether the difference is exact.
    #[inline(always)]
    fn subtract_magnitudes(&mut self, a: &Self, b: &Self) -> bool {
        let (low, guard, sticky) = shifted(&b.limbs, (a.exponent - b.exponent) as u32);
        // What was cut off of b is taken away as a whole, and a part of it comes back as the new sticky rest.
        let (guard, mut borrow) = 0u64.borrowing_sub(guard, sticky);
        for i in 0..N {
            (self.limbs[i], borrow) = a.limbs[i].borrowing_sub(low[i], borrow);
        }
        self.exponent = a.exponent;
        let top = self.limbs[N - 1];
        if top >= TOP {
            return self.round(guard, sticky);
        }
        if top == 0 {
            return self.normalize_deep(guard, sticky);
        }
        let guard = self.shift_up(top.leading_zeros(), guard);
        self.round(guard, sticky)
    }

    /// Multiplies by 2^bits, of which there are 1 to 63; returns what is left of the guard.
    #[inline(always)]
    fn shift_up(&mut self, bits: u32, guard: u64) -> u64 {
        for i in (1..N).rev() {
            self.limbs[i] = self.limbs[i] << bits | self.limbs[i - 1] >> (64 - bits);
        }
        self.limbs[0] = self.limbs[0] << bits | guard >> (64 - bits);
        self.exponent -= bits as i32;
        guard << bits
    }

    /// After a cancellation of 64 bits or more, or of all.
    #[cold]
    fn normalize_deep(&mut self, mut guard: u64, sticky: bool) -> bool {
        for _ in 0..=N {
            if self.limbs[N - 1] != 0 {
                let zeros = self.limbs[N - 1].leading_zeros();
                if zeros > 0 {
                    guard = self.shift_up(zeros, guard);
                }
                return self.round(guard, sticky);
            }
            self.limbs.copy_within(0..N - 1, 1);
            self.limbs[0] = std::mem::take(&mut guard);
            self.exponent -= 64;
        }
        *self = FixedFloat::ZERO;
        !sticky
    }

    /// To nearest, by what follows the last limb. Says whether there was nothing to round.
    #[inline(always)]
    fn round(&mut self, guard: u64, sticky: bool) -> bool {
        let up = guard > TOP || guard == TOP && (sticky || self.limbs[0] & 1 != 0);
        let mut carry = up;
        for limb in &mut self.limbs {
            (*limb, carry) = limb.carrying_add(0, carry);
        }
        if carry {
            self.limbs[N - 1] = TOP;
            self.exponent += 1;
        }
        guard == 0 && !sticky
    }

    /// x y, and whether that is exact; `None`: not done.
    #[inline(always)]
    pub fn product(&mut self, x: &Self, y: &Self) -> Option<bool> {
        if !x.is_plain() || !y.is_plain() {
            let is_zero = (x.is_zero() && (y.is_plain() || y.is_zero())) || (y.is_zero() && x.is_plain());
            *self = FixedFloat { is_negative: x.is_negative != y.is_negative, ..FixedFloat::ZERO };
            return is_zero.then_some(true);
        }
        // Numbers that were doubles once have zeros below: they are left out, a row each.
        let (x, y) = if y.limbs[0] == 0 { (y, x) } else { (x, y) };
        let mut p = [0u64; 2 * MOST_LIMBS];
        for i in 0..N {
            let factor = x.limbs[i];
            if factor == 0 {
                continue;
            }
            let mut carry = 0;
            for j in 0..N {
                (p[i + j], carry) = factor.carrying_mul_add(y.limbs[j], p[i + j], carry);
            }
            p[i + N] = carry;
        }
        self.is_negative = x.is_negative != y.is_negative;
        self.exponent = x.exponent + y.exponent;
        let sticky = p[..N - 1].iter().fold(0, |all, limb| all | limb) != 0;
        let guard = p[N - 1];
        self.limbs.copy_from_slice(&p[N..2 * N]);
        let guard = if self.limbs[N - 1] >= TOP { guard } else { self.shift_up(1, guard) };
        Some(self.round(guard, sticky))
    }

    /// The leading 128 bits as the sum of two doubles; `None` near the ends of the doubles' range, and if there are none.
    #[inline(always)]
    pub fn leading(&self) -> Option<Dd> {
        if !(-850..=1000).contains(&self.exponent) {
            return None;
        }
        let (top, next) = (self.limbs[N - 1], self.limbs[N - 2]);
        // 53 bits are exact in a double, and so are the 11 that follow; 64 more are rounded.
        let high = (top & !0x7ff) as f64;
        let low = (top & 0x7ff) as f64 + next as f64 * TWO_TO_MINUS_64;
        let scale = f64::from_bits(((self.exponent - 64 + 1023) as u64) << 52);
        let scale = if self.is_negative { -scale } else { scale };
        Some(Dd::renormalized(high * scale, low * scale))
    }
}

const TWO_TO_MINUS_64: f64 = f64::from_bits((1023 - 64) << 52);

/// Limbs times 2^-gap: as many limbs, the one that follows, and whether anything is beyond.
#[inline(always)]
fn shifted<const N: usize>(limbs: &[u64; N], gap: u32) -> ([u64; N], u64, bool) {
    if gap == 0 {
        return (*limbs, 0, false);
    }
    if gap >= 64 {
        return shifted_far(limbs, gap);
    }
    let mut low = [0; N];
    for i in 0..N - 1 {
        low[i] = limbs[i] >> gap | limbs[i + 1] << (64 - gap);
    }
    low[N - 1] = limbs[N - 1] >> gap;
    (low, limbs[0] << (64 - gap), false)
}

#[inline(never)]
fn shifted_far<const N: usize>(limbs: &[u64; N], gap: u32) -> ([u64; N], u64, bool) {
    let (whole, bits) = ((gap / 64) as usize, gap % 64);
    if whole > N {
        return ([0; N], 0, true);
    }
    // The limb `index` places above the guard, which itself is 0, once moved by whole limbs.
    let at = |index: usize| if index == 0 { 0 } else { limbs.get(index - 1).copied().unwrap_or(0) };
    let moved = |index: usize| match bits {
        0 => at(index + whole),
        _ => at(index + whole) >> bits | at(index + whole + 1) << (64 - bits),
    };
    let beyond = limbs[..whole.saturating_sub(1)].iter().any(|&limb| limb != 0);
    let sticky = beyond || bits > 0 && at(whole) << (64 - bits) != 0;
    (std::array::from_fn(|i| moved(i + 1)), moved(0), sticky)
}
