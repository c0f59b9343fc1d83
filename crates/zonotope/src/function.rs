//! Elementary functions: a line and a distance from it (Chebyshev's where the curve bends one way, else by the mean value),
//! with ends that MPFR encloses.

mod curve;
mod named;

use crate::form::Form;
use crate::interval::Interval;
use crate::part::Part;
use crate::rounding::mul_up;
use crate::space::{Origin, Space};
pub use curve::Curve;
pub use named::enclosure;

/// All values of a curve over a part, in the part's own symbols.
pub(crate) fn linearized(space: &mut Space, curve: Curve, x: &Part, origin: Origin) -> Part {
    let range = curve.enclosure(x.range);
    if range.is_point() {
        return Part::constant(range.lo);
    }
    if !x.form.is_finite() || !range.is_finite() || x.form.is_constant() {
        return Part::new(space, enclosing(range), range);
    }
    let Some((slope, offset)) = line(curve, x.range) else {
        return Part::fresh(space, range, origin);
    };
    let form = x.form.scaled(slope).shifted(offset.mid());
    let radius = offset.rad();
    let form = if radius == 0.0 { form } else { form.with_term(space.symbol(origin), radius) };
    Part::new(space, form, range)
}

/// A form of no symbols.
fn enclosing(range: Interval) -> Form {
    if range.is_finite() {
        Form { center: range.mid(), terms: Vec::new(), slack: range.rad() }
    } else {
        Part::ENTIRE.form
    }
}

/// A slope, and what the curve differs from that multiple of x by.
fn line(curve: Curve, x: Interval) -> Option<(f64, Interval)> {
    let chebyshev = curve.bends(x).and_then(|bend| chord(curve, x, bend));
    chebyshev.or_else(|| mean_value(curve, x)).filter(|(slope, offset)| slope.is_finite() && offset.is_finite())
}

/// f(x) - slope x, for a curve that bends one way: `bend` 1 upwards, -1 downwards.
fn chord(curve: Curve, x: Interval, bend: f64) -> Option<(f64, Interval)> {
    let (at_lo, at_hi) = (curve.enclosure(Interval::point(x.lo)), curve.enclosure(Interval::point(x.hi)));
    let slope = (at_hi.mid() - at_lo.mid()) / (x.hi - x.lo);
    if !slope.is_finite() {
        return None;
    }
    let less = |y: Interval, at: f64| y - Interval::point(at) * slope;
    let ends = less(at_lo, x.lo).hull(less(at_hi, x.hi));
    // On the other side: at the point where the curve has that slope, or anywhere near, less what its slope there differs.
    let touch = curve.touch(x, slope);
    let at = Interval::point(touch);
    // At 0 a magnitude has all slopes from -1 to 1.
    let tilt = match curve {
        Curve::Abs if x.contains(0.0) && slope.abs() <= 1.0 => Interval::ZERO,
        _ => curve.slope(at) - Interval::point(slope),
    };
    if !tilt.is_finite() {
        return None;
    }
    let middle = less(curve.enclosure(at), touch);
    let correction = mul_up(tilt.mag(), x.width());
    let offset = if bend > 0.0 {
        Interval::new((middle - Interval::point(correction)).lo, ends.hi)
    } else {
        Interval::new(ends.lo, (middle + Interval::point(correction)).hi)
    };
    Some((slope, offset))
}

/// f(x) = f(m) + s (x - m) with a slope s of the range.
fn mean_value(curve: Curve, x: Interval) -> Option<(f64, Interval)> {
    let slopes = curve.slope(x);
    if !slopes.is_finite() {
        return None;
    }
    let (slope, m) = (slopes.mid(), x.mid());
    let rest = mul_up(slopes.rad(), x.rad());
    let center = curve.enclosure(Interval::point(m)) - Interval::point(m) * slope;
    Some((slope, center + Interval { lo: -rest, hi: rest }))
}

impl Space {
    /// What a curve makes of an error: its slopes between the float and the real, times the error.
    pub(crate) fn curve_error(&mut self, curve: Curve, x: &crate::Value, origin: Origin) -> Part {
        if x.error.is_zero() {
            return Part::zero();
        }
        let slopes = curve.slope(x.real.range.hull(x.float));
        let difference = curve.enclosure(x.float) - curve.enclosure(x.real.range);
        if !slopes.is_finite() {
            return Part::fresh(self, difference, origin);
        }
        let slope = slopes.mid();
        let rest = mul_up(slopes.rad(), x.error.range.mag());
        let form = x.error.form.scaled(slope).with_term(self.symbol(origin), rest);
        Part::new(self, form, (slopes * x.error.range).meet(difference))
    }
}
