//! The mathematical functions whose result's shadow comes from a better evaluation of the
//! function, never from shadowing its instructions.
//!
//! For a function `f` of the table the runtime has three evaluators:
//! * `__nonius_r_f(x, e_x, .., z) -> e_z` for double: the residue of `z = f(x, ..)`;
//! * `__nonius_w_f(x, ..) -> f(x, ..)` on ideals kept as doubles (half, bfloat, float);
//! * `__nonius_q_f(x, ..) -> f(x, ..)` on ideals kept as quads (x87).
//!
//! For a complex function there is one: `__nonius_c_f(re, e_re, im, e_im, .., z_re, z_im)` gives
//! the residues of both parts of `z`; those of 0 are the function itself.
//!
//! All keep `errno`.

use crate::site::Op;

/// The arguments of a function; `x` stands for a float of the function's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `f(x)`
    X,
    /// `f(x, x)`
    XX,
    /// `f(x, int)` or `f(x, long)`: the integer is handed on as i64.
    XI,
    /// `f(int, x)`
    IX,
    /// `f(x) -> integer`: a conversion, checked like one.
    ToInteger,
    /// `frexp(x, int*)`: the evaluator takes the exponent that the program got, as i64.
    Frexp,
    /// `modf(x, x*)`: two results, the fraction by `modf`, the whole part by `trunc`.
    Modf,
    /// `sincos(x, x*, x*)`: by `sin` and `cos`.
    Sincos,
    /// `remquo(x, x, int*)`: by `remainder`.
    Remquo,
    /// `lgamma_r(x, int*)`: by `lgamma`.
    LgammaR,
    /// `f(z)` of a complex number.
    Complex,
    /// `f(z, z)`
    ComplexPair,
    /// A real function of the parts of a complex number.
    Modulus,
}

/// A function as programs call it.
#[derive(Clone, Copy, Debug)]
pub struct MathFunction {
    pub name: &'static str,
    pub shape: Shape,
    /// The evaluator's base name; the same as `name` but for synonyms.
    pub evaluator: &'static str,
    pub by: By,
}

/// Who evaluates a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Real(Function),
    Complex(Complex),
    /// Nobody: its result is an integer, and checked like a conversion.
    Nobody,
}

impl By {
    pub const fn real(self) -> Option<Function> {
        match self {
            By::Real(f) => Some(f),
            By::Complex(_) | By::Nobody => None,
        }
    }

    pub const fn complex(self) -> Option<Complex> {
        match self {
            By::Complex(f) => Some(f),
            By::Real(_) | By::Nobody => None,
        }
    }
}

/// Hands every real function that has evaluators to a macro: its variant and its name, by the arguments of its
/// evaluators, where `x` and `y` are floats and `n` is an integer. A new function is a line here, one in the list of what
/// programs call below, and an evaluator wherever the compiler then misses one.
#[macro_export]
macro_rules! for_each_function {
    ($m:ident) => {
        $m! {
            (x): Sqrt = sqrt, Sin = sin, Cos = cos, Tan = tan, Asin = asin, Acos = acos, Atan = atan, Sinh = sinh,
                Cosh = cosh, Tanh = tanh, Asinh = asinh, Acosh = acosh, Atanh = atanh, Exp = exp, Exp2 = exp2,
                Exp10 = exp10, Expm1 = expm1, Log = log, Log2 = log2, Log10 = log10, Log1p = log1p, Logb = logb,
                Cbrt = cbrt, Erf = erf, Erfc = erfc, Tgamma = tgamma, Lgamma = lgamma, J0 = j0, J1 = j1, Y0 = y0,
                Y1 = y1, Floor = floor, Ceil = ceil, Trunc = trunc, Round = round, Rint = rint,
                Roundeven = roundeven, Modf = modf;
            (x, y): Pow = pow, Atan2 = atan2, Hypot = hypot, Fmod = fmod, Remainder = remainder, Fdim = fdim,
                Nextafter = nextafter;
            (x, n): Ldexp = ldexp, Frexp = frexp;
            (n, x): Jn = jn, Yn = yn;
        }
    };
}

