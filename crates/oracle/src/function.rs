//! The mathematical functions of which oracles have better evaluations: those of `abi::libm`.

pub use nonius_abi::libm::{Complex, Function};
use nonius_numerics::Precision;
use nonius_numerics::exact::{self, Quotient};

/// What the integer `z` of a step function lacks, given its ideal argument: nothing if that is one step away (see
/// `numerics::exact`). `None` for other functions.
pub(crate) fn step(f: Function, ideal: f64, z: f64, precision: Precision) -> Option<f64> {
    integer(f, precision.rounded(ideal)).map(|ideally| exact::stepped(z, ideally))
}

/// How a remainder's quotient becomes an integer; `None` for other functions.
pub(crate) fn quotient(f: Function) -> Option<Quotient> {
    match f {
        Function::Fmod => Some(Quotient::Truncated),
        Function::Remainder => Some(Quotient::Nearest),
        _ => None,
    }
}

fn integer(f: Function, x: f64) -> Option<f64> {
    use Function::*;
    Some(match f {
        Floor => x.floor(),
        Ceil => x.ceil(),
        Trunc => x.trunc(),
        Round => x.round(),
        Rint | Roundeven => x.round_ties_even(),
        Logb if x == 0.0 => f64::NEG_INFINITY,
        Logb if !x.is_finite() => x * x,
        Logb => f64::from(nonius_numerics::error::exponent(x)),
        Sqrt | Sin | Cos | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Exp | Exp2
        | Exp10 | Expm1 | Log | Log2 | Log10 | Log1p | Cbrt | Erf | Erfc | Tgamma | Lgamma | J0 | J1 | Y0 | Y1
        | Modf | Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter | Ldexp | Frexp | Jn | Yn => return None,
    })
}

/// Whether an infinite result of these arguments is one that overflowed, and no pole.
pub(crate) fn overflows(f: Function, mut args: impl Iterator<Item = f64>) -> bool {
    use Function::*;
    let Some(x) = args.next() else { return false };
    let are_finite = x.is_finite() && args.all(f64::is_finite);
    are_finite
        && match f {
            Exp | Exp2 | Exp10 | Expm1 | Sinh | Cosh | Hypot | Ldexp => true,
            Pow => x != 0.0,
            Tgamma => x > 0.0,
            _ => false,
        }
}
