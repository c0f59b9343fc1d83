//! What a float of the program can be: as a float, as the real number that it stands for, and how far these are apart.

use crate::form::Form;
use crate::interval::Interval;
use crate::part::Part;
use crate::rounding::{add_down, add_up};
use crate::space::{Origin, Space};
use nonius_abi::Precision;

/// float = real + error, and float = real (1 + relative).
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub float: Interval,
    pub real: Part,
    pub error: Part,
    pub relative: Interval,
    /// What the path knew when this was bounded.
    pub epoch: u32,
}

impl Value {
    /// A float that is what it stands for.
    pub fn exact(x: f64) -> Value {
        Value {
            float: Interval::point(x),
            real: Part::constant(x),
            error: Part::zero(),
            relative: Interval::ZERO,
            epoch: 0,
        }
    }

    /// Nothing is known.
    pub fn unknown() -> Value {
        Value { float: Interval::ENTIRE, real: Part::ENTIRE, error: Part::ENTIRE, relative: Interval::ENTIRE, epoch: 0 }
    }

    pub fn is_known(&self) -> bool {
        self.float.is_finite() && self.real.is_finite() && self.error.is_finite()
    }

    /// Known, and one number only.
    pub fn is_point(&self) -> bool {
        self.float.is_point() && self.error.is_zero()
    }

    /// An input: the real is anywhere in `real`, the float is off by `error`. `None` if no float of the format is.
    pub fn input(
        space: &mut Space,
        real: Interval,
        error: Interval,
        format: Precision,
        [of_value, of_error]: [Origin; 2],
    ) -> Option<Value> {
        let relative = if error == Interval::ZERO { Interval::ZERO } else { Interval::ENTIRE };
        let real = Part::fresh(space, real, of_value);
        let error = Part::fresh(space, error, of_error);
        let float = inward(real.range, error.range, format);
        if float.is_empty() {
            return None;
        }
        let value = Value { float, real, error, relative, epoch: space.epoch };
        Some(value.reduced(format))
    }

    /// By what the path has learned since it was made.
    pub fn refreshed(&self, space: &Space, format: Precision) -> Value {
        if self.epoch == space.epoch || !self.is_known() || self.is_point() {
            return self.clone();
        }
        let (real, error) = (self.real.refreshed(space), self.error.refreshed(space));
        let sum = space.range(&self.real.form.plus(1.0, &self.error.form));
        let float = self.float.meet(inward(sum, Interval::ZERO, format));
        Value { float, real, error, relative: self.relative, epoch: space.epoch }.reduced(format)
    }

    /// The float as a form: what it stands for and its error.
    pub fn float_form(&self) -> Form {
        self.real.form.plus(1.0, &self.error.form)
    }

    /// Each domain by the others.
    pub(crate) fn reduced(mut self, format: Precision) -> Value {
        if !self.is_known() {
            return self;
        }
        let (real, error) = (self.real.range, self.error.range);
        self.float = self.float.meet(inward(real, error, format));
        self.real.range = real.meet(self.float - error);
        self.error.range = error.meet(self.float - self.real.range);
        if !self.real.range.contains(0.0) {
            self.relative = self.relative.meet(self.error.range.over(self.real.range));
        }
        if self.relative.is_finite() {
            self.error.range = self.error.range.meet(self.relative * self.real.range);
        }
        self
    }
}

/// The floats of a sum: no float lies between the sum's end and the next float inside.
pub(crate) fn inward(real: Interval, error: Interval, format: Precision) -> Interval {
    let exact = Interval { lo: add_up(real.lo, error.lo), hi: add_down(real.hi, error.hi) };
    match format {
        Precision::Double => exact,
        Precision::Float => {
            let (lo, hi) = (exact.lo as f32, exact.hi as f32);
            let lo = if f64::from(lo) < exact.lo { lo.next_up() } else { lo };
            let hi = if f64::from(hi) > exact.hi { hi.next_down() } else { hi };
            Interval { lo: lo.into(), hi: hi.into() }
        }
        // The others are left as wide as doubles have them.
        _ => Interval { lo: add_down(real.lo, error.lo), hi: add_up(real.hi, error.hi) },
    }
}

/// A bound of what rounding to the format moves a number by whose magnitude is at most this.
pub(crate) fn half_ulp(magnitude: f64, format: Precision) -> f64 {
    if !magnitude.is_finite() {
        return f64::INFINITY;
    }
    let mut exponent = format.ulp_exponent(magnitude);
    // Up to a power of two the binade below it counts.
    let is_power = magnitude.to_bits() << 12 == 0 && magnitude != 0.0;
    if is_power && exponent > format.ulp_exponent(0.0) {
        exponent -= 1;
    }
    two_to(exponent - 1)
}

/// 2^n, rounded up where a double has no such number.
pub(crate) fn two_to(n: i32) -> f64 {
    match n {
        ..-1074 => f64::from_bits(1),
        -1074..-1022 => f64::from_bits(1 << (n + 1074)),
        -1022..=1023 => f64::from_bits(((n + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}
