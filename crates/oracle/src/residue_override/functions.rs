//! The terms of mathematical functions: what the program's evaluation lacks at the actual arguments, and how far the
//! residue of each argument moves the result.
//!
//! | term | is |
//! |---|---|
//! | introduced | f(x, y) - z |
//! | of x | f(x + e_x, y) - f(x, y) |
//! | of y | f(x + e_x, y + e_y) - f(x + e_x, y) |
//!
//! The introduced error is MPFR's, with as many bits as it takes: of `cos(1e-30) - 1`, which is all that `1 - cos(x)` is about,
//! a double-double knows nothing. The others are differences of double-doubles. A difference of two that agree in more
//! than [`AGREE`] has too few bits left: it is worked out as the residue times the slope in the middle, whose own error
//! is then of the order of the squared relative residue.
//!
//! Functions that jump, scale or take numbers apart are exact: they have no introduced error, but that of a scaling that is
//! rounded. The slopes of functions that MPFR evaluates are differences over a longer step; close to a pole (`tgamma`,
//! `lgamma`, `y0`) that step may be too long.

use crate::double_double;
use crate::function::quotient;
use crate::{Complex, Dd, Function, Half, Operand, by_mpfr};
use nonius_numerics::eft::two_sum_error;
use nonius_numerics::exact;
use nonius_numerics::residue::{finite_or_zero, ideal_difference};
use std::f64::consts::{LN_2, LN_10};

/// Values that differ by less, relative to the larger, are too close to be subtracted. A double-double function is
/// right to some 2^-93 at worst (near the zeros of cosines), which leaves 43 bits of a difference this large. And the
/// slope in the middle is right to as much for a smaller one, even where it changes fastest: just below asin(1).
const AGREE: f64 = 1.0 / (1u64 << 50) as f64;

/// The step of a slope that is worked out as a difference: its square is below a residue's precision, and it leaves 70
/// bits of the difference.
const STEP: f64 = 1.0 / (1u64 << 30) as f64;

/// How far double-double evaluations of functions are off at worst: 2^-92 of the value.
pub const EVALUATION: f64 = f64::from_bits((1023 - 92) << 52);

/// The terms of a function of one argument or two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contributions {
    pub introduced: f64,
    pub by: [f64; 2],
    /// How far off they may be, beside their last bit; infinite where nothing is known.
    pub off: f64,
}

impl Contributions {
    /// Nothing is known of the ideal.
    pub const UNKNOWN: Contributions = Contributions { introduced: 0.0, by: [0.0; 2], off: f64::INFINITY };

    fn of_first(introduced: f64, first: f64) -> Contributions {
        Contributions::checked(introduced, [first, 0.0], 0.0)
    }

    fn checked(introduced: f64, by: [f64; 2], off: f64) -> Contributions {
        let are_finite = introduced.is_finite() && by.iter().all(|x| x.is_finite());
        if are_finite { Contributions { introduced, by, off } } else { Contributions::UNKNOWN }
    }

    /// Where only the whole is known, it is the first argument's, unless that has no error.
    fn as_a_whole(whole: f64, e_x: f64) -> Contributions {
        let by = if e_x == 0.0 { [0.0, whole] } else { [whole, 0.0] };
        Contributions::checked(0.0, by, 0.0)
    }
}

/// `to - from`, or `slope` times `e` where that is nothing to go by; and how far off that may be.
fn change(from: Dd, to: Dd, e: f64, slope: impl FnOnce() -> Option<f64>) -> Option<(f64, f64)> {
    let difference = (to - from).to_f64();
    let size = from.hi.abs().max(to.hi.abs());
    match difference.abs() >= AGREE * size {
        true => Some((difference, EVALUATION * size)),
        false => Some((slope()? * e, 0.0)),
    }
}

/// The slope at `at` by a step that belongs to arguments of this size.
fn slope_by_steps(at: Dd, size: f64, f: impl Fn(Dd) -> Option<Dd>) -> Option<f64> {
    let step = STEP * if size == 0.0 { 1.0 } else { size.min(1.0) };
    Some((f(at.add_f64(step))? - f(at.add_f64(-step))?).to_f64() / (2.0 * step))
}

fn is_subnormal(ideal: Dd) -> bool {
    ideal.hi.abs() < f64::MIN_POSITIVE && ideal.hi != 0.0
}

