//! How far a shadow may be off: the oracle's own roundings, followed through the run.
//!
//! A number has a magnitude and a noise, both as logarithms in [`UNIT`]s of a bit: whole bits would be rounded at every
//! product, which adds up to more than the error in a long run. Each operation passes the largest of its terms on: the operands' noises, weighted by the partial derivatives, and its own rounding. Terms are not added up:
//! a bound that adds them grows exponentially in every stencil and every damped iteration, whose errors do not. What
//! is left out is within [`HEADROOM`](crate::estimate::HEADROOM). Significance arithmetic, in short; the source of the
//! weights is the first-order error analysis of any textbook (Higham, section 3).

use crate::estimate::HEADROOM;
use crate::{Binary, Function};

/// Logarithms come in parts of a bit: so many to one.
pub const UNIT: i32 = 4096;
/// There is no noise: the shadow is the ideal.
pub const EXACT: i32 = -(1 << 30);
/// Nothing is known of the ideal.
pub const UNBOUNDED: i32 = 1 << 30;
/// The same, and more bits will not help: it is made of a quotient by what is 0 as far as these bits go.
pub const UNDEFINED: i32 = UNBOUNDED + 1;
/// A divisor that may be 0, and is known as well as this, is taken for 0; no double is as small. With a larger noise it has
/// lost its bits, and more of them may tell.
const ZERO: i32 = -1100 * UNIT;
/// Exponents beyond this are as good as this.
const LARGEST: i32 = 1 << 17;

/// The logarithms of 1 to 2, in steps of 2^-10.
const LOGARITHMS: [u16; 1025] = {
    let mut table = [0; 1025];
    let mut step = 0;
    while step < 1024 {
        // The bits of a logarithm, one by one: squared, the number is past 2 or not.
        let mut x: u128 = (1 << 32) + ((step as u128) << 22);
        let mut bit = UNIT as u16 / 2;
        while bit > 0 {
            x = (x * x) >> 32;
            if x >= 2 << 32 {
                table[step] += bit;
                x >>= 1;
            }
            bit /= 2;
        }
        step += 1;
    }
    table[1024] = UNIT as u16;
    table
};

/// The logarithm of `0.top... * 2^exponent`, of which `top` are the leading bits, the first one set.
#[inline(always)]
pub fn logarithm(exponent: i32, top: u64) -> i32 {
    let (step, rest) = ((top >> 53 & 0x3ff) as usize, (top >> 41 & 0xfff) as i32);
    let (low, high) = (i32::from(LOGARITHMS[step]), i32::from(LOGARITHMS[step + 1]));
    (exponent - 1).clamp(-LARGEST, LARGEST) * UNIT + low + (((high - low) * rest) >> 12)
}

/// A number as noise sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The logarithm of |x|; [`EXACT`] of 0.
    pub magnitude: i32,
    pub noise: i32,
}

impl Size {
    /// |x| and its error are below 2^this.
    #[inline(always)]
    fn reach(self) -> i32 {
        self.magnitude.max(self.noise)
    }

    /// The number might be 0, or of the other sign.
    #[inline(always)]
    pub fn may_be_zero(self) -> bool {
        self.noise != EXACT && self.noise + HEADROOM * UNIT >= self.magnitude
    }
}

/// A noise times 2^by.
#[inline(always)]
fn scaled(noise: i32, by: i32) -> i32 {
    if noise == EXACT || by < EXACT / 2 {
        return EXACT;
    }
    if noise == UNDEFINED {
        return UNDEFINED;
    }
    noise.saturating_add(by).clamp(EXACT + 1, UNBOUNDED)
}

/// Of a sum or difference.
#[inline(always)]
pub fn of_sum(x: Size, y: Size, introduced: i32) -> i32 {
    x.noise.max(y.noise).max(introduced)
}

#[inline(always)]
pub fn of_product(x: Size, y: Size, introduced: i32) -> i32 {
    if x.noise.max(y.noise) == EXACT {
        return introduced;
    }
    introduced.max(scaled(x.noise, y.reach())).max(scaled(y.noise, x.reach()))
}

/// What comes of a number that may be 0 where there is a pole.
#[cold]
fn beyond_zero(x: Size) -> i32 {
    if x.noise < ZERO || x.noise == UNDEFINED { UNDEFINED } else { UNBOUNDED }
}

