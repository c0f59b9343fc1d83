//! Complex functions, from the real ones of MPFR: by formulas that lose no more than half of the bits they are
//! evaluated with, which are more than twice those that are asked for.
//!
//! Cuts are C's (annex G), with the sign of a zero picking the side. Sources: Kahan's "Much Ado about Nothing's
//! Sign Bit" for the inverse functions.

use crate::Complex;
use rug::ops::CompleteRound;
use rug::{Assign, Float};

/// Which half of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    Real,
    Imaginary,
}

/// The exponents of finite operands that are evaluated: no program's format goes further.
const LARGEST_EXPONENT: i32 = 20_000;

/// A part of `f(parts)`, to `bits` bits. `None`: not to be had, or not finite.
pub(crate) fn half_of(f: Complex, half: Half, parts: &[&Float], bits: u32) -> Option<Float> {
    let usable = |x: &&Float| x.is_finite() && x.get_exp().is_none_or(|e| e.abs() <= LARGEST_EXPONENT);
    if parts.len() != f.arity() || !parts.iter().all(usable) {
        return None;
    }
    let working = 2 * bits + 64;
    let number =
        |n: usize| Number { re: Float::with_val(working, parts[n]), im: Float::with_val(working, parts[n + 1]) };
    let z = number(0);
    let value = if f.arity() == 4 { of_two(f, z, number(2))? } else { of_one(f, z)? };
    let part = match half {
        Half::Real => value.re,
        Half::Imaginary => value.im,
    };
    part.is_finite().then_some(part)
}

#[derive(Clone, Debug)]
struct Number {
    re: Float,
    im: Float,
}

fn of_one(f: Complex, z: Number) -> Option<Number> {
    Some(match f {
        Complex::Exp => z.exp(),
        Complex::Log => z.log()?,
        Complex::Sqrt => z.sqrt(),
        Complex::Sin => z.sin(),
        Complex::Cos => z.turned().cosh(),
        Complex::Tan => z.turned().tanh().turned_back(),
        Complex::Sinh => z.turned_back().sin().turned(),
        Complex::Cosh => z.cosh(),
        Complex::Tanh => z.tanh(),
        Complex::Asin => z.asin(),
        Complex::Acos => z.acos(),
        Complex::Atan => z.turned().atanh().turned_back(),
        Complex::Asinh => z.turned().asin().turned_back(),
        Complex::Acosh => z.acosh(),
        Complex::Atanh => z.atanh(),
        Complex::Pow | Complex::Div => return None,
    })
}

fn of_two(f: Complex, z: Number, w: Number) -> Option<Number> {
    use Complex::*;
    match f {
        Pow => Some(z.log()?.times(&w).exp()),
        Div if w.is_zero() => None,
        Exp | Log | Sqrt | Sin | Cos | Tan | Sinh | Cosh | Tanh | Asin | Acos | Atan | Asinh | Acosh | Atanh => None,
        Div => {
            let norm = w.norm();
            let product = z.times(&Number { re: w.re, im: -w.im });
            Some(Number { re: product.re / &norm, im: product.im / norm })
        }
    }
}

impl Number {
    fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    fn bits(&self) -> u32 {
        self.re.prec()
    }

    /// i z.
    fn turned(self) -> Number {
        Number { re: -self.im, im: self.re }
    }

    /// z / i.
    fn turned_back(self) -> Number {
        Number { re: self.im, im: -self.re }
    }

    fn times(&self, w: &Number) -> Number {
        let bits = self.bits();
        let re = self.re.mul_sub_mul_ref(&w.re, &self.im, &w.im).complete(bits);
        let im = self.re.mul_add_mul_ref(&w.im, &self.im, &w.re).complete(bits);
        Number { re, im }
    }

    fn norm(&self) -> Float {
        self.re.mul_add_mul_ref(&self.re, &self.im, &self.im).complete(self.bits())
    }

    fn exp(self) -> Number {
        let size = self.re.exp();
        let (sin, cos) = self.im.sin_cos(Float::new(size.prec()));
        Number { re: cos * &size, im: sin * size }
    }

