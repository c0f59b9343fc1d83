//! Random straight programs: whatever the inputs, floats, reals and errors lie where the domain says.
//!
//! Each program runs once on values and many times on numbers: floats as the program computes them, reals by MPFR. The short
//! form is what `./x test` has; `NONIUS_SOUNDNESS=1000000` asks for that many operations of each kind.

use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_zonotope::{Interval, Rounding, Space, Value};
use rug::Float;

const BITS: u32 = 400;

/// xorshift64*: the same programs every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// In [0, 1], the ends now and then.
    fn share(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => 1.0,
            _ => (self.next() >> 11) as f64 / (1u64 << 53) as f64,
        }
    }

    fn within(&mut self, i: Interval) -> f64 {
        (i.lo + self.share() * (i.hi - i.lo)).clamp(i.lo, i.hi)
    }

    /// Of many magnitudes.
    fn number(&mut self) -> f64 {
        let size = 2f64.powi(self.below(24) as i32 - 12);
        let x = (self.share() * 2.0 - 1.0) * size;
        if self.below(4) == 0 { x.round() } else { x }
    }
}

const KINDS: [&str; 40] = [
    "add", "sub", "mul", "div", "sqrt", "fma", "neg", "abs", "min", "max", "convert", "exp", "exp2", "exp10", "expm1",
    "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "cbrt", "erf", "erfc", "pow", "hypot", "floor", "trunc", "rint", "atan2",
];

#[derive(Clone)]
struct Number {
    float: f64,
    real: Float,
}

struct Step {
    kind: usize,
    args: [usize; 3],
}

fn function(kind: usize) -> Option<Function> {
    Function::ALL.iter().copied().find(|f| f.name() == KINDS[kind])
}

fn abstractly(space: &mut Space, kind: usize, args: [&Value; 3], format: Precision) -> Value {
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
        _ => space.function(function(kind).unwrap(), x, Some(y), 0, r),
    }
}

/// The program's operation on floats; libm's on both formats is what std calls.
fn on_floats(kind: usize, [x, y, z]: [f64; 3], format: Precision) -> f64 {
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
        "trunc" => x.trunc(),
        "rint" => x.round_ties_even(),
        "erf" | "erfc" => {
            let z = Float::with_val(53, x);
            rounded(if KINDS[kind] == "erf" { z.erf() } else { z.erfc() }.to_f64())
        }
        "exp10" => rounded(Float::with_val(53, x).exp10().to_f64()),
        name => rounded(match name {
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
            "asinh" => Float::with_val(53, x).asinh().to_f64(),
            "acosh" => Float::with_val(53, x).acosh().to_f64(),
            "atanh" => Float::with_val(53, x).atanh().to_f64(),
            "cbrt" => x.cbrt(),
            "pow" => x.powf(y),
            "hypot" => x.hypot(y),
            _ => x.atan2(y),
        }),
    }
}

fn on_reals(kind: usize, [x, y, z]: [&Float; 3]) -> Float {
    let c = || Float::with_val(BITS, x);
    match KINDS[kind] {
        "add" => Float::with_val(BITS, x + y),
        "sub" => Float::with_val(BITS, x - y),
        "mul" => Float::with_val(BITS, x * y),
        "div" => Float::with_val(BITS, x / y),
        "sqrt" => c().sqrt(),
        "fma" => Float::with_val(BITS, x * y) + z,
        "neg" => -c(),
        "abs" => c().abs(),
        "min" => c().min(y),
        "max" => c().max(y),
        "convert" => c(),
        "floor" => c().floor(),
        "trunc" => c().trunc(),
        "rint" => c().round_even(),
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
        "pow" => Float::with_val(BITS, rug::ops::Pow::pow(x, y)),
        "hypot" => c().hypot(y),
        _ => c().atan2(y),
    }
}

fn is_within(range: Interval, x: &Float) -> bool {
    // MPFR's own rounding, far below anything that a bound shows.
    let slack = Float::with_val(BITS, x.clone().abs()) >> 380;
    Float::with_val(BITS, x + &slack) >= range.lo && Float::with_val(BITS, x - &slack) <= range.hi
}

