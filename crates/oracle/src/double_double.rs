//! Double-double: about 106 bits at a double's range, some ten times the work of a double.
//!
//! Where an ideal leaves the range, or a low part underflows, the shadow restarts from the program's value or keeps its
//! high part alone. Functions as in `residue`, and from the same evaluations.

use crate::function::step;
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision, by_mpfr};
use nonius_numerics::eft::two_sum;
use nonius_numerics::libm;

#[cfg(target_arch = "x86_64")]
mod four;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, F4};

#[derive(Clone, Copy, Debug, Default)]
pub struct DoubleDouble;

type X<'a> = Operand<'a, Dd>;

/// Headroom above the arithmetic's own rounding: 2^-99.
const NOISE: f64 = f64::from_bits((1023 - 99) << 52);

/// Infinite and NaN shadows would stay so for ever; the program's value says as much.
#[inline(always)]
fn or_value(ideal: Dd, z: f64) -> Dd {
    if ideal.is_finite() && z.is_finite() { ideal } else { Dd::from(z) }
}

impl Oracle for DoubleDouble {
    type Shadow = Dd;
    #[cfg(target_arch = "x86_64")]
    type Four = four::Dd4;
    const IS_SMALL: bool = true;
    const HAS_FOURS: bool = true;

    #[inline(always)]
    fn variable(&self) -> Dd {
        Dd::ZERO
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut Dd, value: f64) {
        #[cfg(target_arch = "x86_64")]
        crate::lanes::put_exact(out, value);
        #[cfg(not(target_arch = "x86_64"))]
        (*out = Dd::from(value));
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &Dd, value: f64) -> bool {
        (shadow.hi.to_bits() ^ value.to_bits()) | shadow.lo.to_bits() == 0
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut Dd, value: f64, low: f64) {
        *out = or_value(Dd::from_residue(value, low), value);
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut Dd, from: &Dd) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &Dd, _: f64) -> Dd {
        *shadow
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut Dd, x: X, y: X, z: f64) {
        let (a, b) = (*x.shadow, *y.shadow);
        let ideal = match op {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            // The quotient by an infinite divisor is a true zero.
            Binary::Div if y.actual.is_infinite() => Dd::from(z),
            Binary::Div => a / b,
        };
        *out = or_value(ideal, z);
    }

    /// An ideal or result that is not finite makes the residue infinite or NaN.
    #[inline(always)]
    fn quick(&mut self, op: Binary, out: &mut Dd, x: X, y: X, z: f64) -> f64 {
        let (a, b) = (*x.shadow, *y.shadow);
        *out = match op {
            Binary::Add => a.sum_ahead(b),
            Binary::Sub => a.sum_ahead(-b),
            Binary::Mul => a * b,
            Binary::Div => a / b,
        };
        out.minus_actual(z)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn gather(&self, avx2: Avx2, shadows: [&Dd; 4]) -> Option<four::Dd4> {
        Some(four::Dd4::gather(avx2, shadows))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn scatter(&self, out: [&mut Dd; 4], four: four::Dd4) {
        four.scatter(out);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn quick_four(&self, op: Binary, x: four::Dd4, y: four::Dd4, z: F4) -> (four::Dd4, F4) {
        let ideal = match op {
            Binary::Add => x + y,
            Binary::Sub => x + -y,
            Binary::Mul => x * y,
            Binary::Div => x / y,
        };
        (ideal, ideal.minus_actual(z))
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut Dd, x: X) {
        *out = -*x.shadow;
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut Dd, x: X) {
        *out = x.shadow.abs();
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut Dd, x: X, z: f64) {
        *out = or_value(x.shadow.sqrt(), z);
    }

    #[inline(always)]
    fn fma(&mut self, out: &mut Dd, [x, y, c]: [X; 3], z: f64) {
        *out = or_value(*x.shadow * *y.shadow + *c.shadow, z);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut Dd, x: X, z: f64) {
        *out = or_value(*x.shadow, z);
    }

    #[inline(always)]
    fn rebase(&mut self, _: &mut Dd, _: f64, _: f64) {}

    #[inline(always)]
    fn forgive(&mut self, shadow: &mut Dd, z: f64, error: f64) {
        *shadow = or_value(*shadow - Dd::from(error), z);
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut Dd, x: X, z: f64) {
        *out = or_value(Dd::from_residue(z, x.shadow.minus_actual(x.actual)), z);
    }

    fn function(&mut self, f: Function, out: &mut Dd, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        let ideal = match *args {
            _ if !z.is_finite() => Some(Dd::from(z)),
            [x] => unary(f, *x.shadow, n, precision),
            [x, y] => binary(f, x, y, z, precision),
            _ => None,
        };
        *out = or_value(ideal.unwrap_or(Dd::from(z)), z);
        ideal.is_some()
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut Dd, args: &[X], z: f64) -> bool {
        let parts: Vec<Dd> = args.iter().map(|x| *x.shadow).collect();
        let ideal = by_mpfr::complex(f, half, &parts);
        *out = or_value(ideal.unwrap_or(Dd::from(z)), z);
        ideal.is_some() || !z.is_finite()
    }

    #[inline]
    fn noise(&self, x: f64, _: f64) -> f64 {
        x.abs() * NOISE
    }
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

pub(crate) fn unary(f: Function, x: Dd, n: i64, precision: Precision) -> Option<Dd> {
    use Function::*;
    let rounded = precision.rounded(x.to_f64());
    by_name!(f, (x.hi, x.lo):
        Sin = sin Cos = cos Tan = tan Asin = asin Acos = acos Atan = atan Sinh = sinh Cosh = cosh Tanh = tanh
        Asinh = asinh Acosh = acosh Atanh = atanh Exp = exp Exp2 = exp2 Exp10 = exp10 Expm1 = expm1
        Log = log Log2 = log2 Log10 = log10 Log1p = log1p Cbrt = cbrt;
        Sqrt => Some(x.sqrt()),
        Ldexp => Some(scaled(x, n)),
        Frexp => Some(scaled(x, n.saturating_neg())),
        Modf => Some(x - Dd::from(rounded.trunc())),
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb => step(f, rounded).map(Dd::from),
        Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0 | Y1 | Jn | Yn => by_mpfr::function(f, x, n, precision),
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => None,
    )
}

pub(crate) fn binary(f: Function, x: X, y: X, z: f64, precision: Precision) -> Option<Dd> {
    use Function::*;
    let (a, b) = (*x.shadow, *y.shadow);
    let (rounded_a, rounded_b) = (precision.rounded(a.to_f64()), precision.rounded(b.to_f64()));
    // The ideals' own remainder m, and what they differ by from their roundings.
    let remainder = |m: f64| {
        // An infinite divisor leaves the dividend as it is.
        let d_b = if rounded_b.is_finite() { b.minus_actual(rounded_b) } else { 0.0 };
        let d_a = a.minus_actual(rounded_a);
        let quotient = if d_b == 0.0 { 0.0 } else { nonius_numerics::exact::quotient(rounded_a, rounded_b, m) };
        m.is_finite().then(|| Dd::from_residue(m, d_a - quotient * d_b))
    };
    by_name!(f, (a.hi, a.lo, b.hi, b.lo): Pow = pow Atan2 = atan2 Hypot = hypot;
        Fmod => remainder(rounded_a % rounded_b),
        Remainder => remainder(nonius_numerics::exact::ieee_remainder(rounded_a, rounded_b)),
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
