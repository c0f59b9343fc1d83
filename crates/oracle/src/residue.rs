//! Residues, by the formulas that the inline engine computes with: one double for each value.
//!
//! Functions that have no double-double evaluation in `nonius-numerics` (`erf`, `tgamma`, the Bessel functions, the complex
//! ones) are MPFR's.

use crate::function::step;
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision, by_mpfr};
use nonius_numerics::libm::residue_of;
use nonius_numerics::{exact, residue};

#[derive(Clone, Copy, Debug, Default)]
pub struct Residue;

type X<'a> = Operand<'a, f64>;

/// Headroom above a residue's own rounding.
const NOISE: f64 = 1.0 / (1u64 << 48) as f64;

impl Oracle for Residue {
    type Shadow = f64;
    #[cfg(target_arch = "x86_64")]
    type Four = ();
    const IS_SMALL: bool = true;

    #[inline(always)]
    fn variable(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut f64, _: f64) {
        *out = 0.0;
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &f64, _: f64) -> bool {
        shadow.to_bits() == 0
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut f64, _: f64, low: f64) {
        *out = residue::finite_or_zero(low);
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut f64, from: &f64) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &f64, actual: f64) -> Dd {
        Dd::from_residue(actual, *shadow)
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut f64, x: X, y: X, z: f64) {
        *out = match op {
            Binary::Add => residue::add(x.actual, *x.shadow, y.actual, *y.shadow, z),
            Binary::Sub => residue::sub(x.actual, *x.shadow, y.actual, *y.shadow, z),
            Binary::Mul => residue::mul(x.actual, *x.shadow, y.actual, *y.shadow, z),
            Binary::Div => residue::div(x.actual, *x.shadow, y.actual, *y.shadow, z),
        };
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut f64, x: X) {
        *out = residue::neg(*x.shadow);
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut f64, x: X) {
        *out = residue::abs(x.actual, *x.shadow);
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut f64, x: X, z: f64) {
        *out = residue::sqrt(x.actual, *x.shadow, z);
    }

    #[inline(always)]
    fn fma(&mut self, out: &mut f64, [x, y, c]: [X; 3], z: f64) {
        *out = residue::fma(x.actual, *x.shadow, y.actual, *y.shadow, c.actual, *c.shadow, z);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut f64, x: X, z: f64) {
        *out = residue::trunc(x.actual, *x.shadow, z);
    }

    #[inline(always)]
    fn rebase(&mut self, shadow: &mut f64, from: f64, to: f64) {
        *shadow = residue::finite_or_zero(*shadow + (from - to));
    }

    #[inline(always)]
    fn forgive(&mut self, shadow: &mut f64, _: f64, error: f64) {
        *shadow = residue::finite_or_zero(*shadow - error);
    }

    /// Not as a difference of two residues that are nearly the same: what that rounds away is more than there is.
    fn intended_rounding(&mut self, op: Binary, out: &mut f64, x: X, y: X, z: f64, _: f64) {
        let (e_x, e_y) = (*x.shadow, *y.shadow);
        *out = residue::finite_or_zero(match op {
            Binary::Add => e_x + e_y,
            Binary::Sub => e_x - e_y,
            Binary::Mul => (y.actual + e_y).mul_add(e_x, x.actual * e_y),
            Binary::Div => (-z).mul_add(e_y, e_x) / (y.actual + e_y),
        });
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut f64, x: X, _: f64) {
        *out = *x.shadow;
    }

    fn function(&mut self, f: Function, out: &mut f64, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        let Some(x) = args.first() else { return false };
        let (v, e) = (x.actual, *x.shadow);
        let found = match args {
            [_] => unary(f, v, e, n, z, precision),
            [_, y] => binary(f, v, e, y.actual, *y.shadow, z, precision),
            _ => None,
        };
        *out = found.unwrap_or(0.0);
        found.is_some()
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut f64, args: &[X], z: f64) -> bool {
        let parts: Vec<Dd> = args.iter().map(|x| Dd::from_residue(x.actual, *x.shadow)).collect();
        let found = by_mpfr::complex(f, half, &parts).filter(|_| z.is_finite());
        *out = found.map_or(0.0, |ideal| residue::finite_or_zero(ideal.minus_actual(z)));
        found.is_some() || !z.is_finite()
    }

    #[inline]
    fn noise(&self, _: f64, residue: f64) -> f64 {
        residue.abs() * NOISE
    }
}

macro_rules! by_name {
    ($f:expr, $args:tt: $($variant:ident = $name:ident)*; $($rest:tt)*) => {
        match $f {
            $(Function::$variant => by_name!(@ $name $args),)*
            $($rest)*
        }
    };
    (@ $name:ident ($($arg:expr),*)) => { Some(residue_of::$name($($arg),*)) };
}

fn unary(f: Function, x: f64, e: f64, n: i64, z: f64, precision: Precision) -> Option<f64> {
    use Function::*;
    let steps = n.clamp(-100_000, 100_000) as i32;
    if !z.is_finite() || !x.is_finite() {
        return Some(0.0);
    }
    let by_mpfr = || {
        let ideal = by_mpfr::function(f, Dd::from_residue(x, e), n, precision)?;
        Some(residue::finite_or_zero(ideal.minus_actual(z)))
    };
    by_name!(f, (x, e, z):
        Sin = sin Cos = cos Tan = tan Asin = asin Acos = acos Atan = atan Sinh = sinh Cosh = cosh Tanh = tanh
        Asinh = asinh Acosh = acosh Atanh = atanh Exp = exp Exp2 = exp2 Exp10 = exp10 Expm1 = expm1
        Log = log Log2 = log2 Log10 = log10 Log1p = log1p Cbrt = cbrt;
        Sqrt => Some(residue::sqrt(x, e, z)),
        Ldexp => Some(exact::ldexp(x, e, steps, z)),
        Frexp => Some(exact::frexp(e, steps)),
        Modf => Some(exact::modf(precision, x, e, z, x.trunc()).0),
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb => {
            step(f, precision.rounded(x + e)).map(|step| residue::finite_or_zero(step - z))
        }
        Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0 | Y1 | Jn | Yn => by_mpfr(),
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => None,
    )
}

fn binary(f: Function, x: f64, ex: f64, y: f64, ey: f64, z: f64, precision: Precision) -> Option<f64> {
    use Function::*;
    if !z.is_finite() {
        return Some(0.0);
    }
    by_name!(f, (x, ex, y, ey, z): Pow = pow Atan2 = atan2 Hypot = hypot;
        Fmod => Some(exact::fmod(precision, x, ex, y, ey, z)),
        Remainder => Some(exact::remainder(precision, x, ex, y, ey, z)),
        Fdim => Some(exact::fdim(x, ex, y, ey, z)),
        Nextafter => Some(exact::nextafter(x, ex, z)),
        Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp | Exp2
        | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Logb | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0
        | Y1 | Jn | Yn | Floor | Ceil | Trunc | Round | Rint | Roundeven | Ldexp | Frexp | Modf => None,
    )
}