    /// `None` for 0.
    fn log(self) -> Option<Number> {
        if self.is_zero() {
            return None;
        }
        let bits = self.bits();
        let size = self.re.hypot_ref(&self.im).complete(bits);
        let mut re = size;
        if re > 0.5 && re < 2 {
            // Near 1 the logarithm hangs on the distance from it: (x - 1)(x + 1) + y^2.
            let (below, above) = ((&self.re - 1u32).complete(bits), (&self.re + 1u32).complete(bits));
            re.assign(below.mul_add_mul_ref(&above, &self.im, &self.im));
            re.ln_1p_mut();
            re /= 2;
        } else {
            re.ln_mut();
        }
        Some(Number { re, im: self.im.atan2(&self.re) })
    }

    fn sqrt(self) -> Number {
        if self.is_zero() {
            return Number { re: Float::new(self.bits()), im: self.im };
        }
        let size = self.re.hypot_ref(&self.im).complete(self.bits());
        let large: Float = (size + self.re.clone().abs()) / 2;
        let large = large.sqrt();
        let small = self.im.clone().abs() / (&large * 2u32).complete(self.bits());
        let is_left = self.re.is_sign_negative() && !self.re.is_zero();
        let (re, im) = if is_left { (small, large) } else { (large, small) };
        Number { re, im: if self.im.is_sign_negative() { -im } else { im } }
    }

    fn sin(self) -> Number {
        let bits = self.bits();
        let (sin, cos) = self.re.sin_cos(Float::new(bits));
        let (sinh, cosh) = self.im.sinh_cosh(Float::new(bits));
        Number { re: sin * cosh, im: cos * sinh }
    }

    fn cosh(self) -> Number {
        let bits = self.bits();
        let (sinh, cosh) = self.re.sinh_cosh(Float::new(bits));
        let (sin, cos) = self.im.sin_cos(Float::new(bits));
        Number { re: cosh * cos, im: sinh * sin }
    }

    /// (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y): a sum that does not cancel.
    fn tanh(self) -> Number {
        let bits = self.bits();
        let (sinh, cosh) = self.re.sinh_cosh(Float::new(bits));
        let (sin, cos) = self.im.sin_cos(Float::new(bits));
        let below = sinh.mul_add_mul_ref(&sinh, &cos, &cos).complete(bits);
        Number { re: sinh * cosh / &below, im: sin * cos / below }
    }

    /// sqrt(1 - z) and sqrt(1 + z).
    fn roots(&self) -> (Number, Number) {
        let bits = self.bits();
        let below = Number { re: (1u32 - &self.re).complete(bits), im: (-&self.im).complete(bits) };
        let above = Number { re: (1u32 + &self.re).complete(bits), im: self.im.clone() };
        (below.sqrt(), above.sqrt())
    }

    fn asin(self) -> Number {
        let (a, b) = self.roots();
        let im = a.re.mul_sub_mul_ref(&b.im, &a.im, &b.re).complete(self.bits()).asinh();
        Number { re: self.re.atan2(&a.times(&b).re), im }
    }

    fn acos(self) -> Number {
        let (a, b) = self.roots();
        let im = b.re.mul_sub_mul_ref(&a.im, &b.im, &a.re).complete(self.bits()).asinh();
        Number { re: a.re.atan2(&b.re) * 2, im }
    }

    fn acosh(self) -> Number {
        let bits = self.bits();
        let a = Number { re: (&self.re - 1u32).complete(bits), im: self.im.clone() }.sqrt();
        let b = Number { re: (&self.re + 1u32).complete(bits), im: self.im }.sqrt();
        let re = a.re.mul_add_mul_ref(&b.re, &a.im, &b.im).complete(bits).asinh();
        Number { re, im: a.im.atan2(&b.re) * 2 }
    }

