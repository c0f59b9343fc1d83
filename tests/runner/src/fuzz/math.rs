//! The operations of programs, as the machine does them and as MPFR does.

use super::program::{Binary, Format, Unary};
use rug::Float;
use rug::ops::Pow;

/// The operation as compiled C does it, on values of the format.
pub fn native_unary(op: Unary, format: Format, x: f64) -> f64 {
    match format {
        Format::Double | Format::Other(_) => double_unary(op, x),
        Format::Float => f64::from(float_unary(op, x as f32)),
    }
}

macro_rules! native {
    ($name:ident, $ty:ty, $bits:literal) => {
        fn $name(op: Unary, x: $ty) -> $ty {
            match op {
                Unary::Negate => -x,
                Unary::Absolute => x.abs(),
                Unary::Sqrt => x.sqrt(),
                Unary::Sin => x.sin(),
                Unary::Cos => x.cos(),
                Unary::Tan => x.tan(),
                Unary::Asin => x.asin(),
                Unary::Acos => x.acos(),
                Unary::Atan => x.atan(),
                Unary::Sinh => x.sinh(),
                Unary::Cosh => x.cosh(),
                Unary::Tanh => x.tanh(),
                Unary::Exp => x.exp(),
                Unary::Exp2 => x.exp2(),
                Unary::Expm1 => x.exp_m1(),
                Unary::Log => x.ln(),
                Unary::Log2 => x.log2(),
                Unary::Log10 => x.log10(),
                Unary::Log1p => x.ln_1p(),
                // Rust computes these otherwise than C, or not at all: good to an ulp or so.
                _ => unary(op, &Float::with_val($bits + 20, x)).to_f64() as $ty,
            }
        }
    };
}
native!(double_unary, f64, 53);
native!(float_unary, f32, 24);

/// Whether [`native_unary`] gives the C library's result bit for bit.
pub fn is_bit_exact(op: Unary) -> bool {
    !matches!(
        op,
        Unary::Cbrt
            | Unary::Asinh
            | Unary::Acosh
            | Unary::Atanh
            | Unary::Erf
            | Unary::Erfc
            | Unary::Gamma
            | Unary::LogGamma
            | Unary::J0
            | Unary::J1
            | Unary::Y0
            | Unary::Y1
    )
}

pub fn native_binary(op: Binary, format: Format, x: f64, y: f64) -> f64 {
    match format {
        Format::Double | Format::Other(_) => match op {
            Binary::Add => x + y,
            Binary::Subtract => x - y,
            Binary::Multiply => x * y,
            Binary::Divide => x / y,
            Binary::Power => x.powf(y),
            Binary::Atan2 => x.atan2(y),
            Binary::Hypot => x.hypot(y),
        },
        Format::Float => {
            let (x, y) = (x as f32, y as f32);
            f64::from(match op {
                Binary::Add => x + y,
                Binary::Subtract => x - y,
                Binary::Multiply => x * y,
                Binary::Divide => x / y,
                Binary::Power => x.powf(y),
                Binary::Atan2 => x.atan2(y),
                Binary::Hypot => x.hypot(y),
            })
        }
    }
}

/// Results so large that MPFR would take its time, and that no program of doubles can hold.
fn is_hopeless(op: Unary, x: &Float) -> bool {
    const EXPONENTIALS: &[Unary] = &[Unary::Exp, Unary::Exp2, Unary::Expm1, Unary::Sinh, Unary::Cosh, Unary::Erfc];
    let exponent = x.get_exp().unwrap_or(0);
    (EXPONENTIALS.contains(&op) && exponent > 12)
        || (matches!(op, Unary::Gamma | Unary::LogGamma) && exponent > 10)
        || (matches!(op, Unary::J0 | Unary::J1 | Unary::Y0 | Unary::Y1) && exponent > 16)
        || exponent > 1100
}

/// The operation on ideals, to their precision.
pub fn unary(op: Unary, x: &Float) -> Float {
    let x = x.clone();
    if is_hopeless(op, &x) {
        return Float::with_val(x.prec(), rug::float::Special::Nan);
    }
    match op {
        Unary::Negate => -x,
        Unary::Absolute => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Asinh => x.asinh(),
        Unary::Acosh => x.acosh(),
        Unary::Atanh => x.atanh(),
        Unary::Exp => x.exp(),
        Unary::Exp2 => x.exp2(),
        Unary::Expm1 => x.exp_m1(),
        Unary::Log => x.ln(),
        Unary::Log2 => x.log2(),
        Unary::Log10 => x.log10(),
        Unary::Log1p => x.ln_1p(),
        Unary::Cbrt => x.cbrt(),
        Unary::Erf => x.erf(),
        Unary::Erfc => x.erfc(),
        Unary::Gamma => x.gamma(),
        Unary::LogGamma => x.ln_abs_gamma().0,
        Unary::J0 => x.j0(),
        Unary::J1 => x.j1(),
        Unary::Y0 => x.y0(),
        Unary::Y1 => x.y1(),
    }
}

pub fn binary(op: Binary, x: &Float, y: &Float) -> Float {
    let precision = x.prec();
    match op {
        Binary::Add => Float::with_val(precision, x + y),
        Binary::Subtract => Float::with_val(precision, x - y),
        Binary::Multiply => Float::with_val(precision, x * y),
        Binary::Divide => Float::with_val(precision, x / y),
        Binary::Power => {
            let size = y.get_exp().unwrap_or(0) + x.get_exp().unwrap_or(0).abs().max(1).ilog2() as i32;
            if size > 12 { Float::with_val(precision, rug::float::Special::Nan) } else { x.clone().pow(y) }
        }
        // At the cut behind the negative axis an ideal of 0 has no sign to tell the sides apart.
        Binary::Atan2 if x.is_zero() => Float::with_val(precision, rug::float::Special::Nan),
        Binary::Atan2 => x.clone().atan2(y),
        Binary::Hypot => x.clone().hypot(y),
    }
}