#[inline(always)]
pub fn of_quotient(x: Size, y: Size, magnitude: i32, introduced: i32) -> i32 {
    if x.noise.max(y.noise) == EXACT {
        return introduced;
    }
    if y.may_be_zero() {
        return x.noise.max(beyond_zero(y));
    }
    let from_x = scaled(x.noise, -y.magnitude);
    introduced.max(from_x).max(scaled(y.noise, magnitude.max(from_x) - y.magnitude))
}

#[inline(always)]
pub fn of_binary(op: Binary, x: Size, y: Size, magnitude: i32, introduced: i32) -> i32 {
    match op {
        Binary::Add | Binary::Sub => of_sum(x, y, introduced),
        Binary::Mul => of_product(x, y, introduced),
        Binary::Div => of_quotient(x, y, magnitude, introduced),
    }
}

pub fn of_fma(x: Size, y: Size, c: Size, introduced: i32) -> i32 {
    of_product(x, y, EXACT).max(c.noise).max(introduced)
}

pub fn of_sqrt(x: Size, magnitude: i32, introduced: i32) -> i32 {
    match x.noise {
        EXACT => introduced,
        UNDEFINED => UNDEFINED,
        _ if x.may_be_zero() => introduced.max(x.reach() / 2),
        // Half of it, beside the root.
        noise => introduced.max(scaled(noise, -magnitude - UNIT)),
    }
}

/// Whether a function changes so much within the radius of its argument that a slope says nothing: exponentials grow
/// beyond it, and poles come within reach.
pub(crate) fn leaps(f: Function, [x, z]: [f64; 2], radius: f64) -> bool {
    use Function::*;
    let change = match f {
        Exp | Exp2 | Exp10 | Expm1 | Sinh | Cosh | Tgamma => radius,
        Tan => radius * (1.0 + z.abs()),
        Log | Log2 | Log10 | Lgamma | Y0 | Y1 | Yn => radius / x.abs(),
        Log1p => radius / (1.0 + x).abs(),
        Atanh => radius / (1.0 - x.abs()).abs(),
        _ => return false,
    };
    // A NaN, of infinities, is no answer.
    radius > 0.0 && !matches!(change.partial_cmp(&0.25), Some(std::cmp::Ordering::Less))
}

/// The same of a power.
pub(crate) fn power_leaps([x, y]: [f64; 2], [radius_x, radius_y]: [f64; 2]) -> bool {
    let by_base = if radius_x == 0.0 { 0.0 } else { radius_x * (1.0 + y.abs()) / x.abs() };
    let by_exponent = if radius_y == 0.0 { 0.0 } else { radius_y * x.abs().ln().abs() };
    !matches!((by_base + by_exponent).partial_cmp(&0.25), Some(std::cmp::Ordering::Less))
}

/// Of `z = f(x)`, with the values as doubles: an exponent is all that counts of a derivative.
pub fn of_function(f: Function, x: Size, [value, z]: [f64; 2], introduced: i32) -> i32 {
    if x.noise == EXACT {
        return introduced;
    }
    let has_pole_at_0 = matches!(
        f,
        Function::Log
            | Function::Log2
            | Function::Log10
            | Function::Y0
            | Function::Y1
            | Function::Yn
            | Function::Lgamma
    );
    if has_pole_at_0 && x.may_be_zero() || x.noise == UNDEFINED {
        return beyond_zero(x);
    }
    if leaps(f, [value, z], radius(x.noise)) {
        return UNBOUNDED;
    }
    if matches!(f, Function::Cbrt | Function::Sqrt) && x.may_be_zero() {
        return introduced.max(x.reach() / if f == Function::Sqrt { 2 } else { 3 });
    }
    introduced.max(scaled(x.noise, logarithm_of(derivative(f, value, z))))
}

/// Of `z = f(x, y)`.
pub fn of_function_of_two(f: Function, [x, y]: [Size; 2], values: [f64; 3], introduced: i32) -> i32 {
    if x.noise.max(y.noise) == EXACT {
        return introduced;
    }
    if x.noise.max(y.noise) == UNDEFINED {
        return UNDEFINED;
    }
    let [a, b, _] = values;
    if f == Function::Pow && (x.may_be_zero() || power_leaps([a, b], [x, y].map(|x| radius(x.noise)))) {
        return UNBOUNDED;
    }
    let [by_x, by_y] = derivatives(f, values);
    introduced.max(scaled(x.noise, logarithm_of(by_x))).max(scaled(y.noise, logarithm_of(by_y)))
}