    fn atanh(self) -> Number {
        let bits = self.bits();
        let from_one = (1u32 - &self.re).complete(bits);
        let norm = from_one.mul_add_mul_ref(&from_one, &self.im, &self.im).complete(bits);
        let re = ((&self.re * 4u32).complete(bits) / norm).ln_1p() / 4;
        let above = (1u32 + &self.re).complete(bits);
        let below = from_one.mul_sub_mul_ref(&above, &self.im, &self.im).complete(bits);
        Number { re, im: (self.im * 2u32).atan2(&below) / 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 200;
    const POINTS: &[(f64, f64)] = &[
        (0.3, 0.4),
        (-0.3, 1.25),
        (1.0, 1e-20),
        (-2.5, -0.125),
        (1e-12, -1e-9),
        (0.6, -0.8),
        (3.0, 2.0),
        (1e3, -1e-3),
    ];

    fn apply(f: Complex, parts: &[&Float]) -> Number {
        let half = |h| half_of(f, h, parts, BITS).unwrap();
        Number { re: half(Half::Real), im: half(Half::Imaginary) }
    }

    fn near(what: &str, got: &Number, re: &Float, im: &Float) {
        let size = re.clone().hypot(im);
        let off = (got.re.clone() - re).hypot(&(got.im.clone() - im)) / size;
        assert!(off < 1e-58, "{what}: {got:?} for {re} {im}, off by {off}");
    }

    #[test]
    fn functions_undo_their_inverses() {
        use Complex::*;
        for &(x, y) in POINTS {
            let (x, y) = (Float::with_val(600, x), Float::with_val(600, y));
            for (f, inverse) in
                [(Exp, Log), (Sin, Asin), (Cos, Acos), (Tan, Atan), (Sinh, Asinh), (Cosh, Acosh), (Tanh, Atanh)]
            {
                let z = apply(inverse, &[&x, &y]);
                near(f.name(), &apply(f, &[&z.re, &z.im]), &x, &y);
            }
            let z = apply(Sqrt, &[&x, &y]);
            near("square", &z.times(&z), &x, &y);
            let (c, d) = (Float::with_val(600, 0.7), Float::with_val(600, -1.5));
            let quotient = apply(Div, &[&x, &y, &c, &d]);
            near("quotient", &quotient.times(&Number { re: c, im: d }), &x, &y);
            let (two, zero) = (Float::with_val(600, 2), Float::new(600));
            let square = Number { re: x.clone(), im: y.clone() };
            let square = square.times(&square);
            near("power", &apply(Pow, &[&x, &y, &two, &zero]), &square.re, &square.im);
        }
    }

    #[test]
    fn real_and_imaginary_axes_are_those_of_the_real_functions() {
        let (x, zero) = (Float::with_val(600, 0.3), Float::new(600));
        let on_axis = |f| apply(f, &[&x, &zero]);
        near("exp", &on_axis(Complex::Exp), &x.clone().exp(), &zero);
        near("asin", &on_axis(Complex::Asin), &x.clone().asin(), &zero);
        near("atanh", &on_axis(Complex::Atanh), &x.clone().atanh(), &zero);
        near("tanh", &on_axis(Complex::Tanh), &x.clone().tanh(), &zero);
        near("acos", &on_axis(Complex::Acos), &x.clone().acos(), &zero);
    }

    #[test]
    fn the_sign_of_zero_picks_the_side_of_a_cut() {
        let (x, zero) = (Float::with_val(600, -4), Float::new(600));
        let below = -zero.clone();
        assert_eq!(apply(Complex::Sqrt, &[&x, &zero]).im, 2);
        assert_eq!(apply(Complex::Sqrt, &[&x, &below]).im, -2);
        assert!(apply(Complex::Log, &[&x, &below]).im < -3);
        assert!(apply(Complex::Asin, &[&x, &below]).im < 0);
        assert!(apply(Complex::Acos, &[&x, &below]).im > 0);
    }

    #[test]
    fn poles_and_strange_operands_have_no_value() {
        let (zero, huge) = (Float::new(600), Float::with_val(600, 1) << 30_000);
        let one = Float::with_val(600, 1);
        assert!(half_of(Complex::Log, Half::Real, &[&zero, &zero], BITS).is_none());
        assert!(half_of(Complex::Div, Half::Real, &[&one, &zero, &zero, &zero], BITS).is_none());
        assert!(half_of(Complex::Exp, Half::Real, &[&huge, &zero], BITS).is_none());
        assert!(half_of(Complex::Exp, Half::Real, &[&one], BITS).is_none());
        assert!(half_of(Complex::Atanh, Half::Real, &[&one, &zero], BITS).is_none());
    }
}
