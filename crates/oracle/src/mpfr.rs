//! MPFR, at any precision from 2 to 65536 bits.
//!
//! MPFR's exponents are practically unbounded, so an ideal that leaves the program's range lives on. What it would take
//! unbounded time or memory to evaluate (the sine of 2^(2^40)) restarts from the program's value instead, and so does
//! whatever the program got as infinity or NaN.
//!
//! A shadow is a number and its noise. At 128, 256 and 512 bits the number lies inside it ([`Fixed`]).

pub(crate) mod functions;

use crate::complex::half_of;
use crate::estimate::HEADROOM;
use crate::limbs::FixedFloat;
use crate::noise::{self, EXACT, Size};
use crate::number::Number;
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision};
use functions::{binary_function, unary};
use rug::float::Round;
use rug::ops::{AssignRound, SubAssignRound};
use rug::{Assign, Float};
use std::cmp::Ordering;
use std::marker::PhantomData;

#[derive(Debug)]
pub struct Mpfr<V = Float> {
    bits: u32,
    scratch: [Float; 2],
    number: PhantomData<V>,
}

/// MPFR at 64 N bits, with the limbs inside the shadow.
pub type Fixed<const N: usize> = Mpfr<FixedFloat<N>>;

/// A number, and how far it may be off.
#[derive(Clone, Copy, Debug)]
pub struct Ball<V> {
    pub value: V,
    /// The logarithm of its error, as `noise` has it.
    noise: i32,
}

type X<'a, V> = Operand<'a, Ball<V>>;

const NEAREST: Round = Round::Nearest;
/// Arguments of functions beyond 2^this are not evaluated; no program's format gets there.
const LARGEST_EXPONENT: i32 = 20_000;

impl<V> Ball<V> {
    /// A number that is the ideal.
    pub fn exact(value: V) -> Ball<V> {
        Ball { value, noise: EXACT }
    }
}

impl<V: Number> Ball<V> {
    #[inline(always)]
    fn size(&self) -> Size {
        Size { magnitude: self.value.magnitude(), noise: self.noise }
    }

    /// The number is what the program has.
    #[inline(always)]
    fn set(&mut self, value: f64) {
        self.value.set(value);
        self.noise = EXACT;
    }

    /// Infinite and NaN shadows would stay so for ever; the program's value says as much. What overflowed in its format
    /// alone keeps its ideal: the quotient by it need not be 0.
    #[inline(always)]
    fn or_value(&mut self, z: f64) {
        if !self.value.is_finite() || z.is_nan() {
            self.leave_ideal(z);
        }
    }

    /// Goes on from the program's value. Where that is a number the operation has none for its ideal operands: it divides by
    /// 0, or they are outside of a function's domain. If that is because nothing is known of them, more bits may tell.
    #[cold]
    fn leave_ideal(&mut self, z: f64) {
        let noise = match z.is_finite() {
            true if self.noise == noise::UNBOUNDED => noise::UNBOUNDED,
            true => noise::UNDEFINED,
            false => EXACT,
        };
        self.set(z);
        self.noise = noise;
    }

    fn to_f64(&self) -> f64 {
        self.value.leading().to_f64()
    }

    /// How far off it may be.
    pub(crate) fn radius(&self) -> f64 {
        noise::radius(self.noise)
    }

    /// It is off by so much more.
    pub(crate) fn add_noise(&mut self, noise: f64) {
        match noise {
            0.0 => {}
            f64::INFINITY => self.noise = noise::UNBOUNDED,
            _ => self.noise = self.noise.max(noise::logarithm_of(noise)),
        }
    }
}

impl Ball<Float> {
    /// The number less what the program has.
    pub(crate) fn less_actual(&self, actual: f64, bits: u32) -> Float {
        let actual = if actual.is_finite() { actual } else { 0.0 };
        Float::with_val(bits, &self.value - actual)
    }

