//! The functions of the mathematical library, on MPFR's own numbers.

use super::NEAREST;
use crate::Function;
use crate::function::quotient;
use nonius_numerics::exact;
use rug::ops::{AddAssignRound, AssignRound, Pow};
use rug::{Assign, Float};
use std::cmp::Ordering;

/// `f(x)`, and how it was rounded; `None` if `f` is not one that is evaluated here.
pub(crate) fn unary(f: Function, out: &mut Float, x: &Float, n: i64) -> Option<Ordering> {
    use Function::*;
    let small = n.clamp(-100_000, 100_000) as i32;
    Some(match f {
        Sqrt => out.assign_round(x.sqrt_ref(), NEAREST),
        Sin => out.assign_round(x.sin_ref(), NEAREST),
        Cos => out.assign_round(x.cos_ref(), NEAREST),
        Tan => out.assign_round(x.tan_ref(), NEAREST),
        Asin => out.assign_round(x.asin_ref(), NEAREST),
        Acos => out.assign_round(x.acos_ref(), NEAREST),
        Atan => out.assign_round(x.atan_ref(), NEAREST),
        Sinh => out.assign_round(x.sinh_ref(), NEAREST),
        Cosh => out.assign_round(x.cosh_ref(), NEAREST),
        Tanh => out.assign_round(x.tanh_ref(), NEAREST),
        Asinh => out.assign_round(x.asinh_ref(), NEAREST),
        Acosh => out.assign_round(x.acosh_ref(), NEAREST),
        Atanh => out.assign_round(x.atanh_ref(), NEAREST),
        Exp => out.assign_round(x.exp_ref(), NEAREST),
        Exp2 => out.assign_round(x.exp2_ref(), NEAREST),
        Exp10 => out.assign_round(x.exp10_ref(), NEAREST),
        Expm1 => out.assign_round(x.exp_m1_ref(), NEAREST),
        Log => out.assign_round(x.ln_ref(), NEAREST),
        Log2 => out.assign_round(x.log2_ref(), NEAREST),
        Log10 => out.assign_round(x.log10_ref(), NEAREST),
        Log1p => out.assign_round(x.ln_1p_ref(), NEAREST),
        Cbrt => out.assign_round(x.cbrt_ref(), NEAREST),
        Erf => out.assign_round(x.erf_ref(), NEAREST),
        Erfc => out.assign_round(x.erfc_ref(), NEAREST),
        Tgamma => out.assign_round(x.gamma_ref(), NEAREST),
        Lgamma => {
            // The logarithm of the magnitude, as C has it.
            let mut sign = std::cmp::Ordering::Equal;
            (&mut *out, &mut sign).assign_round(x.ln_abs_gamma_ref(), NEAREST)
        }
        J0 => out.assign_round(x.j0_ref(), NEAREST),
        J1 => out.assign_round(x.j1_ref(), NEAREST),
        Y0 => out.assign_round(x.y0_ref(), NEAREST),
        Y1 => out.assign_round(x.y1_ref(), NEAREST),
        Jn => out.assign_round(x.jn_ref(small), NEAREST),
        Yn => out.assign_round(x.yn_ref(small), NEAREST),
        Ldexp => out.assign_round(x << small, NEAREST),
        Frexp => out.assign_round(x >> small, NEAREST),
        // Steps are done elsewhere, and the others have two arguments.
        Floor | Ceil | Trunc | Round | Rint | Roundeven | Logb | Modf => return None,
        Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => return None,
    })
}

/// `f(a, b)`, likewise; `actual` is what the program has of the arguments and the result.
pub(crate) fn binary_function(
    f: Function,
    out: &mut Float,
    [a, b]: [&Float; 2],
    scratch: &mut [Float; 2],
    actual: [f64; 3],
) -> Option<Ordering> {
    use Function::*;
    Some(match f {
        Pow => out.assign_round(a.pow(b), NEAREST),
        Atan2 => out.assign_round(a.atan2_ref(b), NEAREST),
        Hypot => out.assign_round(a.hypot_ref(b), NEAREST),
        Fdim => out.assign_round(a.positive_diff_ref(b), NEAREST),
        Fmod | Remainder => return remainder(f, out, [a, b], scratch, actual),
        // Those of one argument, and what is a step from its argument.
        Nextafter | Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp
        | Exp2 | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Logb | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1
        | Y0 | Y1 | Jn | Yn | Floor | Ceil | Trunc | Round | Rint | Roundeven | Ldexp | Frexp | Modf => return None,
    })
}

/// a - n b, with the integer n that the program got, unless that is off by more than one.
fn remainder(
    f: Function,
    out: &mut Float,
    [a, b]: [&Float; 2],
    [quotient_part, rest]: &mut [Float; 2],
    [x, y, z]: [f64; 3],
) -> Option<Ordering> {
    let by = quotient(f)?;
    if !(z.is_finite() && x.is_finite()) {
        return None;
    }
    // z + (a - x) - n (b - y): n itself may have more bits than there are.
    rest.assign(b - y);
    let mut rounding = out.assign_round(a - x, NEAREST);
    if !rest.is_zero() {
        quotient_part.assign(exact::quotient(x, y, z));
        *rest *= &*quotient_part;
        *out -= &*rest;
        rounding = Ordering::Less;
    }
    rounding = rounding.then(out.add_assign_round(z, NEAREST));
    let turns = exact::turns(by, x, y, out.to_f64());
    if turns.abs() > 1.0 {
        rest.assign(b.abs_ref());
        *rest *= turns;
        *out -= &*rest;
        rounding = Ordering::Less;
    }
    Some(rounding)
}
