//! Double-double: about 106 bits at a double's range, some ten times the work of a double.
//!
//! Where an ideal leaves the range, or a low part underflows, the shadow restarts from the program's value or keeps its
//! high part alone. Functions as in `residue`, and from the same evaluations.
//!
//! Beside the two doubles lies the noise: how far off they may be, by the rules of `noise`, as a double. A product below
//! 2^-960 is not exact, and neither is the remainder of a dividend below that: their low parts are no doubles.

use crate::estimate::HEADROOM;
use crate::function::{overflows, quotient};
use crate::noise::{derivative, leaps, power_leaps};
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision, by_mpfr};
use nonius_numerics::eft::two_sum;
use nonius_numerics::exact;
use nonius_numerics::libm;

#[cfg(target_arch = "x86_64")]
mod four;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, F4};

#[derive(Clone, Copy, Debug, Default)]
pub struct DoubleDouble;

/// An ideal, and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct NoisyDd {
    pub ideal: Dd,
    pub noise: f64,
}

type X<'a> = Operand<'a, NoisyDd>;

/// What an operation on double-doubles rounds away, beside its result: 2^-102.
const UNIT_ROUNDOFF: f64 = f64::from_bits((1023 - 102) << 52);
/// What it may round away whatever the size: low parts are rounded there.
const LEAST: f64 = f64::from_bits(1 << 12);
/// Products above this have rounding errors that are doubles: 2^-960.
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);
const GROWTH: f64 = (1u64 << HEADROOM) as f64;

impl NoisyDd {
    #[inline(always)]
    const fn exact(value: f64) -> NoisyDd {
        NoisyDd { ideal: Dd { hi: value, lo: 0.0 }, noise: 0.0 }
    }

    /// Infinite and NaN shadows would stay so for ever: of those nothing is known but the program's value. What overflowed
    /// in its format alone keeps its ideal.
    #[inline(always)]
    fn or_value(self, z: f64) -> NoisyDd {
        match self.ideal.is_finite() && !z.is_nan() {
            true => self,
            // What is made of an unknown ideal need not be as infinite.
            false if z.is_finite() || self.noise == f64::INFINITY => NoisyDd::beyond(z),
            false => NoisyDd::exact(z),
        }
    }

    /// An infinity made of finite operands by overflow: its ideal is a number that nobody here knows.
    #[cold]
    fn beyond(z: f64) -> NoisyDd {
        NoisyDd { noise: f64::INFINITY, ..NoisyDd::exact(z) }
    }
}

/// The noise of an operation's own rounding.
#[inline(always)]
fn introduced(z: Dd) -> f64 {
    UNIT_ROUNDOFF.mul_add(z.hi.abs(), LEAST)
}

/// Of a sum or difference: those of two doubles are exact, and no others underflow.
#[inline(always)]
fn of_sum(x: Dd, y: Dd, z: Dd) -> f64 {
    if x.lo == 0.0 && y.lo == 0.0 { 0.0 } else { UNIT_ROUNDOFF * z.hi.abs() }
}

/// Whether a product or quotient is 0 because an operand is.
#[inline(always)]
fn has_zero(x: Dd, y: Dd) -> bool {
    x.hi == 0.0 || y.hi == 0.0
}

/// Products of two doubles are exact if what they round away does not underflow, and so is 0.
#[inline(always)]
fn own_of_product(x: Dd, y: Dd, z: Dd) -> f64 {
    let is_exact = (x.lo == 0.0) & (y.lo == 0.0) & (z.hi.abs() > SMALL) | has_zero(x, y);
    if is_exact { 0.0 } else { introduced(z) }
}

