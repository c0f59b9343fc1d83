//! Curves of one variable: enclosures of values and slopes, and which way they bend.

use crate::interval::Interval;
use nonius_abi::libm::Function;
use rug::Float;
use rug::float::{Constant, Round};

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    Inverse,
    Sqrt,
    Abs,
    /// x^n, of positive x.
    Power(f64),
    Of(Function),
}

/// A value by MPFR, rounded down and up.
pub(super) fn both_ways(f: impl Fn(&mut Float, Round)) -> Interval {
    let rounded = |round| {
        let mut z = Float::new(53);
        f(&mut z, round);
        z.to_f64_round(round)
    };
    Interval::new(rounded(Round::Down), rounded(Round::Up))
}

/// A function of MPFR at a point.
fn at(x: f64, f: impl Fn(&mut Float, Round)) -> Interval {
    both_ways(|z, round| {
        // Its argument exactly; what it becomes is rounded to the precision.
        *z = Float::with_val(53, x);
        f(z, round);
    })
}

/// Of a function that grows.
fn growing(x: Interval, f: impl Fn(&mut Float, Round) + Copy) -> Interval {
    Interval { lo: at(x.lo, f).lo, hi: at(x.hi, f).hi }
}

fn falling(x: Interval, f: impl Fn(&mut Float, Round) + Copy) -> Interval {
    Interval { lo: at(x.hi, f).lo, hi: at(x.lo, f).hi }
}

const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };
/// Two doubles around the constant.
const LN_2: Interval = Interval { lo: core::f64::consts::LN_2, hi: 0.693_147_180_559_945_4 };
const LN_10: Interval = Interval { lo: 2.302_585_092_994_045_5, hi: core::f64::consts::LN_10 };
const TWO_OVER_SQRT_PI: Interval = Interval { lo: 1.128_379_167_095_512_4, hi: 1.128_379_167_095_512_8 };
const UNIT: Interval = Interval { lo: -1.0, hi: 1.0 };

/// Of sin (0) or cos (1): which quarters of a turn the interval touches, from the one that begins at 0.
fn quarters(x: Interval) -> Option<(i64, i64)> {
    if x.mag().is_nan() || x.mag() >= 1e15 {
        return None;
    }
    let quarter = |x: f64, round| {
        let mut turns = Float::with_val(200, x);
        let pi = Float::with_val(200, Constant::Pi) / 2u32;
        turns /= &pi;
        // A multiple of a quarter is never a double but 0, and 200 bits tell.
        turns.to_integer_round(round).and_then(|(n, _)| n.to_i64())
    };
    Some((quarter(x.lo, Round::Down)?, quarter(x.hi, Round::Down)?))
}

fn wave(x: Interval, shift: i64, f: impl Fn(&mut Float, Round) + Copy) -> Interval {
    let Some((first, last)) = quarters(x) else { return UNIT };
    let ends = at(x.lo, f).hull(at(x.hi, f));
    // sin is 1 where quarter 1 begins, -1 where quarter 3 does; cos a quarter earlier.
    let passes = |which: i64| (first + 1..=last).take(5).any(|q| (q + shift).rem_euclid(4) == which);
    Interval {
        lo: if passes(3) { -1.0 } else { ends.lo.max(-1.0) },
        hi: if passes(1) { 1.0 } else { ends.hi.min(1.0) },
    }
}

macro_rules! mpfr {
    ($name:ident) => {
        |z: &mut Float, round| {
            z.$name(round);
        }
    };
}

impl Curve {
    /// All its values over an interval; everything, where it has none, or none that is known.
    pub fn enclosure(self, x: Interval) -> Interval {
        if x.is_empty() || !x.is_finite() {
            return Interval::ENTIRE;
        }
        match self {
            Curve::Inverse => ONE.over(x),
            Curve::Sqrt => x.sqrt(),
            Curve::Abs => x.abs(),
            Curve::Power(n) if x.lo > 0.0 => {
                let power = |x: f64| {
                    both_ways(|z, round| {
                        let (x, n) = (Float::with_val(53, x), Float::with_val(53, n));
                        *z = Float::with_val_round(53, rug::ops::Pow::pow(&x, &n), round).0;
                    })
                };
                power(x.lo).hull(power(x.hi))
            }
            Curve::Power(_) => Interval::ENTIRE,
            Curve::Of(f) => of(f, x),
        }
    }

