//! Functions as the program's library has them: this process has the same.

use nonius_abi::Precision;
use nonius_abi::libm::Function;

/// NaN for what is not known here.
pub fn by_library(f: Function, n: i64, [x, y]: [f64; 2], format: Precision) -> f64 {
    match format {
        Precision::Float => in_float(f, n, [x, y].map(|x| x as f32)).into(),
        _ => in_double(f, n, [x, y]),
    }
}

macro_rules! of_format {
    ($name:ident $float:ident) => {
        fn $name(f: Function, n: i64, [x, y]: [$float; 2]) -> $float {
            use Function::*;
            match f {
                Floor => x.floor(),
                Ceil => x.ceil(),
                Trunc => x.trunc(),
                Round => x.round(),
                Rint | Roundeven => x.round_ties_even(),
                Ldexp if n.unsigned_abs() <= 100 => x * (2 as $float).powi(n as i32),
                Fmod => x % y,
                Sqrt => x.sqrt(),
                Sin => x.sin(),
                Cos => x.cos(),
                Tan => x.tan(),
                Asin => x.asin(),
                Acos => x.acos(),
                Atan => x.atan(),
                Atan2 => x.atan2(y),
                Sinh => x.sinh(),
                Cosh => x.cosh(),
                Tanh => x.tanh(),
                Exp => x.exp(),
                Exp2 => x.exp2(),
                Expm1 => x.exp_m1(),
                Log => x.ln(),
                Log2 => x.log2(),
                Log10 => x.log10(),
                Log1p => x.ln_1p(),
                Cbrt => x.cbrt(),
                Pow => x.powf(y),
                Hypot => x.hypot(y),
                Fdim => (x - y).max(0.0),
                _ => $float::NAN,
            }
        }
    };
}
of_format!(in_double f64);
of_format!(in_float f32);