/// Of a part of a complex function: as if it changed no faster than its result is large beside its arguments.
pub fn of_complex(parts: impl Iterator<Item = Size> + Clone, magnitude: i32, introduced: i32) -> i32 {
    let largest = parts.clone().map(|x| x.magnitude).max().unwrap_or(0);
    let noise = parts.map(|x| x.noise).max().unwrap_or(EXACT);
    introduced.max(scaled(noise, magnitude.saturating_sub(largest).max(0) + UNIT))
}

/// |f'| at an argument, as far as its magnitude goes; `z` is the function's value.
pub(crate) fn derivative(f: Function, x: f64, z: f64) -> f64 {
    use Function::*;
    match f {
        Tan => z.mul_add(z, 1.0),
        // By the result: beside 1, the argument has lost what counts.
        Asin => 1.0 / z.cos(),
        Acos => 1.0 / z.sin(),
        Acosh => 1.0 / z.sinh(),
        Atanh => z.cosh().powi(2),
        Sinh | Cosh => z.abs() + 1.0,
        Exp | Exp2 => z,
        Exp10 => 4.0 * z,
        Expm1 => z + 1.0,
        Log | Log2 | Log10 => 1.5 / x,
        Log1p => 1.0 / (1.0 + x),
        Cbrt => 1.0 / (3.0 * z * z),
        Sqrt => 0.5 / z,
        // The digamma function is at most about this, away from poles.
        Tgamma => z * (x.abs().ln().abs() + 1.0 / x.abs() + 1.0),
        Lgamma => x.abs().ln().abs() + 1.0 / x.abs() + 1.0,
        Y0 | Y1 => 1.0 + 1.0 / (x * x),
        Yn => 1.0 + z.abs() / x.abs(),
        // Scaled by a power of two: as the value is.
        Ldexp | Frexp if x != 0.0 => z / x,
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb => 0.0,
        Sin | Cos | Atan | Tanh | Asinh | Erf | Erfc | J0 | J1 | Jn | Modf | Ldexp | Frexp | Pow | Atan2 | Hypot
        | Fmod | Remainder | Fdim | Nextafter => 1.0,
    }
}

/// The partial derivatives of `z = f(x, y)`.
pub(crate) fn derivatives(f: Function, [x, y, z]: [f64; 3]) -> [f64; 2] {
    match f {
        Function::Hypot => [x / z, y / z],
        Function::Pow => [z * y / x, z * x.abs().ln()],
        Function::Atan2 => [1.0 / x.hypot(y); 2],
        Function::Fmod | Function::Remainder => [1.0, x / y],
        _ => [1.0; 2],
    }
}

/// The logarithm of |x|.
pub(crate) fn logarithm_of(x: f64) -> i32 {
    match x.abs() {
        0.0 => EXACT,
        x if x < f64::INFINITY => (x.log2() * f64::from(UNIT)).round() as i32,
        _ => UNBOUNDED / 2,
    }
}