pub fn unary(f: Function, x: f64, e: f64, n: i64, z: f64) -> Option<Contributions> {
    use Function::*;
    if !(x + e).is_finite() {
        return Some(Contributions::UNKNOWN);
    }
    let steps = n.clamp(-100_000, 100_000) as i32;
    let by_x = match f {
        Ldexp => {
            let scaled = exact::frexp(e, steps.saturating_neg());
            return Some(Contributions::of_first(exact::ldexp(x, 0.0, steps, z), scaled));
        }
        Frexp => exact::frexp(e, steps),
        _ => return smooth(f, x, e, n, z),
    };
    Some(Contributions::of_first(0.0, by_x))
}

/// A function that is neither exact nor jumps.
fn smooth(f: Function, x: f64, e: f64, n: i64, z: f64) -> Option<Contributions> {
    let introduced = by_mpfr::less_actual(f, &[x], n, z);
    let Some((introduced, lost)) = introduced else { return Some(Contributions::UNKNOWN) };
    if e == 0.0 {
        return Some(Contributions::checked(introduced, [0.0; 2], lost));
    }
    let at = |e| double_double::unary(f, Dd::from_residue(x, e), n);
    let (actual, ideal) = (at(0.0)?, at(e)?);
    if !actual.is_finite() || !ideal.is_finite() || is_subnormal(ideal) {
        return Some(Contributions::UNKNOWN);
    }
    let middle = Dd::from_residue(x, 0.5 * e);
    let (by_x, off) = change(actual, ideal, e, || slope(f, middle, n))?;
    Some(Contributions::checked(introduced, [by_x, 0.0], off + lost))
}

/// f'(x).
fn slope(f: Function, x: Dd, n: i64) -> Option<f64> {
    use Function::*;
    let value = |g| double_double::unary(g, x, n).map(Dd::to_f64);
    let (one, wide) = (Dd::ONE, x.to_f64());
    Some(match f {
        Sin => value(Cos)?,
        Cos => -value(Sin)?,
        Tan => value(Cos)?.powi(-2),
        Asin => 1.0 / ((one - x) * (one + x)).sqrt().to_f64(),
        Acos => -1.0 / ((one - x) * (one + x)).sqrt().to_f64(),
        Atan => 1.0 / wide.mul_add(wide, 1.0),
        Sinh => value(Cosh)?,
        Cosh => value(Sinh)?,
        Tanh => value(Cosh)?.powi(-2),
        Asinh => 1.0 / wide.hypot(1.0),
        Acosh => 1.0 / ((x - one) * (x + one)).sqrt().to_f64(),
        Atanh => 1.0 / ((one - x) * (one + x)).to_f64(),
        Exp | Expm1 => value(Exp)?,
        Exp2 => LN_2 * value(Exp2)?,
        Exp10 => LN_10 * value(Exp10)?,
        Log => 1.0 / wide,
        Log2 => 1.0 / (LN_2 * wide),
        Log10 => 1.0 / (LN_10 * wide),
        Log1p => 1.0 / (one + x).to_f64(),
        Cbrt => value(Cbrt)? / (3.0 * wide),
        _ => slope_by_steps(x, wide.abs(), |x| double_double::unary(f, x, n))?,
    })
}

pub fn binary(f: Function, [x, y]: [f64; 2], [e_x, e_y]: [f64; 2], z: f64) -> Option<Contributions> {
    use Function::*;
    if !(x + e_x).is_finite() {
        return Some(Contributions::UNKNOWN);
    }
    let by_terms = |whole: f64| {
        // With the quotient n: x - n y.
        let by_y = if e_y == 0.0 { 0.0 } else { -exact::quotient(x, y, z) * e_y };
        // Else the ideals' quotient is another one, or the terms cancel to less than their roundings.
        let is_smooth = (whole - (e_x + by_y)).abs() <= 1e-13 * whole.abs();
        if is_smooth { Contributions::checked(0.0, [e_x, by_y], 0.0) } else { Contributions::as_a_whole(whole, e_x) }
    };
    Some(match f {
        Fmod | Remainder => by_terms(exact::remainder(quotient(f)?, x, e_x, y, e_y, z)),
        Fdim if x > y && y.is_finite() && ideal_difference(x, e_x, y, e_y) > 0.0 => {
            Contributions::checked(two_sum_error(x, -y, z), [e_x, -e_y], 0.0)
        }
        Fdim => Contributions::as_a_whole(exact::fdim(x, e_x, y, e_y, z), e_x),
        Nextafter => Contributions::of_first(0.0, exact::nextafter(x, e_x, z)),
        _ if !(y + e_y).is_finite() => Contributions::UNKNOWN,
        _ => return smooth_binary(f, [x, y], [e_x, e_y], z),
    })
}