/// The larger; `y` if either is NaN, as lanes have it.
#[inline(always)]
fn max_or(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// |x| and what it may be off by. Not infinite: no noise times that is none.
#[inline(always)]
fn reach(x: NoisyDd) -> f64 {
    let reach = max_or(x.ideal.hi.abs(), x.noise);
    if reach < f64::MAX { reach } else { f64::MAX }
}

#[inline(always)]
fn noise_of(op: Binary, x: NoisyDd, y: NoisyDd, z: Dd) -> f64 {
    match op {
        Binary::Add | Binary::Sub => max_or(max_or(x.noise, y.noise), of_sum(x.ideal, y.ideal, z)),
        Binary::Mul => {
            let inherited = max_or(x.noise * reach(y), y.noise * reach(x));
            max_or(inherited, own_of_product(x.ideal, y.ideal, z))
        }
        Binary::Div => {
            let size = y.ideal.hi.abs();
            let is_above_noise = size > y.noise * GROWTH;
            if !is_above_noise && y.noise > 0.0 {
                return f64::INFINITY;
            }
            let is_nothing = has_zero(x.ideal, y.ideal);
            let has_remainder = (x.ideal.hi.abs() > SMALL) | is_nothing;
            let are_doubles = (x.ideal.lo == 0.0) & (y.ideal.lo == 0.0) & (z.lo == 0.0);
            let is_exact = are_doubles & (z.hi.abs() > SMALL) | is_nothing;
            let dividend = if has_remainder { x.noise } else { max_or(x.noise, LEAST) };
            let inherited = max_or(dividend / size, y.noise / size * z.hi.abs());
            max_or(inherited, if is_exact { 0.0 } else { introduced(z) })
        }
    }
}

impl Oracle for DoubleDouble {
    type Shadow = NoisyDd;
    #[cfg(target_arch = "x86_64")]
    type Four = four::NoisyDd4;
    const IS_SMALL: bool = true;
    const HAS_FOURS: bool = true;

    fn bits(&self) -> u32 {
        2 * f64::MANTISSA_DIGITS
    }

    #[inline(always)]
    fn variable(&self) -> NoisyDd {
        NoisyDd::exact(0.0)
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut NoisyDd, value: f64) {
        #[cfg(target_arch = "x86_64")]
        crate::lanes::put_exact(&mut out.ideal, value);
        #[cfg(not(target_arch = "x86_64"))]
        (out.ideal = Dd::from(value));
        out.noise = 0.0;
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &NoisyDd, value: f64) -> bool {
        (shadow.ideal.hi.to_bits() ^ value.to_bits()) | shadow.ideal.lo.to_bits() | shadow.noise.to_bits() == 0
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut NoisyDd, value: f64, low: f64) {
        *out = NoisyDd { ideal: Dd::from_residue(value, low), noise: 0.0 }.or_value(value);
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut NoisyDd, from: &NoisyDd) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &NoisyDd, _: f64) -> Dd {
        shadow.ideal
    }

    #[inline(always)]
    fn radius(&self, shadow: &NoisyDd, _: f64) -> f64 {
        shadow.noise * GROWTH
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut NoisyDd, x: X, y: X, z: f64) {
        let (a, b) = (*x.shadow, *y.shadow);
        let ideal = match op {
            Binary::Add => a.ideal + b.ideal,
            Binary::Sub => a.ideal - b.ideal,
            Binary::Mul => a.ideal * b.ideal,
            // The quotient by an infinite divisor is a true zero, unless that overflowed.
            Binary::Div if y.actual.is_infinite() && !b.ideal.is_finite() => {
                *out = if b.noise == 0.0 { NoisyDd::exact(z) } else { NoisyDd::beyond(z) };
                return;
            }
            Binary::Div => a.ideal / b.ideal,
        };
        let is_known = a.noise < f64::INFINITY && b.noise < f64::INFINITY;
        *out = match z.is_infinite() && !ideal.is_finite() && !(is_known && is_pole(op, x, y)) {
            true => NoisyDd::beyond(z),
            false => NoisyDd { ideal, noise: noise_of(op, a, b, ideal) }.or_value(z),
        };
    }

    /// An ideal or result that is not finite makes the residue infinite or NaN.
    #[inline(always)]
    fn quick(&mut self, op: Binary, out: &mut NoisyDd, x: X, y: X, z: f64) -> f64 {
        let (a, b) = (*x.shadow, *y.shadow);
        out.ideal = match op {
            Binary::Add => a.ideal.sum_ahead(b.ideal),
            Binary::Sub => a.ideal.sum_ahead(-b.ideal),
            Binary::Mul => a.ideal * b.ideal,
            Binary::Div => a.ideal / b.ideal,
        };
        out.noise = noise_of(op, a, b, out.ideal);
        out.ideal.minus_actual(z)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn gather(&self, avx2: Avx2, shadows: [&NoisyDd; 4]) -> Option<four::NoisyDd4> {
        Some(four::NoisyDd4::gather(avx2, shadows))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn scatter(&self, out: [&mut NoisyDd; 4], four: four::NoisyDd4) {
        four.scatter(out);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn quick_four(&self, avx2: Avx2, op: Binary, x: four::NoisyDd4, y: four::NoisyDd4, z: F4) -> (four::NoisyDd4, F4) {
        let result = four::NoisyDd4::of(avx2, op, x, y);
        (result, result.ideal.minus_actual(z))
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut NoisyDd, x: X) {
        *out = NoisyDd { ideal: -x.shadow.ideal, ..*x.shadow };
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut NoisyDd, x: X) {
        *out = NoisyDd { ideal: x.shadow.ideal.abs(), ..*x.shadow };
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut NoisyDd, x: X, z: f64) {
        let ideal = x.shadow.ideal.sqrt();
        let is_in_range = x.shadow.ideal.hi > SMALL || x.shadow.ideal.hi == 0.0;
        let is_exact = x.shadow.noise == 0.0
            && is_in_range
            && ideal.lo == 0.0
            && ideal.hi.mul_add(ideal.hi, -x.shadow.ideal.hi) == 0.0;
        let may_be_zero = x.shadow.noise * GROWTH >= x.shadow.ideal.hi.abs();
        let noise = match x.shadow.noise {
            _ if is_exact && x.shadow.ideal.lo == 0.0 => 0.0,
            0.0 => introduced(ideal),
            noise if may_be_zero => noise.sqrt().max(introduced(ideal)),
            noise => (noise / ideal.hi).max(introduced(ideal)),
        };
        *out = NoisyDd { ideal, noise }.or_value(z);
    }

    #[inline(always)]
    fn fma(&mut self, out: &mut NoisyDd, [x, y, c]: [X; 3], z: f64) {
        let product = x.shadow.ideal * y.shadow.ideal;
        let product = NoisyDd { ideal: product, noise: noise_of(Binary::Mul, *x.shadow, *y.shadow, product) };
        let ideal = product.ideal + c.shadow.ideal;
        let is_beyond = |x: &X| x.actual.is_finite() || x.shadow.noise == f64::INFINITY;
        if z.is_infinite() && !ideal.is_finite() && [x, y, c].iter().all(is_beyond) {
            *out = NoisyDd::beyond(z);
            return;
        }
        *out = NoisyDd { ideal, noise: noise_of(Binary::Add, product, *c.shadow, ideal) }.or_value(z);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut NoisyDd, x: X, z: f64) {
        *out = x.shadow.or_value(z);
    }

    #[inline(always)]
    fn rebase(&mut self, _: &mut NoisyDd, _: f64, _: f64) {}

    #[inline(always)]
    fn forgive(&mut self, shadow: &mut NoisyDd, z: f64, error: f64) {
        let ideal = shadow.ideal - Dd::from(error);
        let noise = shadow.noise.max(of_sum(shadow.ideal, Dd::ZERO, ideal));
        *shadow = NoisyDd { ideal, noise }.or_value(z);
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut NoisyDd, x: X, z: f64) {
        let error = x.shadow.ideal.minus_actual(x.actual);
        let ideal = Dd::from_residue(z, error);
        let noise = x.shadow.noise.max(if error == 0.0 { 0.0 } else { introduced(ideal) });
        *out = NoisyDd { ideal, noise }.or_value(z);
    }

    fn function(&mut self, f: Function, out: &mut NoisyDd, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        if let [x] = *args
            && self.stepped(f, out, x, z, precision)
        {
            return true;
        }
        let ideal = match *args {
            _ if !z.is_finite() => Some(Dd::from(z)),
            [x] => unary(f, x.shadow.ideal, n),
            [x, y] => {
                let [x, y] = [x, y].map(|x| Operand { actual: x.actual, shadow: &x.shadow.ideal });
                binary(f, x, y, z)
            }
            _ => None,
        };
        // Of what overflowed in a shorter format the ideal is finite.
        let are_known =
            args.iter().all(|x| x.shadow.noise < f64::INFINITY && x.shadow.ideal.is_finite() == x.actual.is_finite());
        if z.is_infinite() && (!are_known || overflows(f, args.iter().map(|x| x.shadow.ideal.hi))) {
            *out = NoisyDd::beyond(z);
            return true;
        }
        let noise = ideal.map_or(0.0, |ideal| noise_of_function(f, args, ideal));
        *out = NoisyDd { ideal: ideal.unwrap_or(Dd::from(z)), noise }.or_value(z);
        ideal.is_some()
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut NoisyDd, args: &[X], z: f64) -> bool {
        let parts: Vec<Dd> = args.iter().map(|x| x.shadow.ideal).collect();
        let ideal = by_mpfr::complex(f, half, &parts);
        let result = ideal.unwrap_or(Dd::from(z));
        let size = parts.iter().map(|x| x.hi.abs()).fold(0.0, f64::max);
        let noise = args.iter().map(|x| x.shadow.noise).fold(0.0, f64::max);
        // As if it changed no faster than its result is large beside its arguments.
        let inherited = noise * (4.0 * result.hi.abs() / size).max(4.0);
        let noise = if noise == 0.0 { introduced(result) } else { inherited.max(introduced(result)) };
        *out = NoisyDd { ideal: result, noise: if ideal.is_some() { noise } else { 0.0 } }.or_value(z);
        ideal.is_some() || !z.is_finite()
    }
}

/// Whether an infinite result is as infinite as its ideal: an operand is, or the divisor is 0.
fn is_pole(op: Binary, x: X, y: X) -> bool {
    // What overflowed in a shorter format may have a finite ideal.
    let is_infinite = |x: X| x.actual.is_infinite() && x.shadow.ideal.hi.is_infinite();
    is_infinite(x) || is_infinite(y) || (op == Binary::Div && y.shadow.ideal.hi == 0.0)
}

/// As `noise::of_function` has it.
fn noise_of_function(f: Function, args: &[X], z: Dd) -> f64 {
    use Function::*;
    let scales_in_range = z.hi.abs() > SMALL || args.iter().any(|x| x.shadow.ideal == Dd::ZERO);
    let is_exact =
        args.iter().all(|x| x.shadow.noise == 0.0) && (f == Nextafter || matches!(f, Ldexp | Frexp) && scales_in_range);
    let radius = |x: &X| x.shadow.noise * GROWTH;
    let has_no_slope = match args {
        [x] => leaps(f, [x.shadow.ideal.hi, z.hi], radius(x)),
        [x, y] if f == Pow => power_leaps([x.shadow.ideal.hi, y.shadow.ideal.hi], [radius(x), radius(y)]),
        _ => false,
    };
    if has_no_slope {
        return f64::INFINITY;
    }
    let weighted = |x: &X, by: f64| if x.shadow.noise == 0.0 { 0.0 } else { (x.shadow.noise * by).abs() };
    let inherited = match args {
        [x] => weighted(x, derivative(f, x.shadow.ideal.hi, z.hi)),
        [x, y] => {
            let (a, b) = (x.shadow.ideal.hi, y.shadow.ideal.hi);
            let [by_x, by_y] = crate::noise::derivatives(f, [a, b, z.hi]);
            weighted(x, by_x).max(weighted(y, by_y))
        }
        _ => 0.0,
    };
    let inherited = if inherited.is_nan() { f64::INFINITY } else { inherited };
    // Evaluations are good to a few more bits than sums and products; trigonometric ones reduce their arguments.
    inherited.max(if is_exact { 0.0 } else { 16.0 * introduced(z) })
}

macro_rules! by_name {
    ($f:expr, $args:tt: $($variant:ident = $name:ident)*; $($rest:tt)*) => {
        match $f {
            $(Function::$variant => by_name!(@ $name $args),)*
            $($rest)*
        }
    };
    (@ $name:ident ($($arg:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::find() {
            return Some(avx2.$name($($arg),*));
        }
        Some(libm::$name($($arg),*))
    }};
}

pub(crate) fn unary(f: Function, x: Dd, n: i64) -> Option<Dd> {
    use Function::*;
    by_name!(f, (x.hi, x.lo):
        Sin = sin Cos = cos Tan = tan Asin = asin Acos = acos Atan = atan Sinh = sinh Cosh = cosh Tanh = tanh
        Asinh = asinh Acosh = acosh Atanh = atanh Exp = exp Exp2 = exp2 Exp10 = exp10 Expm1 = expm1
        Log = log Log2 = log2 Log10 = log10 Log1p = log1p Cbrt = cbrt;
        Sqrt => Some(x.sqrt()),
        Ldexp => Some(scaled(x, n)),
        Frexp => Some(scaled(x, n.saturating_neg())),
        Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0 | Y1 | Jn | Yn => by_mpfr::function(f, x, n),
        // Steps are done elsewhere.
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb | Modf => None,
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => None,
    )
}

pub(crate) fn binary(f: Function, x: Operand<Dd>, y: Operand<Dd>, z: f64) -> Option<Dd> {
    use Function::*;
    let (a, b) = (*x.shadow, *y.shadow);
    let remainder = |by| {
        // An infinite divisor leaves the dividend as it is.
        let d_b = if y.actual.is_finite() { b.minus_actual(y.actual) } else { 0.0 };
        let residue = exact::remainder(by, x.actual, a.minus_actual(x.actual), y.actual, d_b, z);
        Dd::from_residue(z, residue)
    };
    by_name!(f, (a.hi, a.lo, b.hi, b.lo): Pow = pow Atan2 = atan2 Hypot = hypot;
        Fmod | Remainder => quotient(f).map(remainder),
        Fdim => Some(if (a - b).hi > 0.0 { a - b } else { Dd::ZERO }),
        Nextafter => {
            let (hi, lo) = two_sum(z, a.minus_actual(x.actual));
            Some(Dd::new(hi, lo))
        }
        Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp | Exp2
        | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Logb | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0
        | Y1 | Jn | Yn | Floor | Ceil | Trunc | Round | Rint | Roundeven | Ldexp | Frexp | Modf => None,
    )
}

/// x 2^n in three steps, so that no power leaves the range; more than 2200 is beyond it for every x.
fn scaled(x: Dd, n: i64) -> Dd {
    let n = n.clamp(-2200, 2200) as i32;
    let first = n.clamp(-1000, 1000);
    let second = (n - first).clamp(-1000, 1000);
    [first, second, n - first - second].into_iter().fold(x, |x, n| x.scaled(2f64.powi(n)))
}
