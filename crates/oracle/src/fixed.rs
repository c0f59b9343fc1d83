//! MPFR at 128, 256 and 512 bits, with the limbs inside the shadow: nothing is allocated, and sums and products are
//! those of [`FixedFloat`], which have MPFR's bits. For everything else [`Mpfr`] works on the same limbs.

use crate::limbs::{FixedFloat, INFINITE, NAN, ZERO};
use crate::{Binary, Complex, Dd, Function, Half, Mpfr, Operand, Oracle, Precision};
use gmp_mpfr_sys::mpfr::mpfr_t;
use rug::Float;
use rug::float::BorrowFloat;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;

#[derive(Debug)]
pub struct Fixed<const N: usize> {
    mpfr: Mpfr,
}

type X<'a, const N: usize> = Operand<'a, FixedFloat<N>>;

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

/// An operand, as MPFR reads it.
#[allow(unsafe_code)]
fn view<const N: usize>(x: &FixedFloat<N>) -> BorrowFloat<'_> {
    // SAFETY: N limbs of a normalized number, or a mark beside which they do not count; they live as long as what is
    // borrowed, and MPFR does not write to operands.
    unsafe { BorrowFloat::from_raw(raw(x, NonNull::from(&x.limbs).cast())) }
}

/// Lets MPFR write a number.
#[allow(unsafe_code)]
fn write<const N: usize, T>(out: &mut FixedFloat<N>, with: impl FnOnce(&mut Float) -> T) -> T {
    let d = NonNull::from(&mut out.limbs).cast();
    // SAFETY: N limbs to which nobody else refers meanwhile. Assigning by reference keeps precision and limbs where they
    // are, and the `Float` is never dropped, so they are not freed.
    let mut float = ManuallyDrop::new(unsafe { Float::from_raw(raw(out, d)) });
    let answer = with(&mut float);
    let after = float.as_raw();
    // SAFETY: what `as_raw` points to is the `Float` just above.
    let (sign, exp, there) = unsafe { ((*after).sign, (*after).exp, (*after).d) };
    assert_eq!(there, d, "a number was moved, not assigned");
    out.is_negative = sign < 0;
    out.exponent = match exp {
        MPFR_ZERO => ZERO,
        MPFR_NAN => NAN,
        MPFR_INFINITE => INFINITE,
        // MPFR's exponents have 31 bits unless somebody asks for more.
        exp => i32::try_from(exp).unwrap_or(NAN),
    };
    answer
}

impl<const N: usize> Default for Fixed<N> {
    fn default() -> Self {
        Fixed { mpfr: Mpfr::new(64 * N as u32) }
    }
}

impl<const N: usize> Fixed<N> {
    /// The sum, difference or product, if it is one of the plain cases.
    #[inline(always)]
    fn plain(op: Binary, out: &mut FixedFloat<N>, x: &FixedFloat<N>, y: &FixedFloat<N>) -> bool {
        match op {
            Binary::Add => out.sum(x, y, false),
            Binary::Sub => out.sum(x, y, true),
            Binary::Mul => out.product(x, y),
            Binary::Div => false,
        }
    }

    #[inline(never)]
    fn divide(&mut self, out: &mut FixedFloat<N>, x: X<N>, y: X<N>, z: f64) {
        self.by_mpfr(Binary::Div, out, x, y, z);
    }

    fn by_mpfr(&mut self, op: Binary, out: &mut FixedFloat<N>, x: X<N>, y: X<N>, z: f64) {
        let (a, b) = (view(x.shadow), view(y.shadow));
        write(out, |out| self.mpfr.binary(op, out, operand(&x, &a), operand(&y, &b), z));
    }

    #[cold]
    fn leading_by_mpfr(&self, shadow: &FixedFloat<N>, actual: f64) -> Dd {
        self.mpfr.ideal(&view(shadow), actual)
    }
}

fn operand<'a, const N: usize>(x: &X<N>, view: &'a BorrowFloat<'_>) -> Operand<'a, Float> {
    Operand { actual: x.actual, shadow: view.deref() }
}

impl<const N: usize> Oracle for Fixed<N> {
    type Shadow = FixedFloat<N>;
    #[cfg(target_arch = "x86_64")]
    type Four = ();

    fn variable(&self) -> FixedFloat<N> {
        FixedFloat::ZERO
    }

    #[inline]
    fn restart(&mut self, out: &mut FixedFloat<N>, value: f64) {
        out.set(value);
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &FixedFloat<N>, value: f64) -> bool {
        let mut restarted = FixedFloat::ZERO;
        restarted.set(value);
        *shadow == restarted
    }

