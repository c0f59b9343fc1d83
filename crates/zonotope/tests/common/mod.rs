//! Operations on the domain, on floats and on reals, for the tests of soundness.

use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_zonotope::{Interval, Rounding, Space, Value};
use rug::Float;

/// Of reals.
pub const BITS: u32 = 400;

/// xorshift64*: the same programs every time.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// In [0, 1], the ends now and then.
    pub fn share(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => 1.0,
            _ => (self.next() >> 11) as f64 / (1u64 << 53) as f64,
        }
    }
}

pub const KINDS: [&str; 48] = [
    "add",
    "sub",
    "mul",
    "div",
    "sqrt",
    "fma",
    "neg",
    "abs",
    "min",
    "max",
    "convert",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "cbrt",
    "erf",
    "erfc",
    "pow",
    "hypot",
    "floor",
    "trunc",
    "rint",
    "atan2",
    "ceil",
    "round",
    "fdim",
    "fmod",
    "ldexp",
    "tgamma",
    "lgamma",
    "roundeven",
];

#[derive(Clone)]
pub struct Number {
    pub float: f64,
    pub real: Float,
}

pub fn function(kind: usize) -> Option<Function> {
    Function::ALL.iter().copied().find(|f| f.name() == KINDS[kind])
}

pub fn abstractly(space: &mut Space, kind: usize, args: [&Value; 3], n: i64, format: Precision) -> Value {
    let r = Rounding { format, is_loose: false, origin: kind as u32 };
    let [x, y, z] = args;
    match KINDS[kind] {
        "add" => space.add(x, y, r),
        "sub" => space.sub(x, y, r),
        "mul" => space.mul(x, y, r),
        "div" => space.div(x, y, r),
        "sqrt" => space.sqrt(x, r),
        "fma" => space.fma(x, y, z, r),
        "neg" => space.neg(x),
        "abs" => space.abs(x, format),
        "min" => space.pick(-1.0, x, y, format),
        "max" => space.pick(1.0, x, y, format),
        // There and back: rounded to the shorter format.
        "convert" => {
            let shorter = space.convert(x, Rounding { format: Precision::Float, ..r });
            shorter.refreshed(space, format)
        }
        _ => space.function(function(kind).expect("a function of libm"), x, Some(y), n, r),
    }
}

/// The program's operation on floats; libm's on both formats is what std calls.
pub fn on_floats(kind: usize, [x, y, z]: [f64; 3], n: i64, format: Precision) -> f64 {
    let single = format == Precision::Float;
    let rounded = |v: f64| if single { f64::from(v as f32) } else { v };
    match KINDS[kind] {
        "add" => rounded(x + y),
        "sub" => rounded(x - y),
        "mul" => rounded(x * y),
        "div" => rounded(x / y),
        "sqrt" => rounded(x.sqrt()),
        "fma" if single => f64::from((x as f32).mul_add(y as f32, z as f32)),
        "fma" => x.mul_add(y, z),
        "neg" => -x,
        "abs" => x.abs(),
        "min" => x.min(y),
        "max" => x.max(y),
        "convert" => f64::from(x as f32),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "rint" | "roundeven" => x.round_ties_even(),
        "fmod" => x % y,
        "fdim" => rounded(x - y).max(0.0),
        "ldexp" if single => f64::from((Float::with_val(53, x) << n as i32).to_f32()),
        "ldexp" => (Float::with_val(53, x) << n as i32).to_f64(),
        name if single => f64::from(on_singles(name, x as f32, y as f32)),
        name => on_doubles(name, x, y),
    }
}

macro_rules! of_libm {
    ($name:ident, $float:ident, $rounded:ident) => {
        /// What std has of libm; the rest by MPFR, correctly rounded.
        fn $name(name: &str, x: $float, y: $float) -> $float {
            let exactly = Float::with_val(64, x);
            match name {
                "exp" => x.exp(),
                "exp2" => x.exp2(),
                "expm1" => x.exp_m1(),
                "log" => x.ln(),
                "log2" => x.log2(),
                "log10" => x.log10(),
                "log1p" => x.ln_1p(),
                "sin" => x.sin(),
                "cos" => x.cos(),
                "tan" => x.tan(),
                "asin" => x.asin(),
                "acos" => x.acos(),
                "atan" => x.atan(),
                "sinh" => x.sinh(),
                "cosh" => x.cosh(),
                "tanh" => x.tanh(),
                "cbrt" => x.cbrt(),
                "pow" => x.powf(y),
                "hypot" => x.hypot(y),
                "atan2" => x.atan2(y),
                "asinh" => exactly.asinh().$rounded(),
                "acosh" => exactly.acosh().$rounded(),
                "atanh" => exactly.atanh().$rounded(),
                "exp10" => exactly.exp10().$rounded(),
                "erf" => exactly.erf().$rounded(),
                "erfc" => exactly.erfc().$rounded(),
                "tgamma" => exactly.gamma().$rounded(),
                "lgamma" => exactly.ln_abs_gamma().0.$rounded(),
                other => unreachable!("no function {other}"),
            }
        }
    };
}

of_libm!(on_doubles, f64, to_f64);
of_libm!(on_singles, f32, to_f32);

/// The operation on reals, to so many bits.
pub fn on_reals(kind: usize, [x, y, z]: [&Float; 3], n: i64, bits: u32) -> Float {
    let c = || Float::with_val(bits, x);
    match KINDS[kind] {
        "add" => Float::with_val(bits, x + y),
        "sub" => Float::with_val(bits, x - y),
        "mul" => Float::with_val(bits, x * y),
        "div" => Float::with_val(bits, x / y),
        "sqrt" => c().sqrt(),
        "fma" => Float::with_val(bits, x * y) + z,
        "neg" => -c(),
        "abs" => c().abs(),
        "min" => c().min(y),
        "max" => c().max(y),
        "convert" => c(),
        "floor" => c().floor(),
        "ceil" => c().ceil(),
        "trunc" => c().trunc(),
        "round" => c().round(),
        "rint" | "roundeven" => c().round_even(),
        "fmod" => Float::with_val(bits, x % y),
        "fdim" => Float::with_val(bits, x - y).max(&Float::new(bits)),
        "ldexp" => c() << n as i32,
        "tgamma" => c().gamma(),
        "lgamma" => c().ln_abs_gamma().0,
        "exp" => c().exp(),
        "exp2" => c().exp2(),
        "exp10" => c().exp10(),
        "expm1" => c().exp_m1(),
        "log" => c().ln(),
        "log2" => c().log2(),
        "log10" => c().log10(),
        "log1p" => c().ln_1p(),
        "sin" => c().sin(),
        "cos" => c().cos(),
        "tan" => c().tan(),
        "asin" => c().asin(),
        "acos" => c().acos(),
        "atan" => c().atan(),
        "sinh" => c().sinh(),
        "cosh" => c().cosh(),
        "tanh" => c().tanh(),
        "asinh" => c().asinh(),
        "acosh" => c().acosh(),
        "atanh" => c().atanh(),
        "cbrt" => c().cbrt(),
        "erf" => c().erf(),
        "erfc" => c().erfc(),
        "pow" => Float::with_val(bits, rug::ops::Pow::pow(x, y)),
        "hypot" => c().hypot(y),
        _ => c().atan2(y),
    }
}

pub fn is_within(range: Interval, x: &Float) -> bool {
    // MPFR's own rounding, far below anything that a bound shows.
    let slack = Float::with_val(x.prec(), x.clone().abs()) >> (x.prec() - 20);
    Float::with_val(x.prec(), x + &slack) >= range.lo && Float::with_val(x.prec(), x - &slack) <= range.hi
}
