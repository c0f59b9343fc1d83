//! Where bounds once did not hold: each of these left its enclosure.

use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_zonotope::{Interval, Rounding, Space, Value};

fn rounding(format: Precision) -> Rounding {
    Rounding { format, is_loose: false, origin: 0 }
}

fn input(space: &mut Space, real: [f64; 2], error: [f64; 2], format: Precision) -> Value {
    let [real, error] = [real, error].map(|[lo, hi]| Interval { lo, hi });
    Value::input(space, real, error, format, [1, 2]).expect("a float of the range")
}

#[test]
fn truncation_from_both_sides_of_zero_is_no_error() {
    let mut space = Space::new(16);
    let x = input(&mut space, [-1.5, 1.5], [1.7, 1.8], Precision::Double);
    let z = space.function(Function::Trunc, &x, None, 0, rounding(Precision::Double));
    // The float 0.9 and the real -0.9 have the same whole part.
    assert!(z.error.range.contains(0.0), "{:?}", z.error.range);
}

#[test]
fn what_may_overflow_has_no_bounds() {
    let mut space = Space::new(16);
    for (format, most) in [(Precision::Float, 88.8), (Precision::Double, 709.79)] {
        let x = input(&mut space, [most - 1.0, most], [0.0, 0.0], format);
        let z = space.function(Function::Exp, &x, None, 0, rounding(format));
        assert!(!z.is_known(), "{format:?}: {:?}", z.float);
        let x = input(&mut space, [most - 2.0, most - 1.0], [0.0, 0.0], format);
        assert!(space.function(Function::Exp, &x, None, 0, rounding(format)).is_known());
    }
}

#[test]
fn a_product_that_underflows_is_not_nothing() {
    let mut space = Space::new(16);
    let z =
        space.fma(&Value::exact(7e-292), &Value::exact(2e-287), &Value::exact(-2.75e-59), rounding(Precision::Double));
    assert!(z.error.range.lo < 0.0, "{:?}", z.error.range);
}

#[test]
fn relative_errors_of_long_formats_have_two_sides() {
    let mut space = Space::new(16);
    for format in [Precision::X87, Precision::Quad] {
        let x = input(&mut space, [1.0, 2.0], [0.0, 0.0], format);
        let y = input(&mut space, [1.0, 2.0], [0.0, 0.0], format);
        let z = space.mul(&x, &y, rounding(format));
        assert!(z.relative.lo < 0.0 && z.relative.hi > 0.0, "{format:?}: {:?}", z.relative);
    }
}

#[test]
fn a_function_of_one_number_asks_for_no_other() {
    let mut space = Space::new(16);
    let x = input(&mut space, [0.25, 0.75], [0.0, 0.0], Precision::Double);
    let unknown = Value::unknown();
    assert!(space.function(Function::Sin, &x, Some(&unknown), 0, rounding(Precision::Double)).is_known());
    assert!(!space.function(Function::Hypot, &x, Some(&unknown), 0, rounding(Precision::Double)).is_known());
}