    /// All its slopes.
    pub fn slope(self, x: Interval) -> Interval {
        use Function::*;
        let f = |f: Function| Curve::Of(f).enclosure(x);
        match self {
            Curve::Inverse => -ONE.over(x.square()),
            Curve::Sqrt => ONE.over(x.sqrt() * 2.0),
            Curve::Abs if x.lo >= 0.0 => ONE,
            Curve::Abs if x.hi <= 0.0 => -ONE,
            Curve::Abs => UNIT,
            Curve::Power(n) => {
                let less = n - 1.0;
                // Where n - 1 is no double, it lies between two.
                let around = if less + 1.0 == n { [less, less] } else { [less.next_down(), less.next_up()] };
                around.map(|n| Curve::Power(n).enclosure(x)).into_iter().fold(Interval::EMPTY, Interval::hull) * n
            }
            Curve::Of(function) => match function {
                Exp | Expm1 => f(Exp),
                Exp2 => f(Exp2) * LN_2,
                Exp10 => f(Exp10) * LN_10,
                Log if x.lo > 0.0 => ONE.over(x),
                Log2 if x.lo > 0.0 => ONE.over(x * LN_2),
                Log10 if x.lo > 0.0 => ONE.over(x * LN_10),
                Log1p if x.lo > -1.0 => ONE.over(ONE + x),
                Sin => f(Cos),
                Cos => -f(Sin),
                Tan => ONE + f(Tan).square(),
                Asin if x.mag() < 1.0 => ONE.over((ONE - x.square()).sqrt()),
                Acos if x.mag() < 1.0 => -ONE.over((ONE - x.square()).sqrt()),
                Atan => ONE.over(ONE + x.square()),
                Sinh => f(Cosh),
                Cosh => f(Sinh),
                Tanh => ONE - f(Tanh).square(),
                Asinh => ONE.over((ONE + x.square()).sqrt()),
                Acosh if x.lo > 1.0 => ONE.over((x.square() - ONE).sqrt()),
                Atanh if x.mag() < 1.0 => ONE.over(ONE - x.square()),
                Cbrt if !x.contains(0.0) => ONE.over(f(Cbrt).square() * 3.0),
                Erf => TWO_OVER_SQRT_PI * Curve::Of(Exp).enclosure(-x.square()),
                Erfc => -(TWO_OVER_SQRT_PI * Curve::Of(Exp).enclosure(-x.square())),
                _ => Interval::ENTIRE,
            },
        }
    }

    /// 1 if its slope grows all over the interval, -1 if it falls.
    pub fn bends(self, x: Interval) -> Option<f64> {
        use Function::*;
        let by_sign = |positive: f64| match x {
            x if x.lo >= 0.0 => Some(positive),
            x if x.hi <= 0.0 => Some(-positive),
            _ => None,
        };
        match self {
            Curve::Inverse => by_sign(1.0),
            Curve::Sqrt => Some(-1.0),
            Curve::Abs => Some(1.0),
            Curve::Power(n) => Some(if (0.0..=1.0).contains(&n) { -1.0 } else { 1.0 }),
            Curve::Of(function) => match function {
                Exp | Exp2 | Exp10 | Expm1 | Cosh => Some(1.0),
                Log | Log2 | Log10 | Log1p | Acosh => Some(-1.0),
                Sinh | Atanh | Asin => by_sign(1.0),
                Tan if x.mag() < 1.57 => by_sign(1.0),
                Acos | Atan | Tanh | Asinh | Erf | Cbrt => by_sign(-1.0),
                Erfc => by_sign(1.0),
                Sin | Cos => {
                    let values = self.enclosure(x);
                    (values.lo >= 0.0).then_some(-1.0).or((values.hi <= 0.0).then_some(1.0))
                }
                _ => None,
            },
        }
    }