    /// Whether so many bits of a number made of this one are right.
    pub(crate) fn is_right_to(&self, difference: &Float, bits: i32) -> bool {
        let reach = self.noise.saturating_add((HEADROOM + bits) * noise::UNIT);
        self.noise == EXACT || self.noise != noise::UNBOUNDED && reach <= difference.magnitude()
    }
}

impl Mpfr {
    /// `bits` from 2 to 65536; a `Spec` sees to that.
    pub fn new(bits: u32) -> Mpfr {
        Mpfr::of_bits(bits.clamp(rug::float::prec_min(), 1 << 16))
    }
}

impl<V: Number> Mpfr<V> {
    fn of_bits(bits: u32) -> Mpfr<V> {
        Mpfr { bits, scratch: [Float::new(bits), Float::new(bits)], number: PhantomData }
    }

    /// The noise of the rounding that made a number.
    #[inline(always)]
    fn introduced(&self, out: &Ball<V>, is_exact: bool) -> i32 {
        if is_exact { EXACT } else { (out.value.magnitude() - self.bits as i32 * noise::UNIT).max(EXACT + 1) }
    }

    #[inline(never)]
    fn by_mpfr(&mut self, op: Binary, out: &mut Ball<V>, x: X<V>, y: X<V>, z: f64) {
        if op == Binary::Div && y.actual.is_infinite() && !y.shadow.value.is_finite() {
            // The quotient by an infinite divisor is a true zero.
            return out.set(z);
        }
        let rounding = x.shadow.value.read(|a| {
            y.shadow.value.read(|b| {
                out.value.write(|out| match op {
                    Binary::Add => out.assign_round(a + b, NEAREST),
                    Binary::Sub => out.assign_round(a - b, NEAREST),
                    Binary::Mul => out.assign_round(a * b, NEAREST),
                    Binary::Div => out.assign_round(a / b, NEAREST),
                })
            })
        });
        self.noisy(op, out, x, y, rounding == Ordering::Equal);
    }

    #[inline(always)]
    fn noisy(&self, op: Binary, out: &mut Ball<V>, x: X<V>, y: X<V>, is_exact: bool) {
        let introduced = self.introduced(out, is_exact);
        out.noise = noise::of_binary(op, x.shadow.size(), y.shadow.size(), out.value.magnitude(), introduced);
    }

    /// The number less a double, which is rounded.
    fn less(&self, out: &mut Ball<V>, error: f64) {
        let before = out.noise;
        let rounding = out.value.write(|out| out.sub_assign_round(error, NEAREST));
        out.noise = before.max(self.introduced(out, rounding == Ordering::Equal));
    }
}

impl<const N: usize> Default for Fixed<N> {
    fn default() -> Self {
        Mpfr::of_bits(64 * N as u32)
    }
}

impl<V: Number> Oracle for Mpfr<V> {
    type Shadow = Ball<V>;
    #[cfg(target_arch = "x86_64")]
    type Four = ();

    fn bits(&self) -> u32 {
        self.bits
    }

    fn variable(&self) -> Ball<V> {
        Ball::exact(V::new(self.bits))
    }

    #[inline]
    fn restart(&mut self, out: &mut Ball<V>, value: f64) {
        out.set(value);
        if self.bits < 53 {
            out.noise = self.introduced(out, false);
        }
    }

    fn restart_wide(&mut self, out: &mut Ball<V>, value: f64, low: f64) {
        self.restart(out, value);
        if low != 0.0 && value.is_finite() && low.is_finite() {
            self.less(out, -low);
        }
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &Ball<V>, value: f64) -> bool {
        shadow.noise == EXACT && shadow.value.is_value(value)
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut Ball<V>, from: &Ball<V>) {
        out.value.copy(&from.value);
        out.noise = from.noise;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &Ball<V>, _: f64) -> Dd {
        shadow.value.leading()
    }

    #[inline(always)]
    fn radius(&self, shadow: &Ball<V>, _: f64) -> f64 {
        noise::radius(shadow.noise)
    }

    fn is_undefined(&self, shadow: &Ball<V>) -> bool {
        shadow.noise == noise::UNDEFINED
    }