/// The radius of an estimate, in doubles.
#[inline(always)]
pub fn radius(noise: i32) -> f64 {
    // Rounded up to whole bits.
    match (noise + UNIT - 1).div_euclid(UNIT) + HEADROOM {
        n @ -1022..=1023 => f64::from_bits(((n + 1023) as u64) << 52),
        _ if noise == EXACT => 0.0,
        1024.. => f64::INFINITY,
        n => f64::from_bits(1 << (n + 1074).max(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In whole bits.
    fn size(magnitude: i32, noise: i32) -> Size {
        let noise = if noise == EXACT { EXACT } else { noise * UNIT };
        Size { magnitude: if magnitude == EXACT { EXACT } else { magnitude * UNIT }, noise }
    }

    #[test]
    fn what_is_exact_stays_so() {
        let (x, y) = (size(3, EXACT), size(-5, EXACT));
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
            assert_eq!(of_binary(op, x, y, 0, EXACT), EXACT, "{op:?}");
            assert_eq!(of_binary(op, x, y, 0, -250 * UNIT), -250 * UNIT, "{op:?}");
        }
        assert_eq!(of_sqrt(x, 2, EXACT), EXACT);
        assert_eq!(radius(EXACT), 0.0);
        // 0 times what is not exact is 0.
        assert_eq!(of_product(size(EXACT, EXACT), size(3, -100), EXACT), EXACT);
    }

    #[test]
    fn noise_is_weighted_by_the_derivatives() {
        let (x, y) = (size(10, -100), size(-20, -150));
        let bits = |noise: i32| f64::from(noise) / f64::from(UNIT);
        let introduced = -300 * UNIT;
        assert_eq!(bits(of_sum(x, y, introduced)), -100.0);
        assert_eq!(bits(of_product(x, y, introduced)), -120.0);
        assert_eq!(bits(of_quotient(x, y, 30 * UNIT, introduced)), -80.0);
        assert_eq!(bits(of_sqrt(size(20, -100), 10 * UNIT, introduced)), -111.0);
        let exp = bits(of_function(Function::Exp, size(4, -100), [10.0, 22026.0], introduced));
        assert!((exp + 100.0 - 22026f64.log2()).abs() < 0.02, "{exp}");
        assert_eq!(bits(of_function(Function::Sin, size(4, -100), [10.0, -0.5], introduced)), -100.0);
    }

    #[test]
    fn logarithms_are_right() {
        for x in [1.0f64, 1.5, 1.999_999, 0.1, 3e-200, 7.25e250] {
            let exponent = nonius_numerics::error::exponent(x) + 1;
            let logarithm = f64::from(logarithm(exponent, (x.to_bits() << 11) | 1 << 63)) / f64::from(UNIT);
            assert!((logarithm - x.log2()).abs() < 4e-4, "{x}: {logarithm}, not {}", x.log2());
        }
    }

    /// A long run of products keeps its relative noise, as it should: it does not grow by what logarithms are rounded.
    #[test]
    fn products_do_not_drift() {
        let factor = 0.987_654_321f64;
        let top = |x: f64| (x.to_bits() << 11) | 1 << 63;
        let size_of = |x: f64, noise| {
            let exponent = nonius_numerics::error::exponent(x) + 1;
            Size { magnitude: logarithm(exponent, top(x)), noise }
        };
        let (mut x, mut noise) = (1.0f64, -100 * UNIT);
        for _ in 0..10_000 {
            noise = of_product(size_of(x, noise), size_of(factor, EXACT), EXACT);
            x *= factor;
        }
        let relative = noise - size_of(x, EXACT).magnitude;
        assert!((relative + 100 * UNIT).abs() < 5 * UNIT, "{}", f64::from(relative) / f64::from(UNIT));
    }

    #[test]
    fn a_divisor_that_may_be_zero_leaves_nothing() {
        let nothing = size(-240, -250);
        assert_eq!(of_quotient(size(1, EXACT), nothing, 241 * UNIT, -20 * UNIT), UNBOUNDED);
        assert_eq!(of_function(Function::Log, nothing, [1e-72, -166.0], -240 * UNIT), UNBOUNDED);
        assert_eq!(radius(UNBOUNDED), f64::INFINITY);
        let zero = Size { magnitude: -8000 * UNIT, noise: -7990 * UNIT };
        let undefined = Size { magnitude: UNIT, noise: UNDEFINED };
        assert_eq!(of_quotient(size(1, EXACT), zero, 8000 * UNIT, EXACT), UNDEFINED);
        assert_eq!(of_quotient(size(1, EXACT), undefined, 0, EXACT), UNDEFINED);
        assert_eq!(of_product(undefined, size(1, -20 * UNIT), EXACT), UNDEFINED);
        assert_eq!(of_sqrt(undefined, 0, EXACT), UNDEFINED);
        assert_eq!(of_function(Function::Exp, undefined, [1.0, 2.7], EXACT), UNDEFINED);
        assert_eq!(radius(UNDEFINED), f64::INFINITY);
    }

    #[test]
    fn radii_are_powers_of_two_with_headroom() {
        assert_eq!(radius(-20 * UNIT), 1.0);
        assert_eq!(radius((-256 - HEADROOM) * UNIT), 2f64.powi(-256));
        assert_eq!(radius((-1074 - HEADROOM) * UNIT), 5e-324);
        assert_eq!(radius(-5000 * UNIT), 5e-324);
        assert_eq!(radius((1023 - HEADROOM) * UNIT), 2f64.powi(1023));
        assert_eq!(radius((1024 - HEADROOM) * UNIT), f64::INFINITY);
    }
}