/// The same of complex functions: of one number, or of two.
#[macro_export]
macro_rules! for_each_complex_function {
    ($m:ident) => {
        $m! {
            (z): Exp = cexp, Log = clog, Sqrt = csqrt, Sin = csin, Cos = ccos, Tan = ctan, Sinh = csinh, Cosh = ccosh,
                Tanh = ctanh, Asin = casin, Acos = cacos, Atan = catan, Asinh = casinh, Acosh = cacosh,
                Atanh = catanh;
            (z, w): Pow = cpow, Div = cdiv;
        }
    };
}

macro_rules! enumeration {
    ($(#[$doc:meta])* $enum:ident; $($arguments:tt: $($variant:ident = $name:ident),*;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum { $($($variant,)*)* }

        impl $enum {
            pub const ALL: &'static [$enum] = &[$($($enum::$variant),*),*];

            pub const fn name(self) -> &'static str {
                match self { $($($enum::$variant => stringify!($name),)*)* }
            }

            /// How many numbers it takes; integers come beside them.
            pub const fn arity(self) -> usize {
                match self { $($($enum::$variant => enumeration!(@ $arguments),)*)* }
            }

            /// The function of an evaluator's name. There is one: the compiler asks.
            const fn named(name: &str) -> $enum {
                let mut index = 0;
                while index < $enum::ALL.len() {
                    if is_same($enum::ALL[index].name(), name) {
                        return $enum::ALL[index];
                    }
                    index += 1;
                }
                panic!("a function without evaluator")
            }
        }
    };
    (@ (x)) => { 1 };
    (@ (x, y)) => { 2 };
    (@ (x, n)) => { 1 };
    (@ (n, x)) => { 1 };
    (@ (z)) => { 2 };
    (@ (z, w)) => { 4 };
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    a.len() == b.len() && index == a.len()
}

macro_rules! real {
    ($($list:tt)*) => { enumeration! {
        /// The mathematical functions of which runtime and oracles have better evaluations.
        Function; $($list)*
    } };
}

macro_rules! complex {
    ($($list:tt)*) => { enumeration! {
        /// The complex ones. Their arity counts the parts of numbers.
        Complex; $($list)*
    } };
}

for_each_function!(real);
for_each_complex_function!(complex);

const fn by(shape: Shape, evaluator: &str) -> By {
    match shape {
        Shape::ToInteger => By::Nobody,
        Shape::Complex | Shape::ComplexPair => By::Complex(Complex::named(evaluator)),
        Shape::Sincos => By::Real(Function::Sin),
        Shape::X | Shape::XX | Shape::XI | Shape::IX | Shape::Frexp | Shape::Modf | Shape::Modulus => {
            By::Real(Function::named(evaluator))
        }
        Shape::Remquo => By::Real(Function::Remainder),
        Shape::LgammaR => By::Real(Function::Lgamma),
    }
}

macro_rules! functions {
    ($($shape:ident: $($name:ident $(= $evaluator:ident)?)*;)*) => {
        pub const FUNCTIONS: &[MathFunction] = &[$($(MathFunction {
            name: stringify!($name),
            shape: Shape::$shape,
            evaluator: functions!(@ $name $($evaluator)?),
            by: by(Shape::$shape, functions!(@ $name $($evaluator)?)),
        }),*),*];
    };
    (@ $name:ident) => { stringify!($name) };
    (@ $name:ident $evaluator:ident) => { stringify!($evaluator) };
}

functions! {
    X: sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
       exp exp2 exp10 pow10 = exp10 expm1 log log2 log10 log1p logb cbrt
       erf erfc tgamma lgamma gamma = lgamma j0 j1 y0 y1
       floor ceil trunc round rint nearbyint = rint roundeven;
    XX: pow atan2 hypot fmod drem = remainder remainder fdim nextafter;
    XI: ldexp scalbn = ldexp scalbln = ldexp;
    IX: jn yn;
    ToInteger: lrint llrint lround llround ilogb;
    Frexp: frexp;
    Modf: modf;
    Sincos: sincos;
    Remquo: remquo;
    LgammaR: lgamma_r;
    Complex: cexp clog csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan casinh cacosh catanh;
    ComplexPair: cpow __divdc3 = cdiv __divsc3 = cdiv;
    Modulus: cabs = hypot carg = atan2;
}