    #[inline]
    fn binary(&mut self, op: Binary, out: &mut Ball<V>, x: X<V>, y: X<V>, z: f64) {
        match V::plain(op, &mut out.value, &x.shadow.value, &y.shadow.value) {
            Some(is_exact) => self.noisy(op, out, x, y, is_exact),
            None => self.by_mpfr(op, out, x, y, z),
        }
        out.or_value(z);
    }

    #[inline(always)]
    fn quick(&mut self, op: Binary, out: &mut Ball<V>, x: X<V>, y: X<V>, z: f64) -> f64 {
        match V::plain(op, &mut out.value, &x.shadow.value, &y.shadow.value) {
            Some(is_exact) => self.noisy(op, out, x, y, is_exact),
            None => {
                self.by_mpfr(op, out, x, y, z);
                out.or_value(z);
            }
        }
        out.value.leading().minus_actual(z)
    }

    #[inline]
    fn neg(&mut self, out: &mut Ball<V>, x: X<V>) {
        self.copy(out, x.shadow);
        out.value.negate();
    }

    #[inline]
    fn abs(&mut self, out: &mut Ball<V>, x: X<V>) {
        self.copy(out, x.shadow);
        out.value.make_positive();
    }

    #[inline]
    fn sqrt(&mut self, out: &mut Ball<V>, x: X<V>, z: f64) {
        let rounding = x.shadow.value.read(|a| out.value.write(|out| out.assign_round(a.sqrt_ref(), NEAREST)));
        let introduced = self.introduced(out, rounding == Ordering::Equal);
        out.noise = noise::of_sqrt(x.shadow.size(), out.value.magnitude(), introduced);
        if !out.value.is_finite() && x.shadow.size().may_be_zero() {
            out.noise = out.noise.max(noise::UNBOUNDED);
        }
        out.or_value(z);
    }

    fn fma(&mut self, out: &mut Ball<V>, [x, y, c]: [X<V>; 3], z: f64) {
        let rounding = x.shadow.value.read(|a| {
            y.shadow.value.read(|b| {
                c.shadow.value.read(|d| out.value.write(|out| out.assign_round(a.mul_add_ref(b, d), NEAREST)))
            })
        });
        let introduced = self.introduced(out, rounding == Ordering::Equal);
        out.noise = noise::of_fma(x.shadow.size(), y.shadow.size(), c.shadow.size(), introduced);
        out.or_value(z);
    }

    #[inline]
    fn convert(&mut self, out: &mut Ball<V>, x: X<V>, z: f64) {
        self.copy(out, x.shadow);
        out.or_value(z);
    }

    #[inline(always)]
    fn rebase(&mut self, _: &mut Ball<V>, _: f64, _: f64) {}

    fn forgive(&mut self, shadow: &mut Ball<V>, z: f64, error: f64) {
        self.less(shadow, error);
        shadow.or_value(z);
    }

    fn shift(&mut self, out: &mut Ball<V>, x: X<V>, z: f64) {
        self.copy(out, x.shadow);
        self.less(out, x.actual);
        self.less(out, -z);
        out.or_value(z);
    }

