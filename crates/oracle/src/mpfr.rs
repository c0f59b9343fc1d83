//! MPFR, at any precision from 2 to 65536 bits.
//!
//! MPFR's exponents are practically unbounded, so an ideal that leaves the program's range lives on. What it would take
//! unbounded time or memory to evaluate (the sine of 2^(2^40)) restarts from the program's value instead, and so does
//! whatever the program got as infinity or NaN.

use crate::complex::half_of;
use crate::function::step;
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision};
use rug::float::Round;
use rug::ops::{AddAssignRound, CompleteRound, Pow, SubAssignRound};
use rug::{Assign, Float};

#[derive(Debug)]
pub struct Mpfr {
    bits: u32,
    scratch: [Float; 2],
    /// 2^(5 - bits): headroom above the arithmetic's own rounding.
    noise: f64,
}

type X<'a> = Operand<'a, Float>;

/// Arguments of functions beyond 2^this are not evaluated; no program's format gets there.
const LARGEST_EXPONENT: i32 = 20_000;

impl Mpfr {
    /// `bits` from 2 to 65536; a `Spec` sees to that.
    pub fn new(bits: u32) -> Mpfr {
        let bits = bits.clamp(rug::float::prec_min(), 1 << 16);
        Mpfr { bits, scratch: [Float::new(bits), Float::new(bits)], noise: f64::exp2(5.0 - f64::from(bits)) }
    }

    pub fn bits(&self) -> u32 {
        self.bits
    }

    #[inline]
    fn or_value(out: &mut Float, z: f64) {
        if !out.is_finite() || !z.is_finite() {
            out.assign(z);
        }
    }
}

