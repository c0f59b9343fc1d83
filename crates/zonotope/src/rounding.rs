//! Sums, products, quotients and roots rounded down or up. The nearest result is right if it is exact; else its error,
//! which is a double where nothing underflows, says on which side it lies.

use nonius_numerics::eft::two_sum_error;

/// Below this a product's error may not be a double.
const TINY: f64 = f64::from_bits((1023 - 960) << 52);

macro_rules! directed {
    ($($up:ident, $down:ident: $inner:ident;)*) => { $(
        #[inline]
        pub fn $up(a: f64, b: f64) -> f64 {
            let (z, error) = $inner(a, b);
            ceiled(z, error)
        }

        #[inline]
        pub fn $down(a: f64, b: f64) -> f64 {
            let (z, error) = $inner(a, b);
            -ceiled(-z, -error)
        }
    )* };
}

directed! {
    add_up, add_down: sum;
    mul_up, mul_down: product;
    div_up, div_down: quotient;
}

/// The least double that is at least z + error, where error is below an ulp; a NaN says that there is one of either sign.
#[inline]
fn ceiled(z: f64, error: f64) -> f64 {
    if error <= 0.0 { z } else { z.next_up() }
}

/// The nearest sum and its error. An overflow has an error of the other sign.
#[inline]
fn sum(a: f64, b: f64) -> (f64, f64) {
    let z = a + b;
    if z.is_finite() {
        let error = two_sum_error(a, b, z);
        // Intermediate results can overflow though the sum does not.
        return (z, if error.is_nan() { f64::NAN } else { error });
    }
    (z, overflow(z, a.is_finite() && b.is_finite()))
}

#[inline]
fn product(a: f64, b: f64) -> (f64, f64) {
    let z = a * b;
    if z.is_finite() {
        if z.abs() < TINY {
            return (z, if a == 0.0 || b == 0.0 { 0.0 } else { f64::NAN });
        }
        return (z, a.mul_add(b, -z));
    }
    (z, overflow(z, a.is_finite() && b.is_finite()))
}

#[inline]
fn quotient(a: f64, b: f64) -> (f64, f64) {
    let z = a / b;
    if !z.is_finite() {
        return (z, overflow(z, a.is_finite() && b.is_finite() && b != 0.0));
    }
    if a == 0.0 {
        return (z, 0.0);
    }
    if b.is_infinite() {
        return (z, 0.0);
    }
    if z.abs() < TINY || a.abs() < TINY {
        return (z, f64::NAN);
    }
    // a - z b, exact.
    let rest = (-z).mul_add(b, a);
    (z, if b < 0.0 { -rest } else { rest })
}

#[inline]
fn overflow(z: f64, by_rounding: bool) -> f64 {
    if by_rounding && !z.is_nan() { -z } else { 0.0 }
}

pub fn sqrt_up(a: f64) -> f64 {
    let z = a.sqrt();
    if is_exact_root(a, z) { z } else { z.next_up() }
}

pub fn sqrt_down(a: f64) -> f64 {
    let z = a.sqrt();
    if is_exact_root(a, z) { z } else { z.next_down() }
}

fn is_exact_root(a: f64, z: f64) -> bool {
    a == 0.0 || z.is_infinite() || (a > TINY && z.mul_add(z, -a) == 0.0)
}

/// A bound of what a sum of n terms not below 0 is, computed in any order as `nearest`.
#[inline]
pub fn sum_bound(nearest: f64, terms: usize) -> f64 {
    // (1 + u)^n <= 1 + 2 n u for any n that fits into memory.
    nearest * (1.0 + (terms + 4) as f64 * (2.0 * f64::EPSILON)) + f64::MIN_POSITIVE * f64::EPSILON * (terms + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Float;
    use rug::float::Round;
    use rug::ops::{AddAssignRound, DivAssignRound, MulAssignRound};

    /// Any double, with those near 0, 1 and the ends more often.
    fn double() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<f64>().prop_filter("a number", |x| x.is_finite()),
            -2.0..2.0f64,
            prop::sample::select(vec![0.0, 1.0, -1.0, 5e-324, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 1e-160, 1e160]),
        ]
    }

    fn exactly(a: f64, b: f64, f: impl FnOnce(&mut Float, &Float)) -> Float {
        let mut z = Float::with_val(4400, a);
        f(&mut z, &Float::with_val(53, b));
        z
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn results_lie_on_their_side_and_near(a in double(), b in double()) {
            let sum = exactly(a, b, |z, b| { z.add_assign_round(b, Round::Nearest); });
            prop_assert!(add_down(a, b) <= sum && sum <= add_up(a, b));
            let product = exactly(a, b, |z, b| { z.mul_assign_round(b, Round::Nearest); });
            prop_assert!(mul_down(a, b) <= product && product <= mul_up(a, b));
            prop_assert!(mul_up(a, b) <= (a * b).next_up() && add_up(a, b) <= (a + b).next_up());
            if b != 0.0 {
                let below = exactly(a, b, |z, b| { z.div_assign_round(b, Round::Down); });
                let above = exactly(a, b, |z, b| { z.div_assign_round(b, Round::Up); });
                prop_assert!(div_down(a, b) <= below && above <= div_up(a, b));
            }
            let root = Float::with_val(200, a.abs()).sqrt();
            prop_assert!(sqrt_down(a.abs()) <= root && root <= sqrt_up(a.abs()));
        }
    }

    #[test]
    fn what_is_exact_stays_so() {
        assert_eq!((add_up(1.0, 2.0), mul_down(3.0, 5.0), div_up(1.0, 4.0), sqrt_up(9.0)), (3.0, 15.0, 0.25, 3.0));
        assert_eq!((add_down(f64::MAX, f64::MAX), add_up(f64::MAX, f64::MAX)), (f64::MAX, f64::INFINITY));
        assert_eq!((mul_up(-f64::MAX, 2.0), mul_down(-f64::MAX, 2.0)), (-f64::MAX, f64::NEG_INFINITY));
    }
}