/// Of what C type a function is: `sinf`, `sin`, `sinl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    Float,
    Double,
    LongDouble,
}

/// The function behind a C name. `sinf` is `sin` of float; names that end in `f` or `l`
/// themselves (`erf`, `ceil`) are looked up whole first.
pub fn by_c_name(name: &str) -> Option<(&'static MathFunction, Suffix)> {
    let find = |base: &str| FUNCTIONS.iter().find(|f| f.name == base);
    if let Some(f) = find(name) {
        return Some((f, Suffix::Double));
    }
    // `lgammaf_r` carries its suffix in the middle.
    if let Some(base) = name.strip_suffix("_r") {
        let (f, suffix) = by_c_name(base).filter(|(f, _)| f.evaluator == "lgamma")?;
        let _ = f;
        return Some((find("lgamma_r")?, suffix));
    }
    if let Some(f) = name.strip_suffix('f').and_then(find) {
        return Some((f, Suffix::Float));
    }
    name.strip_suffix('l').and_then(find).map(|f| (f, Suffix::LongDouble))
}

/// What an evaluator decides, if a small error of its argument can change its result by a step.
pub fn decision(evaluator: &str) -> Option<Op> {
    Some(match evaluator {
        "floor" => Op::Floor,
        "ceil" => Op::Ceil,
        "trunc" => Op::Trunc,
        "round" => Op::Round,
        "rint" | "roundeven" => Op::Rint,
        "logb" => Op::Logb,
        "fmod" => Op::Rem,
        "remainder" => Op::Remainder,
        _ => return None,
    })
}

/// The function behind an LLVM intrinsic such as `llvm.sin.v4f64`; `llvm.` and the types are cut.
pub fn by_intrinsic(base: &str) -> Option<&'static MathFunction> {
    let name = match base {
        "maxnum" | "minnum" | "fabs" | "sqrt" | "copysign" | "fma" => return None,
        other => other,
    };
    FUNCTIONS.iter().find(|f| f.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_names_resolve_with_their_type() {
        let name = |n| by_c_name(n).map(|(f, s)| (f.name, s));
        assert_eq!(name("sin"), Some(("sin", Suffix::Double)));
        assert_eq!(name("sinf"), Some(("sin", Suffix::Float)));
        assert_eq!(name("sinl"), Some(("sin", Suffix::LongDouble)));
        assert_eq!(name("erf"), Some(("erf", Suffix::Double)));
        assert_eq!(name("erff"), Some(("erf", Suffix::Float)));
        assert_eq!(name("ceil"), Some(("ceil", Suffix::Double)));
        assert_eq!(name("ceill"), Some(("ceil", Suffix::LongDouble)));
        assert_eq!(name("modff"), Some(("modf", Suffix::Float)));
        assert_eq!(name("lgammaf_r"), Some(("lgamma_r", Suffix::Float)));
        assert_eq!(name("lgamma_r"), Some(("lgamma_r", Suffix::Double)));
        assert_eq!(name("printf"), None);
        assert_eq!(name("f"), None);
    }

    #[test]
    fn every_evaluator_is_of_a_function_that_programs_call() {
        for f in Function::ALL {
            assert!(FUNCTIONS.iter().any(|g| g.by == By::Real(*f)), "{f:?}");
        }
        for f in Complex::ALL {
            assert!(FUNCTIONS.iter().any(|g| g.by == By::Complex(*f)), "{f:?}");
        }
        assert_eq!([Function::Sin, Function::Pow, Function::Jn].map(Function::arity), [1, 2, 1]);
        assert_eq!([Complex::Exp, Complex::Div].map(Complex::arity), [2, 4]);
    }
}
