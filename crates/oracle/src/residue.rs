//! Residues, by the formulas that the inline engine computes with: one double for each value.
//!
//! Functions that have no double-double evaluation in `nonius-numerics` (`erf`, `tgamma`, the Bessel functions, the complex
//! ones) are MPFR's.

use crate::estimate::HEADROOM;
use crate::function::{overflows, quotient};
use crate::noise::{derivative, derivatives, leaps, power_leaps};
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision, by_mpfr};
use nonius_numerics::eft::{fma_error, two_sum_error};
use nonius_numerics::libm::residue_of;
use nonius_numerics::{exact, residue};

#[derive(Clone, Copy, Debug, Default)]
pub struct Residue;

/// A residue, and how far off it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoisyResidue {
    pub residue: f64,
    pub noise: f64,
}

type X<'a> = Operand<'a, NoisyResidue>;

/// What one rounding of a residue costs, beside the largest term of its sum.
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
/// Where a product's rounding error is itself rounded, and that once or twice more.
const LEAST: f64 = f64::from_bits(4);
/// Products below this have rounding errors that are no doubles: 2^-960.
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);
const GROWTH: f64 = (1u64 << HEADROOM) as f64;
/// The smallest normal number, less what noise may grow by.
const SUBNORMAL: f64 = f64::MIN_POSITIVE / GROWTH;

impl NoisyResidue {
    #[inline(always)]
    fn exact(residue: f64) -> NoisyResidue {
        NoisyResidue { residue, noise: 0.0 }
    }

    /// What left the range says nothing any more.
    #[inline(always)]
    fn checked(self, z: f64) -> NoisyResidue {
        let is_known = self.residue.is_finite() && self.noise.is_finite();
        match z.is_finite() {
            true if is_known => self,
            true => NoisyResidue { residue: residue::finite_or_zero(self.residue), noise: f64::INFINITY },
            // What is made of an unknown ideal need not be as infinite.
            false if self.noise == f64::INFINITY => NoisyResidue::BEYOND,
            false => NoisyResidue::exact(0.0),
        }
    }

    /// An infinity made of finite operands by overflow: its ideal is a number that nobody here knows.
    const BEYOND: NoisyResidue = NoisyResidue { residue: 0.0, noise: f64::INFINITY };
}

/// What adding three terms, the last two first, rounds away.
#[inline(always)]
fn lost_in_sum(mu: f64, e_x: f64, e_y: f64) -> f64 {
    let sum = e_x + e_y;
    two_sum_error(e_x, e_y, sum).abs().max(two_sum_error(mu, sum, mu + sum).abs())
}

/// The noise of what an operation rounds: of a product's or quotient's terms none is exact.
#[inline(always)]
fn rounded(terms: [f64; 3], z: f64) -> f64 {
    let largest = terms.into_iter().fold(0.0, |most: f64, term| most.max(term.abs()));
    let tiny = if z.abs() < SMALL && z != 0.0 { LEAST } else { 0.0 };
    (UNIT_ROUNDOFF * largest).max(tiny)
}

#[inline(always)]
fn noise_of(op: Binary, x: X, y: X, z: f64) -> f64 {
    let (e_x, e_y) = (x.shadow.residue, y.shadow.residue);
    let (n_x, n_y) = (x.shadow.noise, y.shadow.noise);
    let size = |x: X| x.actual.abs() + x.shadow.residue.abs() + x.shadow.noise;
    // Noise that underflows is still some.
    let weighted = |noise: f64, by: f64| if noise == 0.0 || by == 0.0 { 0.0 } else { (noise * by).max(LEAST) };
    match op {
        Binary::Add => n_x.max(n_y).max(lost_in_sum(two_sum_error(x.actual, y.actual, z), e_x, e_y)),
        Binary::Sub => n_x.max(n_y).max(lost_in_sum(two_sum_error(x.actual, -y.actual, z), e_x, -e_y)),
        Binary::Mul => {
            // A product that underflows: what it lost is no double.
            // A term that overflows counts as none.
            if size(x) * size(y) == f64::INFINITY {
                return f64::INFINITY;
            }
            let underflow = |a: f64, b: f64| (a * b).abs() < SMALL && a != 0.0 && b != 0.0;
            let (a, b) = (x.actual, y.actual);
            let vanishes = underflow(a, b) || underflow(a, e_y) || underflow(b, e_x) || underflow(e_x, e_y);
            let vanished = if vanishes { LEAST } else { 0.0 };
            let introduced = if e_x == 0.0 && e_y == 0.0 {
                0.0
            } else {
                let mu = x.actual.mul_add(y.actual, -z);
                rounded([y.actual * e_x, x.actual * e_y, mu], z)
            };
            weighted(n_x, size(y)).max(weighted(n_y, size(x))).max(introduced).max(vanished)
        }
        Binary::Div => {
            let divisor = (y.actual + e_y).abs();
            if divisor <= n_y * GROWTH && n_y > 0.0 {
                return f64::INFINITY;
            }
            let mu = -z.mul_add(y.actual, -x.actual);
            if (mu.abs() + e_x.abs() + (z * e_y).abs()) / divisor == f64::INFINITY {
                return f64::INFINITY;
            }
            let is_nothing = x.actual == 0.0 && e_x == 0.0;
            let is_in_range = is_nothing || x.actual.abs() >= SMALL && z.abs() >= SMALL;
            let is_exact = mu == 0.0 && e_x == 0.0 && e_y == 0.0 && is_in_range;
            let tiny = if is_in_range { 0.0 } else { LEAST };
            let introduced =
                if is_exact { 0.0 } else { rounded([mu, e_x, z * e_y], x.actual).max(tiny) / divisor + tiny };
            // The slope in y is the ideal quotient's, which may be larger than the actual one.
            let quotient = z.abs().max((x.actual + e_x).abs() / divisor);
            let inherited = (n_x / divisor).max(n_y / divisor * quotient);
            introduced.max(inherited)
        }
    }
}