fn smooth_binary(f: Function, [x, y]: [f64; 2], [e_x, e_y]: [f64; 2], z: f64) -> Option<Contributions> {
    let at = |a: Dd, b: Dd| {
        let (a, b) = (Operand { actual: a.hi, shadow: &a }, Operand { actual: b.hi, shadow: &b });
        double_double::binary(f, a, b, z)
    };
    let introduced = by_mpfr::less_actual(f, &[x, y], 0, z);
    let Some((introduced, lost)) = introduced else { return Some(Contributions::UNKNOWN) };
    if e_x == 0.0 && e_y == 0.0 {
        return Some(Contributions::checked(introduced, [0.0; 2], lost));
    }
    let (ideal_x, ideal_y) = (Dd::from_residue(x, e_x), Dd::from_residue(y, e_y));
    let actual = at(Dd::from(x), Dd::from(y))?;
    let between = if e_x == 0.0 { actual } else { at(ideal_x, Dd::from(y))? };
    let ideal = if e_y == 0.0 { between } else { at(ideal_x, ideal_y)? };
    if ![actual, between, ideal].iter().all(|value| value.is_finite()) || is_subnormal(ideal) {
        return Some(Contributions::UNKNOWN);
    }
    let by_x = || change(actual, between, e_x, || slopes(f, Dd::from_residue(x, 0.5 * e_x), Dd::from(y), z, 0));
    let by_y = || change(between, ideal, e_y, || slopes(f, ideal_x, Dd::from_residue(y, 0.5 * e_y), z, 1));
    let (by_x, off_x) = if e_x == 0.0 { (0.0, 0.0) } else { by_x()? };
    let (by_y, off_y) = if e_y == 0.0 { (0.0, 0.0) } else { by_y()? };
    Some(Contributions::checked(introduced, [by_x, by_y], off_x + off_y + lost))
}

/// The slope of f(x, y) in one of the two directions.
fn slopes(f: Function, x: Dd, y: Dd, z: f64, direction: usize) -> Option<f64> {
    let value = |f| {
        let (x, y) = (Operand { actual: x.hi, shadow: &x }, Operand { actual: y.hi, shadow: &y });
        double_double::binary(f, x, y, z).map(Dd::to_f64)
    };
    let (a, b) = (x.to_f64(), y.to_f64());
    let hypotenuse = value(Function::Hypot)?;
    Some(match (f, direction) {
        (Function::Pow, 0) => value(f)? * (b / a),
        (Function::Pow, _) => value(f)? * double_double::unary(Function::Log, x, 0)?.to_f64(),
        // The first argument is the ordinate.
        (Function::Atan2, 0) => b / hypotenuse / hypotenuse,
        (Function::Atan2, _) => -(a / hypotenuse / hypotenuse),
        (Function::Hypot, 0) => a / hypotenuse,
        (Function::Hypot, _) => b / hypotenuse,
        _ => return None,
    })
}

/// A part of a complex function: what it lacks at the actual arguments, and a term for each of their parts, of which
/// the earlier ones are ideal already.
pub fn complex(f: Complex, half: Half, args: &[f64], residues: &[f64], z: f64) -> Option<(f64, [f64; 4])> {
    let mut parts: Vec<Dd> = args.iter().map(|&x| Dd::from(x)).collect();
    let at = |parts: &[Dd]| by_mpfr::complex(f, half, parts);
    let actual = at(&parts)?;
    let (mut before, mut terms) = (actual, [0.0; 4]);
    for (place, (&x, &e)) in args.iter().zip(residues).enumerate().take(terms.len()) {
        if e == 0.0 {
            continue;
        }
        parts[place] = Dd::from_residue(x, e);
        let behind = at(&parts)?;
        // Real and imaginary part lie side by side.
        let number = &args[place & !1..];
        let size = number.iter().take(2).fold(0.0, |size: f64, part| size.max(part.abs()));
        let slope = || {
            slope_by_steps(Dd::from_residue(x, 0.5 * e), size, |moved| {
                let mut parts = parts.clone();
                parts[place] = moved;
                at(&parts)
            })
        };
        terms[place] = finite_or_zero(change(before, behind, e, slope)?.0);
        before = behind;
    }
    Some((finite_or_zero(actual.minus_actual(z)), terms))
}
