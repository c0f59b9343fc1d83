//! Reduction of an angle to a multiple of pi/512 and a rest of at most pi/1024.

use super::nearest;
use super::tables::constants::{PI_512TH, PI_512THS, PI_HALF};
use super::tables::two_over_pi::TWO_OVER_PI;
use crate::Dd;
use crate::eft::two_sum;

/// `step pi/512 + rest`, where only `step` modulo 1024 counts.
pub(super) struct Angle {
    pub(super) step: u32,
    pub(super) rest: Dd,
}

/// Up to here pi/512 in four parts leaves enough bits.
const MODERATE: f64 = 4_194_304.0; // 2^22

#[inline(always)]
pub(super) fn reduced(a: Dd) -> Angle {
    if a.hi.abs() <= MODERATE { reduced_moderate(a) } else { reduced_huge(a) }
}

/// By subtraction of k pi/512 (Cody and Waite).
///
/// The first step is exact: what is left is a multiple of the last place of the first part (or of `a`), and less than
/// 2^53 of them. The others are exact products, summed in double-double. No double in the range comes closer than
/// 2^-62 to a multiple of pi/2, so the rest keeps its relative precision.
#[inline(always)]
fn reduced_moderate(a: Dd) -> Angle {
    let k = nearest(a.hi * PI_512THS);
    let first = (-k.value).mul_add(PI_512TH[0], a.hi);
    let second = Dd::product(-k.value, PI_512TH[1]);
    let third = Dd::product(-k.value, PI_512TH[2]);
    let below = Dd::sum(a.lo, third.hi);
    let small = Dd::sum(below.hi, second.lo);
    let least = (small.lo + below.lo) + (-k.value).mul_add(PI_512TH[3], third.lo);
    let (s, s_low) = two_sum(first, second.hi);
    let (t, t_low) = two_sum(s, small.hi);
    Angle { step: k.integer as u32, rest: Dd::renormalized(t, t_low + (s_low + least)) }
}

/// By multiplication with as many bits of 2/pi as matter (Payne and Hanek), in fixed point.
///
/// Out of line: rare, and long.
#[inline(never)]
fn reduced_huge(a: Dd) -> Angle {
    // A low part this small changes the rest, but not the step; a larger one may hold many turns of its own.
    let low_is_small = a.lo.abs() < 1.0 / 1_048_576.0;
    let mut turns = Turns::of(a.hi);
    if !low_is_small {
        turns = turns.plus(Turns::of(a.lo));
    }
    let (step, fraction) = turns.nearest_step();
    let mut rest = fraction * PI_HALF;
    if low_is_small {
        rest = rest.add_f64(a.lo);
    }
    Angle { step, rest }
}

/// An angle in units of pi/2, modulo 4, as a fixed-point number: 2 bits before the point and 254 after it, the most
/// significant word first.
#[derive(Clone, Copy)]
struct Turns([u64; 4]);

impl Turns {
    /// Of the angle `x`, for |x| >= 2^-20; absolute error 2^-200.
    #[inline(always)]
    fn of(x: f64) -> Turns {
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1075;
        let significand = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
        // x = significand 2^exponent. Bits of 2/pi before this one make multiples of 4.
        let from = (exponent - 2 + 128) as usize;
        let (word, shift) = (from / 64, from % 64);
        let mut window = [0u64; 4];
        for (i, w) in window.iter_mut().enumerate() {
            let high = TWO_OVER_PI[word + i] << shift;
            let low = if shift == 0 { 0 } else { TWO_OVER_PI[word + i + 1] >> (64 - shift) };
            *w = high | low;
        }
        let mut product = [0u64; 4];
        let mut carry = 0u64;
        for i in (0..4).rev() {
            let wide = u128::from(window[i]) * u128::from(significand) + u128::from(carry);
            product[i] = wide as u64;
            carry = (wide >> 64) as u64;
        }
        let turns = Turns(product);
        if x.is_sign_negative() { turns.negated() } else { turns }
    }

    #[inline(always)]
    fn plus(self, other: Turns) -> Turns {
        let mut sum = [0u64; 4];
        let mut carry = false;
        for i in (0..4).rev() {
            let (s, c1) = self.0[i].overflowing_add(other.0[i]);
            let (s, c2) = s.overflowing_add(u64::from(carry));
            sum[i] = s;
            carry = c1 | c2;
        }
        Turns(sum)
    }

    #[inline(always)]
    fn negated(self) -> Turns {
        Turns(self.0.map(|w| !w)).plus(Turns([0, 0, 0, 1]))
    }

    /// The nearest multiple of 1/256, counted in those, and what is left.
    #[inline(always)]
    fn nearest_step(self) -> (u32, Dd) {
        let rounded = self.plus(Turns([1 << 53, 0, 0, 0])).0[0] >> 54;
        let rest = self.plus(Turns([rounded << 54, 0, 0, 0]).negated());
        let is_negative = rest.0[0] >> 63 == 1;
        let magnitude = if is_negative { rest.negated() } else { rest }.to_dd();
        (rounded as u32, if is_negative { -magnitude } else { magnitude })
    }

    /// The leading 106 bits or more, of a number below 1.
    #[inline(always)]
    fn to_dd(self) -> Dd {
        let mut words = self.0;
        let mut weight = 1.0 / 18_446_744_073_709_551_616.0 * 4.0; // of the last bit of words[0]: 2^-62
        while words[0] == 0 && weight > 1e-70 {
            words = [words[1], words[2], words[3], 0];
            weight *= 1.0 / 18_446_744_073_709_551_616.0;
        }
        let zeros = words[0].leading_zeros() % 64;
        let shifted = |i: usize| (words[i] << zeros) | ((words[i + 1] >> 1) >> (63 - zeros));
        let (w0, w1) = (shifted(0), shifted(1));
        let weight = weight / (1u64 << zeros) as f64;
        // 53 + 53 bits, each part exact.
        let hi = (w0 >> 11) as f64 * 2048.0;
        let lo = ((w0 & 0x7ff) << 42 | w1 >> 22) as f64 * (1.0 / 4_398_046_511_104.0);
        Dd::renormalized(hi * weight, lo * weight)
    }
}