impl Oracle for Residue {
    type Shadow = NoisyResidue;
    #[cfg(target_arch = "x86_64")]
    type Four = ();
    const IS_SMALL: bool = true;

    fn bits(&self) -> u32 {
        f64::MANTISSA_DIGITS
    }

    #[inline(always)]
    fn variable(&self) -> NoisyResidue {
        NoisyResidue::exact(0.0)
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut NoisyResidue, _: f64) {
        *out = NoisyResidue::exact(0.0);
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &NoisyResidue, _: f64) -> bool {
        shadow.residue.to_bits() | shadow.noise.to_bits() == 0
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut NoisyResidue, _: f64, low: f64) {
        *out = NoisyResidue::exact(residue::finite_or_zero(low));
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut NoisyResidue, from: &NoisyResidue) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &NoisyResidue, actual: f64) -> Dd {
        Dd::from_residue(actual, shadow.residue)
    }

    #[inline(always)]
    fn radius(&self, shadow: &NoisyResidue, _: f64) -> f64 {
        shadow.noise * GROWTH
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut NoisyResidue, x: X, y: X, z: f64) {
        let (e_x, e_y) = (x.shadow.residue, y.shadow.residue);
        let residue = match op {
            Binary::Add => residue::add(x.actual, e_x, y.actual, e_y, z),
            Binary::Sub => residue::sub(x.actual, e_x, y.actual, e_y, z),
            Binary::Mul => residue::mul(x.actual, e_x, y.actual, e_y, z),
            Binary::Div => residue::div(x.actual, e_x, y.actual, e_y, z),
        };
        let is_known = x.shadow.noise < f64::INFINITY && y.shadow.noise < f64::INFINITY;
        *out = match () {
            // The quotient by an infinite divisor is a true zero, unless that overflowed.
            () if op == Binary::Div && y.actual.is_infinite() && is_known => {
                NoisyResidue { residue, noise: 0.0 }.checked(z)
            }
            () if z.is_infinite() && !(is_known && is_pole(op, x, y)) => NoisyResidue::BEYOND,
            () => NoisyResidue { residue, noise: noise_of(op, x, y, z) }.checked(z),
        };
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut NoisyResidue, x: X) {
        *out = NoisyResidue { residue: residue::neg(x.shadow.residue), ..*x.shadow };
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut NoisyResidue, x: X) {
        *out = NoisyResidue { residue: residue::abs(x.actual, x.shadow.residue), ..*x.shadow };
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut NoisyResidue, x: X, z: f64) {
        let (e, n) = (x.shadow.residue, x.shadow.noise);
        let mu = -z.mul_add(z, -x.actual);
        let ideal = x.actual + e;
        let noise = match () {
            () if n > 0.0 && ideal.abs() <= n * GROWTH => n.sqrt(),
            () if mu == 0.0 && e == 0.0 && n == 0.0 && (x.actual >= SMALL || x.actual == 0.0) => 0.0,
            // The slope of noise is that at the ideal.
            () => {
                let root = ideal.abs().sqrt();
                let inherited = if n == 0.0 { 0.0 } else { 0.5 * n / root };
                inherited.max(rounded([mu, e, 0.0], x.actual) / (z + root))
            }
        };
        *out = NoisyResidue { residue: residue::sqrt(x.actual, e, z), noise }.checked(z);
    }

    #[inline(always)]
    fn fma(&mut self, out: &mut NoisyResidue, [x, y, c]: [X; 3], z: f64) {
        let (e_x, e_y, e_c) = (x.shadow.residue, y.shadow.residue, c.shadow.residue);
        let residue = residue::fma(x.actual, e_x, y.actual, e_y, c.actual, e_c, z);
        let product = noise_of(Binary::Mul, x, y, x.actual * y.actual);
        let terms = [x.actual * e_y, y.actual * e_x, e_c];
        let mu = fma_error(x.actual, y.actual, c.actual, z);
        let is_exact = terms == [0.0; 3];
        // What a fused operation loses may take two doubles.
        let introduced = UNIT_ROUNDOFF * mu.abs();
        let introduced = if is_exact { introduced } else { rounded(terms, z).max(introduced) };
        let is_beyond = |x: &X| x.actual.is_finite() || x.shadow.noise == f64::INFINITY;
        if z.is_infinite() && [x, y, c].iter().all(is_beyond) {
            *out = NoisyResidue::BEYOND;
            return;
        }
        *out = NoisyResidue { residue, noise: product.max(c.shadow.noise).max(introduced) }.checked(z);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut NoisyResidue, x: X, z: f64) {
        if z.is_infinite() && x.actual.is_finite() {
            *out = NoisyResidue::BEYOND;
            return;
        }
        let lost = lost_in_sum(x.actual - z, x.shadow.residue, 0.0);
        let residue = residue::trunc(x.actual, x.shadow.residue, z);
        *out = NoisyResidue { residue, noise: x.shadow.noise.max(lost) }.checked(z);
    }

    #[inline(always)]
    fn rebase(&mut self, shadow: &mut NoisyResidue, from: f64, to: f64) {
        shadow.noise = shadow.noise.max(lost_in_sum(from - to, shadow.residue, 0.0));
        shadow.residue = residue::finite_or_zero(shadow.residue + (from - to));
        *shadow = shadow.checked(to);
    }

    #[inline(always)]
    fn forgive(&mut self, shadow: &mut NoisyResidue, z: f64, error: f64) {
        shadow.noise = shadow.noise.max(lost_in_sum(-error, shadow.residue, 0.0));
        shadow.residue = residue::finite_or_zero(shadow.residue - error);
        *shadow = shadow.checked(z);
    }

    /// Not as a difference of two residues that are nearly the same: what that rounds away is more than there is.
    fn intended_rounding(&mut self, op: Binary, out: &mut NoisyResidue, x: X, y: X, z: f64, _: f64) {
        let (e_x, e_y) = (x.shadow.residue, y.shadow.residue);
        let residue = residue::finite_or_zero(match op {
            Binary::Add => e_x + e_y,
            Binary::Sub => e_x - e_y,
            Binary::Mul => (y.actual + e_y).mul_add(e_x, x.actual * e_y),
            Binary::Div => (-z).mul_add(e_y, e_x) / (y.actual + e_y),
        });
        let noise = if e_x == 0.0 && e_y == 0.0 { x.shadow.noise.max(y.shadow.noise) } else { noise_of(op, x, y, z) };
        *out = NoisyResidue { residue, noise }.checked(z);
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut NoisyResidue, x: X, _: f64) {
        *out = *x.shadow;
    }

    fn function(
        &mut self,
        f: Function,
        out: &mut NoisyResidue,
        args: &[X],
        n: i64,
        z: f64,
        precision: Precision,
    ) -> bool {
        let Some(&x) = args.first() else { return false };
        if args.len() == 1 && self.stepped(f, out, x, z, precision) {
            return true;
        }
        let (v, e) = (x.actual, x.shadow.residue);
        let found = match args {
            [_] => unary(f, v, e, n, z),
            [_, y] => binary(f, v, e, y.actual, y.shadow.residue, z),
            _ => None,
        };
        let are_known = args.iter().all(|x| x.shadow.noise < f64::INFINITY);
        if z.is_infinite() && (!are_known || overflows(f, args.iter().map(|x| x.actual))) {
            *out = NoisyResidue::BEYOND;
            return true;
        }
        let residue = found.unwrap_or(0.0);
        let noise = if found.is_some() { noise_of_function(f, args, residue, z) } else { 0.0 };
        *out = NoisyResidue { residue, noise }.checked(z);
        found.is_some()
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut NoisyResidue, args: &[X], z: f64) -> bool {
        let parts: Vec<Dd> = args.iter().map(|x| Dd::from_residue(x.actual, x.shadow.residue)).collect();
        let found = by_mpfr::complex(f, half, &parts).filter(|_| z.is_finite());
        let residue = found.map_or(0.0, |ideal| residue::finite_or_zero(ideal.minus_actual(z)));
        let size = args.iter().map(|x| x.actual.abs()).fold(0.0, f64::max);
        let noise = args.iter().map(|x| x.shadow.noise).fold(0.0, f64::max);
        let inherited = if noise == 0.0 { 0.0 } else { noise * (4.0 * z.abs() / size).max(4.0) };
        *out = NoisyResidue { residue, noise: inherited.max(UNIT_ROUNDOFF * residue.abs()) }.checked(z);
        found.is_some() || !z.is_finite()
    }
}

