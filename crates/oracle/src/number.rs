//! Numbers that MPFR works on: its own, of any precision, and those of two, four and eight limbs that lie inside their
//! shadow, so that nothing is allocated. Sums and products of the latter are [`FixedFloat`]'s, which have MPFR's bits.

use crate::limbs::{FixedFloat, INFINITE, NAN, ZERO};
use crate::noise::{EXACT, logarithm};
use crate::{Binary, Dd};
use gmp_mpfr_sys::mpfr::mpfr_t;
use rug::ops::{CompleteRound, NegAssign};
use rug::{Assign, Float};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A number of some precision, which MPFR can read and write.
pub trait Number {
    fn new(bits: u32) -> Self;
    fn set(&mut self, value: f64);
    fn copy(&mut self, from: &Self);
    fn negate(&mut self);
    fn make_positive(&mut self);
    fn is_finite(&self) -> bool;
    /// Whether it is bit for bit what [`Number::set`] makes of the value. `false` where that takes long to tell.
    fn is_value(&self, value: f64) -> bool;
    /// e with |x| < 2^e; [`EXACT`], below all, of 0.
    fn exponent(&self) -> i32;
    /// The logarithm of |x|, in units of `noise`; [`EXACT`] of 0.
    fn magnitude(&self) -> i32;
    /// The leading 128 bits as the sum of two doubles.
    fn leading(&self) -> Dd;
    /// As MPFR reads it.
    fn read<T>(&self, with: impl FnOnce(&Float) -> T) -> T;
    /// Lets MPFR write it. Whatever writes assigns by reference: the number must not change places with another.
    fn write<T>(&mut self, with: impl FnOnce(&mut Float) -> T) -> T;
    /// The sum, difference or product without MPFR, and whether it is exact; `None` if that is not to be had.
    #[inline(always)]
    fn plain(_: Binary, _: &mut Self, _: &Self, _: &Self) -> Option<bool>
    where
        Self: Sized,
    {
        None
    }
}

impl Number for Float {
    fn new(bits: u32) -> Float {
        Float::new(bits)
    }

    fn set(&mut self, value: f64) {
        self.assign(value);
    }

    fn copy(&mut self, from: &Float) {
        self.assign(from);
    }

    fn negate(&mut self) {
        self.neg_assign();
    }

    fn make_positive(&mut self) {
        self.abs_mut();
    }

    fn is_finite(&self) -> bool {
        Float::is_finite(self)
    }

    fn is_value(&self, _: f64) -> bool {
        false
    }

    fn exponent(&self) -> i32 {
        self.get_exp().unwrap_or(EXACT)
    }

    #[inline]
    fn magnitude(&self) -> i32 {
        let top = self.get_significand().and_then(|limbs| limbs.as_limbs().last().copied());
        match (self.get_exp(), top) {
            (Some(exponent), Some(top)) => logarithm(exponent, top),
            _ => EXACT,
        }
    }

    #[inline]
    fn leading(&self) -> Dd {
        leading(self)
    }

    #[inline]
    fn read<T>(&self, with: impl FnOnce(&Float) -> T) -> T {
        with(self)
    }

    #[inline]
    fn write<T>(&mut self, with: impl FnOnce(&mut Float) -> T) -> T {
        with(self)
    }
}

/// The leading 128 bits as the sum of two doubles.
#[inline]
pub fn leading(x: &Float) -> Dd {
    let (Some(exponent), Some(significand)) = (x.get_exp(), x.get_significand()) else {
        return Dd::from(x.to_f64());
    };
    // Far enough inside the range that neither part is subnormal or overflows.
    if !(-850..=1000).contains(&exponent) {
        return leading_by_subtraction(x);
    }
    let limbs = significand.as_limbs();
    let Some((&top, rest)) = limbs.split_last() else { return Dd::ZERO };
    let next = rest.last().copied().unwrap_or(0);
    // 53 bits are exact in a double, and so are the 11 that follow; 64 more are rounded.
    let high = (top & !0x7ff) as f64;
    let low = (top & 0x7ff) as f64 + next as f64 * TWO_TO_MINUS_64;
    let scale = f64::from_bits(((exponent - 64 + 1023) as u64) << 52);
    let scale = if x.is_sign_negative() { -scale } else { scale };
    Dd::renormalized(high * scale, low * scale)
}

const TWO_TO_MINUS_64: f64 = f64::from_bits((1023 - 64) << 52);

