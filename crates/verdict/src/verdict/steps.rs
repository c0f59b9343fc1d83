//! Decisions of functions: integers that values become, quotients of remainders, choices and signs.
//!
//! Ideals are rounded to the program's format first: the best that it could have had.

use super::{Limits, Seen, Verdict};
use nonius_abi::Precision;
use nonius_abi::site::Op;
use nonius_numerics::exact::{self, Quotient};

/// The integers that a conversion or a rounding function makes of the value and of its ideal, if they differ. A rounding
/// function's result goes on as a float, with its error: what it decides is a step of one (see `numerics::exact`).
pub fn cast(seen: Seen, precision: Precision, op: Op) -> Verdict<(f64, f64)> {
    let Seen { value, ideal, .. } = seen;
    // Beyond this, C leaves the result of a conversion open.
    const LARGEST: f64 = 18_446_744_073_709_551_616.0;
    let is_judged = match op.rounds() {
        true => op == Op::Logb || exact::decides(precision, value),
        false => value.abs() < LARGEST && ideal.abs() < LARGEST,
    };
    if !is_judged || !value.is_finite() || ideal.is_nan() {
        return Verdict::Clear;
    }
    let actual = integer(op, value);
    let [low, high] = seen.ends();
    let [low, middle, high] = [low, ideal, high].map(|x| integer(op, rounded(x, precision)));
    let is_step = |to: f64| if op.rounds() { (to - actual).abs() == 1.0 } else { to != actual };
    match () {
        () if low == high && is_step(low) => Verdict::Found((actual, middle)),
        () if low == high || low == actual && high == actual => Verdict::Clear,
        () if op.rounds() && [low, high].iter().all(|&to| (to - actual).abs() > 1.0) => Verdict::Clear,
        () => Verdict::Open,
    }
}

/// The integer that an operation makes of a value.
fn integer(op: Op, x: f64) -> f64 {
    match op {
        Op::ToIntegerRint | Op::Rint => libm::rint(x),
        Op::ToIntegerRound | Op::Round => libm::round(x),
        Op::Floor => libm::floor(x),
        Op::Ceil => libm::ceil(x),
        Op::Exponent | Op::Logb if x == 0.0 => f64::NEG_INFINITY,
        Op::Exponent | Op::Logb => f64::from(nonius_numerics::error::exponent(x)),
        _ => libm::trunc(x),
    }
}

/// What a remainder of `x` by `y` should be, if the ideals, rounded to their format, have the quotient beside the program's.
pub fn remainder(x: Seen, y: Seen, precision: Precision, op: Op) -> Verdict<Seen> {
    let by = match op {
        Op::Rem => Quotient::Truncated,
        Op::Modulo => Quotient::Floored,
        _ => Quotient::Nearest,
    };
    let value = exact::remainder_of(by, x.value, y.value);
    let numbers = [value, x.ideal, y.ideal];
    if !numbers.iter().all(|x| x.is_finite()) || y.ideal == 0.0 {
        return Verdict::Clear;
    }
    let quotient = exact::quotient(x.value, y.value, value);
    let divisor = rounded(y.ideal, precision);
    let radius = x.radius + (quotient * y.radius).abs();
    let ideally = |dividend: f64| {
        let dividend = rounded(dividend, precision);
        let remainder = exact::remainder_of(by, dividend, divisor);
        (remainder, exact::quotient(dividend, divisor, remainder) - quotient)
    };
    let [low, (ideal, turns), high] = [x.ideal - radius, x.ideal, x.ideal + radius].map(ideally);
    match () {
        () if low.1 != turns || high.1 != turns => Verdict::Open,
        () if turns.abs() == 1.0 => Verdict::Found(Seen { value, ideal, residue: ideal - value, radius }),
        () => Verdict::Clear,
    }
}

/// Whether a flip of what picks one of two operands counts: the ideals differ by more than they may. Continuous as `fmin` is,
/// it hides no more than that.
pub fn matters(ideals: [f64; 2], precision: Precision, limits: &Limits) -> bool {
    let [x, y] = ideals;
    (x - y).abs() > limits.relative[precision as usize] * x.abs().max(y.abs())
}

