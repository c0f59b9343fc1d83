//! The mathematical functions of which oracles have better evaluations, by the names of their evaluators.

macro_rules! functions {
    ($($variant:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function { $($variant,)* }

        impl Function {
            pub const ALL: &'static [Function] = &[$(Function::$variant),*];

            pub const fn name(self) -> &'static str {
                match self { $(Function::$variant => $name,)* }
            }
        }
    };
}

functions! {
    Sqrt = "sqrt", Sin = "sin", Cos = "cos", Tan = "tan", Asin = "asin", Acos = "acos", Atan = "atan",
    Sinh = "sinh", Cosh = "cosh", Tanh = "tanh", Asinh = "asinh", Acosh = "acosh", Atanh = "atanh",
    Exp = "exp", Exp2 = "exp2", Exp10 = "exp10", Expm1 = "expm1",
    Log = "log", Log2 = "log2", Log10 = "log10", Log1p = "log1p", Logb = "logb", Cbrt = "cbrt",
    Erf = "erf", Erfc = "erfc", Tgamma = "tgamma", Lgamma = "lgamma",
    J0 = "j0", J1 = "j1", Y0 = "y0", Y1 = "y1", Jn = "jn", Yn = "yn",
    Floor = "floor", Ceil = "ceil", Trunc = "trunc", Round = "round", Rint = "rint", Roundeven = "roundeven",
    Pow = "pow", Atan2 = "atan2", Hypot = "hypot",
    Fmod = "fmod", Remainder = "remainder", Fdim = "fdim", Nextafter = "nextafter",
    Ldexp = "ldexp", Frexp = "frexp", Modf = "modf",
}

impl Function {
    /// The function behind an evaluator's name.
    pub fn by_name(name: &str) -> Option<Function> {
        Function::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// How many floats it takes; integers come beside them.
    pub const fn arity(self) -> usize {
        use Function::*;
        match self {
            Pow | Atan2 | Hypot | Fmod | Remainder | Fdim | Nextafter => 2,
            _ => 1,
        }
    }

    /// The integer that a step function makes of an ideal that was rounded to the working precision.
    pub(crate) fn step(self, x: f64) -> Option<f64> {
        Some(match self {
            Function::Floor => x.floor(),
            Function::Ceil => x.ceil(),
            Function::Trunc => x.trunc(),
            Function::Round => x.round(),
            Function::Rint | Function::Roundeven => x.round_ties_even(),
            Function::Logb if x == 0.0 => f64::NEG_INFINITY,
            Function::Logb if !x.is_finite() => x * x,
            Function::Logb => f64::from(nonius_numerics::error::exponent(x)),
            _ => return None,
        })
    }
}