    fn function(
        &mut self,
        f: Function,
        out: &mut Ball<V>,
        args: &[X<V>],
        n: i64,
        z: f64,
        precision: Precision,
    ) -> bool {
        if z.is_nan() {
            out.set(z);
            return true;
        }
        if let [x] = *args
            && self.stepped(f, out, x, z, precision)
        {
            return true;
        }
        if let (Function::Fmod | Function::Remainder | Function::Nextafter, [x, y]) = (f, args)
            && (y.actual.is_infinite() || f == Function::Nextafter)
            && x.shadow.value.is_finite()
        {
            // What is divided by infinity stays as it is, and a neighbour is a step away wherever it leads.
            self.shift(out, *x, z);
            return true;
        }
        let usable = |x: &X<V>| {
            let exponent = x.shadow.value.exponent();
            x.shadow.value.is_finite() && (exponent == EXACT || exponent.abs() <= LARGEST_EXPONENT)
        };
        if !args.iter().all(usable) {
            out.set(z);
            return z.is_infinite();
        }
        let known = match *args {
            [x] => self.unary(f, out, x, n),
            [x, y] => self.of_two(f, out, x, y, z),
            _ => false,
        };
        if known {
            out.or_value(z);
        } else if z.is_infinite() {
            out.set(z);
        }
        known || z.is_infinite()
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut Ball<V>, args: &[X<V>], z: f64) -> bool {
        let parts: Vec<Float> = args.iter().take(4).map(|x| x.shadow.value.read(Float::clone)).collect();
        let found = half_of(f, half, &parts.iter().collect::<Vec<_>>(), self.bits);
        let is_known = found.is_some() || !z.is_finite();
        if let Some(found) = &found {
            out.value.write(|out| out.assign(found));
            let introduced = self.introduced(out, false);
            out.noise = noise::of_complex(args.iter().map(|x| x.shadow.size()), out.value.magnitude(), introduced);
        } else {
            out.set(z);
        }
        out.or_value(z);
        is_known
    }
}

impl<V: Number> Mpfr<V> {
    fn unary(&mut self, f: Function, out: &mut Ball<V>, x: X<V>, n: i64) -> bool {
        let rounding = x.shadow.value.read(|a| out.value.write(|out| unary(f, out, a, n)));
        let Some(rounding) = rounding else { return false };
        let introduced = self.introduced(out, rounding == Ordering::Equal);
        out.noise = noise::of_function(f, x.shadow.size(), [x.shadow.to_f64(), out.to_f64()], introduced);
        true
    }

    fn of_two(&mut self, f: Function, out: &mut Ball<V>, x: X<V>, y: X<V>, z: f64) -> bool {
        let scratch = &mut self.scratch;
        let actual = [x.actual, y.actual, z];
        let rounding = x
            .shadow
            .value
            .read(|a| y.shadow.value.read(|b| out.value.write(|out| binary_function(f, out, [a, b], scratch, actual))));
        let Some(rounding) = rounding else { return false };
        let introduced = self.introduced(out, rounding == Ordering::Equal);
        let values = [x.shadow.to_f64(), y.shadow.to_f64(), out.to_f64()];
        out.noise = noise::of_function_of_two(f, [x.shadow.size(), y.shadow.size()], values, introduced);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs::{INFINITE, NAN, ZERO};
    use proptest::prelude::*;
    use rug::Assign;

    fn float<const N: usize>(x: &FixedFloat<N>) -> Float {
        x.read(|x| Float::with_val(64 * N as u32, x))
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
        let (a, b) = (Ball::exact(float(&x)), Ball::exact(float(&y)));
        let (x, y) = (Ball::exact(x), Ball::exact(y));
        let mut expected = mpfr.variable();
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
            let mut out = fixed.variable();
            let z = 1.0;
            let of = |shadow| Operand { actual: z, shadow };
            fixed.binary(op, &mut out, of(&x), of(&y), z);
            let of = |shadow| Operand { actual: z, shadow };
            mpfr.binary(op, &mut expected, of(&a), of(&b), z);
            prop_assert!(same(&float(&out.value), &expected.value), "{op:?} {x:?} {y:?}: {out:?}, not {expected:?}");
            prop_assert_eq!(out.noise, expected.noise, "{:?} {:?} {:?}", op, x, y);
            let (ideal, right) = (fixed.ideal(&out, z), mpfr.ideal(&expected, z));
            prop_assert_eq!((ideal.hi.to_bits(), ideal.lo.to_bits()), (right.hi.to_bits(), right.lo.to_bits()));
            let mut quick = fixed.variable();
            let of = |shadow| Operand { actual: z, shadow };
            let residue = fixed.quick(op, &mut quick, of(&x), of(&y), z);
            if residue.is_finite() {
                prop_assert!(same(&float(&quick.value), &expected.value), "{op:?} quick");
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