    /// A point of the interval where the curve has about that slope; it bends one way.
    pub fn touch(self, x: Interval, slope: f64) -> f64 {
        let touch = match self {
            Curve::Abs => 0.0,
            Curve::Sqrt => (0.5 / slope).powi(2),
            Curve::Inverse => (-1.0 / slope).sqrt().copysign(x.mid()),
            Curve::Of(Function::Exp | Function::Expm1) => slope.ln(),
            Curve::Of(Function::Log) => 1.0 / slope,
            _ => self.bisected(x, slope),
        };
        if touch.is_finite() { touch.clamp(x.lo, x.hi) } else { x.mid() }
    }

    fn bisected(self, x: Interval, slope: f64) -> f64 {
        let grows = self.bends(x) == Some(1.0);
        let (mut lo, mut hi) = (x.lo, x.hi);
        for _ in 0..40 {
            let mid = 0.5 * lo + 0.5 * hi;
            let is_below = (self.slope(Interval::point(mid)).mid() < slope) == grows;
            if is_below { lo = mid } else { hi = mid }
        }
        0.5 * lo + 0.5 * hi
    }
}

fn of(f: Function, x: Interval) -> Interval {
    use Function::*;
    match f {
        Sqrt if x.lo >= 0.0 => x.sqrt(),
        Exp => growing(x, mpfr!(exp_round)),
        Exp2 => growing(x, mpfr!(exp2_round)),
        Exp10 => growing(x, mpfr!(exp10_round)),
        Expm1 => growing(x, mpfr!(exp_m1_round)),
        Log if x.lo > 0.0 => growing(x, mpfr!(ln_round)),
        Log2 if x.lo > 0.0 => growing(x, mpfr!(log2_round)),
        Log10 if x.lo > 0.0 => growing(x, mpfr!(log10_round)),
        Log1p if x.lo > -1.0 => growing(x, mpfr!(ln_1p_round)),
        Sin => wave(x, 0, mpfr!(sin_round)),
        Cos => wave(x, 1, mpfr!(cos_round)),
        Tan => match quarters(x) {
            // Between two poles it grows.
            Some((first, last)) if (first + 1..=last).all(|q| q % 2 == 0) => growing(x, mpfr!(tan_round)),
            _ => Interval::ENTIRE,
        },
        Asin if x.mag() <= 1.0 => growing(x, mpfr!(asin_round)),
        Acos if x.mag() <= 1.0 => falling(x, mpfr!(acos_round)),
        Atan => growing(x, mpfr!(atan_round)),
        Sinh => growing(x, mpfr!(sinh_round)),
        Cosh => growing(x.abs(), mpfr!(cosh_round)),
        Tanh => growing(x, mpfr!(tanh_round)),
        Asinh => growing(x, mpfr!(asinh_round)),
        Acosh if x.lo >= 1.0 => growing(x, mpfr!(acosh_round)),
        Atanh if x.mag() < 1.0 => growing(x, mpfr!(atanh_round)),
        Cbrt => growing(x, mpfr!(cbrt_round)),
        Erf => growing(x, mpfr!(erf_round)),
        Erfc => falling(x, mpfr!(erfc_round)),
        Tgamma if x.is_point() => at(x.lo, mpfr!(gamma_round)),
        Lgamma if x.is_point() => at(x.lo, mpfr!(ln_gamma_round)),
        J0 if x.is_point() => at(x.lo, mpfr!(j0_round)),
        J1 if x.is_point() => at(x.lo, mpfr!(j1_round)),
        Y0 if x.is_point() => at(x.lo, mpfr!(y0_round)),
        Y1 if x.is_point() => at(x.lo, mpfr!(y1_round)),
        _ => Interval::ENTIRE,
    }
}