/// Whether a sign that flips counts: what it is given to is more than the error that turned it.
pub fn sign_matters(size: f64, sign: [f64; 2]) -> bool {
    size.abs() > (sign[0] - sign[1]).abs()
}

/// `x` as the format would hold it, so that less than its rounding cannot flip an integer.
fn rounded(x: f64, precision: Precision) -> f64 {
    match precision {
        Precision::Double | Precision::X87 | Precision::Quad => x,
        Precision::Float => f64::from(x as f32),
        Precision::Half | Precision::Bfloat => {
            // Adding and taking away 1.5 ulps' worth of high bits leaves a multiple of the ulp.
            let ulp = f64::exp2(f64::from(precision.ulp_exponent(x)));
            let shift = 1.5 * f64::exp2(52.0) * ulp;
            (x + shift) - shift
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::site::Observed;
    use nonius_numerics::Threshold;

    fn limits() -> Limits {
        Limits::new(Threshold::Standard, 0.0, &[Observed::Output])
    }

    #[test]
    fn a_cast_near_an_integer_is_open() {
        let cast = |v, e, r| cast(Seen::by_residue(v, e, r), Precision::Double, Op::ToInteger);
        assert_eq!(cast(3.0, 0.0, 1e-60), Verdict::Clear);
        assert_eq!(cast(3.0, -1e-9, 1e-8), Verdict::Open);
        assert_eq!(cast(2.5, 0.1, 0.2), Verdict::Clear);
        assert_eq!(cast(2.5, 0.7, 0.1), Verdict::Found((2.0, 3.0)));
        // 3 but for 1e-17, and for all that lies within that: no double tells it from 3.
        let below = 3.0 - 2.0 * f64::EPSILON;
        let gap = 2.0 * f64::EPSILON;
        assert_eq!(cast(below, gap - 1e-17, 1e-17), Verdict::Found((2.0, 3.0)));
        assert_eq!(cast(below, gap - 1e-17, 1e-15), Verdict::Open);
    }

    #[test]
    fn casts_flip_only_past_the_formats_rounding() {
        use Op::{ToInteger, ToIntegerRint, ToIntegerRound};
        let double = |v, e, op| cast(Seen::by_residue(v, e, 0.0), Precision::Double, op).found();
        assert_eq!(double(2.9999999999999996, 5e-16, ToInteger), Some((2.0, 3.0)));
        assert_eq!(double(2.9999999999999996, 1e-17, ToInteger), None);
        assert_eq!(double(2.5, 1e-10, ToIntegerRint), Some((2.0, 3.0)));
        assert_eq!(double(2.5, 1e-10, ToIntegerRound), None);
        assert_eq!(double(2.5, -1e-10, ToIntegerRound), Some((3.0, 2.0)));
        assert_eq!(double(-0.0, -1e-10, ToInteger), None);
        assert_eq!(double(f64::NAN, 1.0, ToInteger), None);
        assert_eq!(double(1e300, 1e290, ToInteger), None);
        assert_eq!(
            cast(Seen::by_residue(2.9999998, 1.9e-7, 0.0), Precision::Float, ToInteger).found(),
            Some((2.0, 3.0))
        );
        assert_eq!(cast(Seen::by_residue(2.9999998, 1e-9, 0.0), Precision::Float, ToInteger).found(), None);
        assert_eq!(cast(Seen::by_residue(2.998, 0.0019, 0.0), Precision::Half, ToInteger).found(), Some((2.0, 3.0)));
        assert_eq!(cast(Seen::by_residue(2.998, 0.0001, 0.0), Precision::Half, ToInteger).found(), None);
    }

    #[test]
    fn rounding_functions_decide_by_one_step() {
        let double = |v, e, r, op| cast(Seen::by_residue(v, e, r), Precision::Double, op);
        assert_eq!(double(26.0, -3.6e-15, 0.0, Op::Floor), Verdict::Found((26.0, 25.0)));
        assert_eq!(double(26.0, -1e-18, 0.0, Op::Floor), Verdict::Clear);
        assert_eq!(double(26.0, -3.6e-15, 1e-14, Op::Floor), Verdict::Open);
        assert_eq!(double(0.1, -0.2, 0.0, Op::Ceil), Verdict::Found((1.0, 0.0)));
        assert_eq!(double(-0.1, 0.2, 0.0, Op::Trunc), Verdict::Clear);
        assert_eq!(double(2.5, -1e-10, 0.0, Op::Round), Verdict::Found((3.0, 2.0)));
        assert_eq!(double(2.5, 1e-10, 0.0, Op::Rint), Verdict::Found((2.0, 3.0)));
        assert_eq!(double(8.0, -1e-10, 0.0, Op::Logb), Verdict::Found((3.0, 2.0)));
        assert_eq!(double(8.0, -7.0, 0.0, Op::Exponent), Verdict::Found((3.0, 0.0)));
        // More than one step is an error that goes on, and so is one among integers.
        assert_eq!(double(26.0, -3.0, 0.0, Op::Floor), Verdict::Clear);
        assert_eq!(double(26.0, -3.0, 0.5, Op::Floor), Verdict::Clear);
        assert_eq!(double(1e17, -1.0, 0.0, Op::Floor), Verdict::Clear);
        assert_eq!(double(f64::INFINITY, 0.0, 0.0, Op::Floor), Verdict::Clear);
        let float = Seen::by_residue(2.0, -2e-7, 0.0);
        assert_eq!(cast(float, Precision::Float, Op::Floor), Verdict::Found((2.0, 1.0)));
    }

    #[test]
    fn remainders_flip_where_their_quotient_steps() {
        let by = |x: [f64; 3], y: [f64; 3], op| {
            let [x, y] = [x, y].map(|[v, e, r]| Seen::by_residue(v, e, r));
            match remainder(x, y, Precision::Double, op) {
                Verdict::Found(seen) => Verdict::Found((seen.value, seen.ideal)),
                Verdict::Clear => Verdict::Clear,
                Verdict::Open => Verdict::Open,
            }
        };
        let (below, one) = (1.0 - f64::EPSILON / 2.0, [1.0, 0.0, 0.0]);
        assert_eq!(by([below, 1.7e-16, 0.0], one, Op::Rem), Verdict::Found((below, 0.0)));
        assert_eq!(by([-below, -1.7e-16, 0.0], one, Op::Rem), Verdict::Found((-below, -0.0)));
        assert_eq!(by([below, 1e-17, 0.0], one, Op::Rem), Verdict::Clear);
        assert_eq!(by([below, 1.7e-16, 1e-15], one, Op::Rem), Verdict::Open);
        assert_eq!(by([4.25, 0.25, 0.0], one, Op::Remainder), Verdict::Clear);
        assert_eq!(by([5.25, 0.5, 0.0], one, Op::Remainder), Verdict::Found((0.25, -0.25)));
        assert_eq!(by([below, 1.7e-16, 0.0], one, Op::Modulo), Verdict::Found((below, 0.0)));
        // By the divisor, too.
        assert_eq!(by([6.0, 0.0, 0.0], [2.0, 0.125, 0.0], Op::Rem), Verdict::Found((0.0, 1.75)));
        // Far off is no step, and neither is what has no remainder.
        assert_eq!(by([5.25, 9.0, 0.0], one, Op::Rem), Verdict::Clear);
        assert_eq!(by([5.25, 9.0, 0.0], [0.0, 0.0, 0.0], Op::Rem), Verdict::Clear);
        assert_eq!(by([5.25, 9.0, 0.0], [f64::INFINITY, 0.0, 0.0], Op::Rem), Verdict::Clear);
    }

    #[test]
    fn choices_count_where_it_makes_a_difference() {
        assert!(
            matters([1.0, 2.0], Precision::Double, &limits()) && matters([0.0, 1e-300], Precision::Double, &limits())
        );
        assert!(
            !matters([1.0, 1.0 + 1e-9], Precision::Double, &limits())
                && !matters([0.0; 2], Precision::Double, &limits())
        );
        assert!(sign_matters(1.0, [1e-17, -1e-18]) && !sign_matters(1e-17, [1e-17, -1e-18]));
    }
}