    fn restart_wide(&mut self, out: &mut FixedFloat<N>, value: f64, low: f64) {
        out.set(value);
        if low != 0.0 && value.is_finite() && low.is_finite() {
            write(out, |out| self.mpfr.restart_wide(out, value, low));
        }
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut FixedFloat<N>, from: &FixedFloat<N>) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &FixedFloat<N>, actual: f64) -> Dd {
        shadow.leading().unwrap_or_else(|| self.leading_by_mpfr(shadow, actual))
    }

    #[inline]
    fn binary(&mut self, op: Binary, out: &mut FixedFloat<N>, x: X<N>, y: X<N>, z: f64) {
        if !Self::plain(op, out, x.shadow, y.shadow) {
            return self.by_mpfr(op, out, x, y, z);
        }
        if !out.is_finite() || !z.is_finite() {
            out.set(z);
        }
    }

    #[inline(always)]
    fn quick(&mut self, op: Binary, out: &mut FixedFloat<N>, x: X<N>, y: X<N>, z: f64) -> f64 {
        if op == Binary::Div {
            self.divide(out, x, y, z);
        } else if !Self::plain(op, out, x.shadow, y.shadow) {
            return f64::NAN;
        }
        self.ideal(out, z).minus_actual(z)
    }

    #[inline]
    fn neg(&mut self, out: &mut FixedFloat<N>, x: X<N>) {
        *out = FixedFloat { is_negative: !x.shadow.is_negative, ..*x.shadow };
    }

    #[inline]
    fn abs(&mut self, out: &mut FixedFloat<N>, x: X<N>) {
        *out = FixedFloat { is_negative: false, ..*x.shadow };
    }

    fn sqrt(&mut self, out: &mut FixedFloat<N>, x: X<N>, z: f64) {
        let a = view(x.shadow);
        write(out, |out| self.mpfr.sqrt(out, operand(&x, &a), z));
    }

    fn fma(&mut self, out: &mut FixedFloat<N>, [x, y, c]: [X<N>; 3], z: f64) {
        let (a, b, d) = (view(x.shadow), view(y.shadow), view(c.shadow));
        let operands = [operand(&x, &a), operand(&y, &b), operand(&c, &d)];
        write(out, |out| self.mpfr.fma(out, operands, z));
    }

    #[inline]
    fn convert(&mut self, out: &mut FixedFloat<N>, x: X<N>, z: f64) {
        *out = *x.shadow;
        if !out.is_finite() || !z.is_finite() {
            out.set(z);
        }
    }

    #[inline(always)]
    fn rebase(&mut self, _: &mut FixedFloat<N>, _: f64, _: f64) {}

    fn forgive(&mut self, shadow: &mut FixedFloat<N>, z: f64, error: f64) {
        write(shadow, |shadow| self.mpfr.forgive(shadow, z, error));
    }

    fn shift(&mut self, out: &mut FixedFloat<N>, x: X<N>, z: f64) {
        let a = view(x.shadow);
        write(out, |out| self.mpfr.shift(out, operand(&x, &a), z));
    }

    fn function(
        &mut self,
        f: Function,
        out: &mut FixedFloat<N>,
        args: &[X<N>],
        n: i64,
        z: f64,
        precision: Precision,
    ) -> bool {
        let views: [Option<BorrowFloat<'_>>; 2] = std::array::from_fn(|i| args.get(i).map(|x| view(x.shadow)));
        write(out, |out| match (args, &views) {
            ([x], [Some(a), _]) => self.mpfr.function(f, out, &[operand(x, a)], n, z, precision),
            ([x, y], [Some(a), Some(b)]) => {
                self.mpfr.function(f, out, &[operand(x, a), operand(y, b)], n, z, precision)
            }
            _ => self.mpfr.function(f, out, &[], n, z, precision),
        })
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut FixedFloat<N>, args: &[X<N>], z: f64) -> bool {
        let views: Vec<BorrowFloat<'_>> = args.iter().map(|x| view(x.shadow)).collect();
        let operands: Vec<Operand<Float>> = args.iter().zip(&views).map(|(x, v)| operand(x, v)).collect();
        write(out, |out| self.mpfr.complex(f, half, out, &operands, z))
    }

    #[inline]
    fn noise(&self, x: f64, residue: f64) -> f64 {
        self.mpfr.noise(x, residue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Assign;

    fn float<const N: usize>(x: &FixedFloat<N>) -> Float {
        Float::with_val(64 * N as u32, &*view(x))
    }

    /// The same number, and zeros of the same sign.
    fn same(a: &Float, b: &Float) -> bool {
        (a.is_nan() && b.is_nan()) || (a == b && a.is_sign_negative() == b.is_sign_negative())
    }

    /// Limbs at which carries, ties and cancellations happen.
    fn limb() -> impl Strategy<Value = u64> {
        let edges = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, (1 << 63) + 1];
        prop_oneof![3 => proptest::sample::select(edges.to_vec()), 1 => any::<u64>()]
    }

    fn number<const N: usize>() -> impl Strategy<Value = FixedFloat<N>> {
        let gap = prop_oneof![-3i32..=3, -70..=70, -600..=600, -1200..=1200];
        let plain = (proptest::collection::vec(limb(), N), gap, any::<bool>()).prop_map(|(limbs, exponent, sign)| {
            let mut x = FixedFloat::<N> { limbs: [0; N], exponent, is_negative: sign };
            x.limbs.copy_from_slice(&limbs);
            x.limbs[N - 1] |= 1 << 63;
            x
        });
        let odd = (proptest::sample::select(vec![ZERO, NAN, INFINITE, (1 << 30) - 2, -(1 << 30) + 3]), any::<bool>());
        let odd = odd.prop_map(|(exponent, is_negative)| {
            let mut limbs = [0; N];
            limbs[N - 1] = 1 << 63;
            FixedFloat::<N> { limbs, exponent, is_negative }
        });
        let double = any::<f64>().prop_map(|value| {
            let mut x = FixedFloat::<N>::ZERO;
            x.set(value);
            x
        });
        prop_oneof![12 => plain, 1 => odd, 1 => double]
    }

    /// Each operation gives what `Mpfr` gives, or says that it does not.
    fn check<const N: usize>(x: FixedFloat<N>, y: FixedFloat<N>) -> Result<(), TestCaseError> {
        let mut fixed = Fixed::<N>::default();
        let mut mpfr = Mpfr::new(64 * N as u32);
        let (a, b) = (float(&x), float(&y));
        let mut expected = Float::new(64 * N as u32);
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
            let mut out = FixedFloat::<N>::ZERO;
            let z = 1.0;
            let of = |shadow| Operand { actual: z, shadow };
            fixed.binary(op, &mut out, of(&x), of(&y), z);
            let of = |shadow| Operand { actual: z, shadow };
            mpfr.binary(op, &mut expected, of(&a), of(&b), z);
            prop_assert!(same(&float(&out), &expected), "{op:?} {x:?} {y:?}: {out:?}, not {expected:?}");
            let (ideal, right) = (fixed.ideal(&out, z), mpfr.ideal(&expected, z));
            prop_assert_eq!((ideal.hi.to_bits(), ideal.lo.to_bits()), (right.hi.to_bits(), right.lo.to_bits()));
            let mut quick = FixedFloat::<N>::ZERO;
            let of = |shadow| Operand { actual: z, shadow };
            let residue = fixed.quick(op, &mut quick, of(&x), of(&y), z);
            if residue.is_finite() {
                prop_assert!(same(&float(&quick), &expected), "{op:?} quick");
                prop_assert_eq!(residue.to_bits(), right.minus_actual(z).to_bits());
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn two_limbs_are_mpfrs(x in number::<2>(), y in number::<2>()) {
            check(x, y)?;
        }

        #[test]
        fn four_limbs_are_mpfrs(x in number::<4>(), y in number::<4>()) {
            check(x, y)?;
        }

        #[test]
        fn eight_limbs_are_mpfrs(x in number::<8>(), y in number::<8>()) {
            check(x, y)?;
        }

        /// Operands that differ in their last bits only, at any distance of their exponents.
        #[test]
        fn near_operands_cancel_as_mpfrs(x in number::<2>(), step in -3i64..=3, exponent in -1i32..=1) {
            let mut y = x;
            y.limbs[0] = y.limbs[0].wrapping_add_signed(step);
            y.exponent = y.exponent.saturating_add(exponent);
            check(x, y)?;
        }

        #[test]
        fn doubles_are_set_as_mpfrs(value: f64) {
            let mut x = FixedFloat::<2>::ZERO;
            x.set(value);
            let mut expected = Float::new(128);
            expected.assign(value);
            prop_assert!(same(&float(&x), &expected));
        }
    }
}