/// Whether an infinite result is as infinite as its ideal: an operand is, or the divisor is 0.
fn is_pole(op: Binary, x: X, y: X) -> bool {
    x.actual.is_infinite()
        || y.actual.is_infinite()
        || (op == Binary::Div && y.actual == 0.0 && y.shadow.residue == 0.0)
}

/// As `noise::of_function` has it, beside the rounding of the residue itself and of the evaluation in double-double.
fn noise_of_function(f: Function, args: &[X], residue: f64, z: f64) -> f64 {
    use Function::*;
    /// What evaluations in double-double are good for: 2^-98.
    const EVALUATION: f64 = f64::from_bits((1023 - 98) << 52);
    let ideal = |x: &X| x.actual + x.shadow.residue;
    let radius = |x: &X| x.shadow.noise * GROWTH;
    let has_no_slope = match args {
        [x] => leaps(f, [ideal(x), z + residue], radius(x)),
        [x, y] if f == Pow => power_leaps([ideal(x), ideal(y)], [radius(x), radius(y)]),
        _ => false,
    };
    if has_no_slope {
        return f64::INFINITY;
    }
    let weighted = |x: &X, by: f64| if x.shadow.noise == 0.0 { 0.0 } else { (x.shadow.noise * by).abs() };
    let inherited = match args {
        [x] => weighted(x, derivative(f, ideal(x), z + residue)),
        [x, y] => {
            let [by_x, by_y] = derivatives(f, [ideal(x), ideal(y), z + residue]);
            weighted(x, by_x).max(weighted(y, by_y))
        }
        _ => 0.0,
    };
    let is_exact = matches!(f, Ldexp | Frexp | Nextafter);
    // Evaluations leave out what is below the normal numbers.
    let tiny = if z.abs() < SMALL { SUBNORMAL } else { LEAST };
    let introduced = if is_exact { 0.0 } else { (EVALUATION * z.abs()).max(UNIT_ROUNDOFF * residue.abs()).max(tiny) };
    if inherited.is_nan() { f64::INFINITY } else { inherited.max(introduced) }
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

fn unary(f: Function, x: f64, e: f64, n: i64, z: f64) -> Option<f64> {
    use Function::*;
    let steps = n.clamp(-100_000, 100_000) as i32;
    if !z.is_finite() || !x.is_finite() {
        return Some(0.0);
    }
    let by_mpfr = || {
        let ideal = by_mpfr::function(f, Dd::from_residue(x, e), n)?;
        Some(residue::finite_or_zero(ideal.minus_actual(z)))
    };
    by_name!(f, (x, e, z):
        Sin = sin Cos = cos Tan = tan Asin = asin Acos = acos Atan = atan Sinh = sinh Cosh = cosh Tanh = tanh
        Asinh = asinh Acosh = acosh Atanh = atanh Exp = exp Exp2 = exp2 Exp10 = exp10 Expm1 = expm1
        Log = log Log2 = log2 Log10 = log10 Log1p = log1p Cbrt = cbrt;
        Sqrt => Some(residue::sqrt(x, e, z)),
        Ldexp => Some(exact::ldexp(x, e, steps, z)),
        Frexp => Some(exact::frexp(e, steps)),
        Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0 | Y1 | Jn | Yn => by_mpfr(),
        // Steps are done elsewhere.
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb | Modf => None,
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => None,
    )
}

fn binary(f: Function, x: f64, ex: f64, y: f64, ey: f64, z: f64) -> Option<f64> {
    use Function::*;
    if !z.is_finite() {
        return Some(0.0);
    }
    by_name!(f, (x, ex, y, ey, z): Pow = pow Atan2 = atan2 Hypot = hypot;
        Fmod | Remainder => quotient(f).map(|by| exact::remainder(by, x, ex, y, ey, z)),
        Fdim => Some(exact::fdim(x, ex, y, ey, z)),
        Nextafter => Some(exact::nextafter(x, ex, z)),
        Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp | Exp2
        | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Logb | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0
        | Y1 | Jn | Yn | Floor | Ceil | Trunc | Round | Rint | Roundeven | Ldexp | Frexp | Modf => None,
    )
}