/// The leading 128 bits as the sum of two doubles.
#[inline]
pub(crate) fn leading(x: &Float) -> Dd {
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

impl Oracle for Mpfr {
    type Shadow = Float;
    #[cfg(target_arch = "x86_64")]
    type Four = ();

    fn variable(&self) -> Float {
        Float::new(self.bits)
    }

    #[inline]
    fn restart(&mut self, out: &mut Float, value: f64) {
        out.assign(value);
    }

    fn restart_wide(&mut self, out: &mut Float, value: f64, low: f64) {
        out.assign(value);
        if low != 0.0 && value.is_finite() && low.is_finite() {
            out.add_assign_round(low, Round::Nearest);
        }
    }

    #[inline]
    fn copy(&mut self, out: &mut Float, from: &Float) {
        out.assign(from);
    }

    #[inline]
    fn ideal(&self, shadow: &Float, _: f64) -> Dd {
        leading(shadow)
    }

    #[inline]
    fn binary(&mut self, op: Binary, out: &mut Float, x: X, y: X, z: f64) {
        let (a, b) = (x.shadow, y.shadow);
        match op {
            Binary::Add => out.assign(a + b),
            Binary::Sub => out.assign(a - b),
            Binary::Mul => out.assign(a * b),
            Binary::Div if y.actual.is_infinite() => out.assign(z),
            Binary::Div => out.assign(a / b),
        }
        Mpfr::or_value(out, z);
    }

    #[inline]
    fn neg(&mut self, out: &mut Float, x: X) {
        out.assign(-x.shadow);
    }

    #[inline]
    fn abs(&mut self, out: &mut Float, x: X) {
        out.assign(x.shadow.abs_ref());
    }

    #[inline]
    fn sqrt(&mut self, out: &mut Float, x: X, z: f64) {
        out.assign(x.shadow.sqrt_ref());
        Mpfr::or_value(out, z);
    }

    fn fma(&mut self, out: &mut Float, [x, y, c]: [X; 3], z: f64) {
        out.assign(x.shadow.mul_add_ref(y.shadow, c.shadow));
        Mpfr::or_value(out, z);
    }

    #[inline]
    fn convert(&mut self, out: &mut Float, x: X, z: f64) {
        out.assign(x.shadow);
        Mpfr::or_value(out, z);
    }

    #[inline]
    fn rebase(&mut self, _: &mut Float, _: f64, _: f64) {}

    fn forgive(&mut self, shadow: &mut Float, z: f64, error: f64) {
        shadow.sub_assign_round(error, Round::Nearest);
        Mpfr::or_value(shadow, z);
    }

    fn shift(&mut self, out: &mut Float, x: X, z: f64) {
        out.assign(x.shadow - x.actual);
        out.add_assign_round(z, Round::Nearest);
        Mpfr::or_value(out, z);
    }

    fn function(&mut self, f: Function, out: &mut Float, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        if !z.is_finite() {
            out.assign(z);
            return true;
        }
        if let (Function::Fmod | Function::Remainder | Function::Nextafter, [x, y]) = (f, args)
            && y.actual.is_infinite()
            && x.shadow.is_finite()
        {
            // What is divided by infinity stays as it is, and a neighbour is a step away wherever it leads.
            self.shift(out, *x, z);
            return true;
        }
        let usable = |x: &X| x.shadow.is_finite() && x.shadow.get_exp().is_none_or(|e| e.abs() <= LARGEST_EXPONENT);
        if !args.iter().all(usable) {
            return false;
        }
        let known = match *args {
            [x] => unary(f, out, x.shadow, n, precision),
            [x, y] => self.binary_function(f, out, x, y, z, precision),
            _ => false,
        };
        if known {
            Mpfr::or_value(out, z);
        }
        known
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut Float, args: &[X], z: f64) -> bool {
        let mut parts = [&self.scratch[0]; 4];
        parts.iter_mut().zip(args).for_each(|(part, x)| *part = x.shadow);
        let found = half_of(f, half, &parts[..args.len().min(4)], self.bits);
        let is_known = found.is_some() || !z.is_finite();
        // By reference: `out` may not own its limbs (see `fixed`), and must not change places with a number.
        if let Some(found) = &found {
            out.assign(found);
        }
        Mpfr::or_value(out, z);
        is_known
    }

    #[inline]
    fn noise(&self, x: f64, _: f64) -> f64 {
        x.abs() * self.noise
    }
}

pub(crate) fn unary(f: Function, out: &mut Float, x: &Float, n: i64, precision: Precision) -> bool {
    use Function::*;
    let small = n.clamp(-100_000, 100_000) as i32;
    if let Some(step) = step(f, precision.rounded(x.to_f64())) {
        out.assign(step);
        return true;
    }
    match f {
        Sqrt => out.assign(x.sqrt_ref()),
        Sin => out.assign(x.sin_ref()),
        Cos => out.assign(x.cos_ref()),
        Tan => out.assign(x.tan_ref()),
        Asin => out.assign(x.asin_ref()),
        Acos => out.assign(x.acos_ref()),
        Atan => out.assign(x.atan_ref()),
        Sinh => out.assign(x.sinh_ref()),
        Cosh => out.assign(x.cosh_ref()),
        Tanh => out.assign(x.tanh_ref()),
        Asinh => out.assign(x.asinh_ref()),
        Acosh => out.assign(x.acosh_ref()),
        Atanh => out.assign(x.atanh_ref()),
        Exp => out.assign(x.exp_ref()),
        Exp2 => out.assign(x.exp2_ref()),
        Exp10 => out.assign(x.exp10_ref()),
        Expm1 => out.assign(x.exp_m1_ref()),
        Log => out.assign(x.ln_ref()),
        Log2 => out.assign(x.log2_ref()),
        Log10 => out.assign(x.log10_ref()),
        Log1p => out.assign(x.ln_1p_ref()),
        Cbrt => out.assign(x.cbrt_ref()),
        Erf => out.assign(x.erf_ref()),
        Erfc => out.assign(x.erfc_ref()),
        Tgamma => out.assign(x.gamma_ref()),
        Lgamma => {
            // The logarithm of the magnitude, as C has it.
            let mut sign = std::cmp::Ordering::Equal;
            (&mut *out, &mut sign).assign(x.ln_abs_gamma_ref());
        }
        J0 => out.assign(x.j0_ref()),
        J1 => out.assign(x.j1_ref()),
        Y0 => out.assign(x.y0_ref()),
        Y1 => out.assign(x.y1_ref()),
        Jn => out.assign(x.jn_ref(small)),
        Yn => out.assign(x.yn_ref(small)),
        Ldexp => out.assign(x << small),
        Frexp => out.assign(x >> small),
        Modf => out.assign(x - precision.rounded(x.to_f64()).trunc()),
        // Steps were done, and the others have two arguments.
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb => return false,
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => return false,
    }
    true
}

impl Mpfr {
    fn binary_function(&mut self, f: Function, out: &mut Float, x: X, y: X, z: f64, precision: Precision) -> bool {
        use Function::*;
        let (a, b) = (x.shadow, y.shadow);
        match f {
            Pow => out.assign(a.pow(b)),
            Atan2 => out.assign(a.atan2_ref(b)),
            Hypot => out.assign(a.hypot_ref(b)),
            Fdim => out.assign(a.positive_diff_ref(b)),
            Nextafter => self.shift(out, x, z),
            Fmod | Remainder => return self.remainder(f, out, a, b, precision),
            // Those of one argument.
            Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp | Exp2
            | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Logb | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1
            | Y0 | Y1 | Jn | Yn | Floor | Ceil | Trunc | Round | Rint | Roundeven | Ldexp | Frexp | Modf => {
                return false;
            }
        }
        true
    }

    /// a - n b, with the integer n that the ideals have once rounded to the working precision.
    fn remainder(&mut self, f: Function, out: &mut Float, a: &Float, b: &Float, precision: Precision) -> bool {
        let (rounded_a, rounded_b) = (precision.rounded(a.to_f64()), precision.rounded(b.to_f64()));
        let m = match f {
            Function::Fmod => rounded_a % rounded_b,
            _ => nonius_numerics::exact::ieee_remainder(rounded_a, rounded_b),
        };
        if !m.is_finite() {
            return false;
        }
        // m + (a - rounded_a) - n (b - rounded_b): n itself may have more bits than there are.
        let [quotient, rest] = &mut self.scratch;
        rest.assign(b - rounded_b);
        out.assign(a - rounded_a);
        if !rest.is_zero() {
            quotient.assign(nonius_numerics::exact::quotient(rounded_a, rounded_b, m));
            *rest *= &*quotient;
            *out -= &*rest;
        }
        out.add_assign_round(m, Round::Nearest);
        true
    }
}