struct Run {
    random: Random,
    /// Operations that were followed on numbers, by kind.
    done: [u64; KINDS.len()],
    wanted: u64,
    samples: usize,
}

impl Run {
    fn input(&mut self, space: &mut Space, format: Precision) -> Value {
        let center = self.random.number();
        let width = self.random.share() * 2f64.powi(-(self.random.below(30) as i32));
        let real = if self.random.below(5) == 0 {
            Interval::point(f64::from(center as f32))
        } else {
            Interval { lo: center - width, hi: center + width }
        };
        let size = real.mag() * 2f64.powi(-(20 + self.random.below(35) as i32));
        let error = match self.random.below(3) {
            0 => Interval::ZERO,
            1 => Interval { lo: -size, hi: size },
            _ => Interval { lo: -0.25 * size, hi: size },
        };
        Value::input(space, real, error, format, [100, 101]).unwrap_or_else(|| Value::exact(f64::from(center as f32)))
    }

    /// A number of an input's domain.
    fn sample(&mut self, value: &Value, format: Precision) -> Option<Number> {
        let mut float = self.random.within(value.float);
        if format == Precision::Float {
            float = f64::from(float as f32);
        }
        let error = self.random.within(value.error.range);
        let real = Float::with_val(BITS, float) - error;
        let fits = value.float.contains(float) && is_within(value.real.range, &real);
        fits.then_some(Number { float, real })
    }

    fn program(&mut self) {
        let format = if self.random.below(2) == 0 { Precision::Double } else { Precision::Float };
        let mut space = Space::new([4, 16, 64][self.random.below(3)]);
        let inputs = 1 + self.random.below(3);
        let mut values: Vec<Value> = (0..inputs).map(|_| self.input(&mut space, format)).collect();
        let mut steps = Vec::new();
        for _ in 0..10 {
            // What is behind the others comes first.
            let kind = (0..3).map(|_| self.random.below(KINDS.len())).min_by_key(|&k| self.done[k]).unwrap();
            let args = [0; 3].map(|_| self.random.below(values.len()));
            let z = abstractly(&mut space, kind, args.map(|a| &values[a]), format);
            if z.is_known() && z.float.mag() < 1e30 {
                values.push(z);
                steps.push(Step { kind, args });
            }
        }
        for _ in 0..self.samples {
            let numbers: Option<Vec<Number>> = (0..inputs).map(|i| self.sample(&values[i].clone(), format)).collect();
            let Some(mut numbers) = numbers else { continue };
            for (step, value) in steps.iter().zip(&values[inputs..]) {
                let args = step.args.map(|a| &numbers[a]);
                let float = on_floats(step.kind, args.map(|n| n.float), format);
                let real = on_reals(step.kind, args.map(|n| &n.real));
                self.check(step, args, value, float, &real);
                numbers.push(Number { float, real });
            }
        }
    }

    fn check(&mut self, step: &Step, args: [&Number; 3], value: &Value, float: f64, real: &Float) {
        let error = Float::with_val(BITS, float - real);
        let name = KINDS[step.kind];
        let what = || {
            format!(
                "{name} of {:?}: float {float:e}, real {}, error {}\nin {value:?}",
                args.map(|a| a.float),
                real.to_f64(),
                error.to_f64()
            )
        };
        assert!(value.float.contains(float), "float outside: {}", what());
        assert!(is_within(value.real.range, real), "real outside: {}", what());
        assert!(is_within(value.error.range, &error), "error outside: {}", what());
        if value.relative.is_finite() && !real.is_zero() {
            assert!(
                is_within(value.relative, &Float::with_val(BITS, &error / real)),
                "relative error outside: {}",
                what()
            );
        }
        self.done[step.kind] += 1;
    }
}

#[test]
fn nothing_lies_outside_its_domain() {
    let wanted = std::env::var("NONIUS_SOUNDNESS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut run = Run { random: Random(0x9e37_79b9_7f4a_7c15), done: [0; KINDS.len()], wanted, samples: 20 };
    while run.done.iter().any(|&done| done < run.wanted) {
        run.program();
    }
    let least = run.done.iter().min().unwrap();
    println!("{} operations of {} kinds, at least {least} of each", run.done.iter().sum::<u64>(), KINDS.len());
}