/// The same for exponents at the ends of the range.
#[cold]
fn leading_by_subtraction(x: &Float) -> Dd {
    let high = x.to_f64();
    if !high.is_finite() {
        return Dd::from(high);
    }
    let rest = (x - high).complete(x.prec());
    Dd::new(high, rest.to_f64())
}

/// MPFR's own marks for what is not an ordinary number.
const MPFR_ZERO: i64 = i64::MIN + 1;
const MPFR_NAN: i64 = i64::MIN + 2;
const MPFR_INFINITE: i64 = i64::MIN + 3;

/// MPFR's view of a number whose limbs begin at `d`.
fn raw<const N: usize>(x: &FixedFloat<N>, d: NonNull<u64>) -> mpfr_t {
    let exp = match x.exponent {
        ZERO => MPFR_ZERO,
        NAN => MPFR_NAN,
        INFINITE => MPFR_INFINITE,
        exponent => i64::from(exponent),
    };
    mpfr_t { prec: 64 * N as i64, sign: if x.is_negative { -1 } else { 1 }, exp, d }
}

impl<const N: usize> Number for FixedFloat<N> {
    fn new(_: u32) -> FixedFloat<N> {
        FixedFloat::ZERO
    }

    #[inline(always)]
    fn set(&mut self, value: f64) {
        FixedFloat::set(self, value);
    }

    #[inline(always)]
    fn copy(&mut self, from: &FixedFloat<N>) {
        *self = *from;
    }

    #[inline(always)]
    fn negate(&mut self) {
        self.is_negative = !self.is_negative;
    }

    #[inline(always)]
    fn make_positive(&mut self) {
        self.is_negative = false;
    }

    #[inline(always)]
    fn is_finite(&self) -> bool {
        FixedFloat::is_finite(self)
    }

    #[inline(always)]
    fn is_value(&self, value: f64) -> bool {
        let mut restarted = FixedFloat::ZERO;
        restarted.set(value);
        *self == restarted
    }

    #[inline(always)]
    fn exponent(&self) -> i32 {
        if self.exponent <= INFINITE { EXACT } else { self.exponent }
    }

    #[inline(always)]
    fn magnitude(&self) -> i32 {
        if self.exponent <= INFINITE { EXACT } else { logarithm(self.exponent, self.limbs[N - 1]) }
    }

    #[inline(always)]
    fn leading(&self) -> Dd {
        FixedFloat::leading(self).unwrap_or_else(|| leading_by_mpfr(self))
    }

    #[allow(unsafe_code)]
    fn read<T>(&self, with: impl FnOnce(&Float) -> T) -> T {
        // SAFETY: N limbs of a normalized number, or a mark beside which they do not count; they live as long as what
        // is borrowed, and MPFR does not write to operands.
        let view = unsafe { rug::float::BorrowFloat::from_raw(raw(self, NonNull::from(&self.limbs).cast())) };
        with(&view)
    }

    #[allow(unsafe_code)]
    fn write<T>(&mut self, with: impl FnOnce(&mut Float) -> T) -> T {
        let d = NonNull::from(&mut self.limbs).cast();
        // SAFETY: N limbs to which nobody else refers meanwhile. Assigning by reference keeps precision and limbs where
        // they are, and the `Float` is never dropped, so they are not freed.
        let mut float = ManuallyDrop::new(unsafe { Float::from_raw(raw(self, d)) });
        let answer = with(&mut float);
        let after = float.as_raw();
        // SAFETY: what `as_raw` points to is the `Float` just above.
        let (sign, exp, there) = unsafe { ((*after).sign, (*after).exp, (*after).d) };
        assert_eq!(there, d, "a number was moved, not assigned");
        self.is_negative = sign < 0;
        self.exponent = match exp {
            MPFR_ZERO => ZERO,
            MPFR_NAN => NAN,
            MPFR_INFINITE => INFINITE,
            // MPFR's exponents have 31 bits unless somebody asks for more.
            exp => i32::try_from(exp).unwrap_or(NAN),
        };
        answer
    }

    #[inline(always)]
    fn plain(op: Binary, out: &mut Self, x: &Self, y: &Self) -> Option<bool> {
        match op {
            Binary::Add => out.sum(x, y, false),
            Binary::Sub => out.sum(x, y, true),
            Binary::Mul => out.product(x, y),
            Binary::Div => None,
        }
    }
}

#[cold]
fn leading_by_mpfr<const N: usize>(x: &FixedFloat<N>) -> Dd {
    x.read(leading)
}
