//! Single operations over the whole range of float and double, subnormal numbers and overflows among them: what a number of
//! the operands' domains comes to lies where the domain says, as a float, as a real and as an error.
//!
//! The short form is what `./x test` has; `NONIUS_SCALARS=1000000` asks for that many operations of each kind.

mod common;

use common::{BITS, KINDS, Number, Random, abstractly, is_within, on_floats, on_reals};
use nonius_abi::Precision;
use nonius_zonotope::{Interval, Space, Value};
use rug::Float;

/// Numbers of one enclosure's operands.
const SAMPLES: usize = 25;

/// Bits of reals that make sums and products of all doubles exact.
const EXACT_BITS: u32 = 4_600;
const EXACT: &[&str] = &["add", "sub", "mul", "fma", "neg", "abs", "min", "max", "convert", "fdim", "ldexp"];

struct Scalars {
    random: Random,
    format: Precision,
    /// Of reals.
    bits: u32,
}

impl Scalars {
    fn rounded(&self, x: f64) -> f64 {
        if self.format == Precision::Float { f64::from(x as f32) } else { x }
    }

    fn largest(&self) -> f64 {
        if self.format == Precision::Float { f64::from(f32::MAX) } else { f64::MAX }
    }

    /// Of the format: near 1 in one half, of any exponent in the other, or one that is special.
    fn number(&mut self) -> f64 {
        let (least, most) = if self.format == Precision::Float { (-149, 127) } else { (-1074, 1023) };
        let fraction = 1.0 + self.random.share();
        let sign = if self.random.below(2) == 0 { 1.0 } else { -1.0 };
        let x = match self.random.below(8) {
            0 => [0.0, 1.0, self.largest(), 2f64.powi(least), 2f64.powi(least + 30), 0.5][self.random.below(6)],
            1..=4 => fraction * 2f64.powi(self.random.below(12) as i32 - 6),
            _ => {
                let exponent = least + self.random.below((most - least) as usize) as i32;
                fraction * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
            }
        };
        self.rounded(sign * x).clamp(-self.largest(), self.largest())
    }

    fn operand(&mut self, space: &mut Space) -> Value {
        let a = self.number();
        let ulp = 2f64.powi(self.format.ulp_exponent(a));
        let b = match self.random.below(6) {
            0 | 1 => a,
            2 => a + ulp * (self.random.below(5) as f64),
            3 => a * (1.0 + self.random.share() * 2f64.powi(-(self.random.below(40) as i32))),
            4 => self.number(),
            _ => -a,
        };
        let most = self.largest();
        let (a, b) = (a.clamp(-most, most), b.clamp(-most, most));
        let real = Interval { lo: a.min(b), hi: a.max(b) };
        let size = match self.random.below(4) {
            0 => ulp * 0.5 * (1.0 + self.random.below(6) as f64),
            1 => self.number().abs(),
            _ => real.mag() * 2f64.powi(-(self.random.below(60) as i32)),
        };
        let error = match self.random.below(4) {
            0 | 1 => Interval::ZERO,
            2 => Interval { lo: -size, hi: size },
            _ => Interval { lo: size * self.random.share() - size * 0.5, hi: size },
        };
        let value = Value::input(space, real, error, self.format, [100, 101]);
        value.filter(Value::is_known).unwrap_or_else(|| Value::exact(self.rounded(a)))
    }

    /// A number of the domain; its ends, and of small magnitudes as well as of large ones.
    fn sample(&mut self, value: &Value) -> Option<Number> {
        let Interval { lo, hi } = value.float;
        let share = self.random.share();
        let x = lo * (1.0 - share) + hi * share;
        let x = if self.random.below(4) == 0 { x * 2f64.powi(-(self.random.below(60) as i32)) } else { x };
        let float = self.rounded(x.clamp(lo, hi));
        let of_error = value.error.range;
        let share = self.random.share();
        let error = (of_error.lo * (1.0 - share) + of_error.hi * share).clamp(of_error.lo, of_error.hi);
        let mut real = Float::with_val(self.bits, float) - error;
        // Where the range of reals ends before.
        if !is_within(value.real.range, &real) {
            real = Float::with_val(self.bits, value.real.range.lo)
                .max(&real)
                .min(&Float::with_val(self.bits, value.real.range.hi));
        }
        // What it really is, less than the precision included.
        let error = Float::with_val(EXACT_BITS, float - &real);
        let fits = value.float.contains(float)
            && real >= value.real.range.lo
            && real <= value.real.range.hi
            && error >= of_error.lo
            && error <= of_error.hi
            && (!value.relative.is_finite() || real.is_zero() || is_within(value.relative, &(error / &real)));
        fits.then_some(Number { float, real })
    }

    /// Numbers that were followed through one operation, and whether it had an enclosure.
    fn operation(&mut self, kind: usize) -> (u64, bool) {
        self.format = if self.random.below(2) == 0 { Precision::Double } else { Precision::Float };
        let mut space = Space::new(16);
        let mut args = [0; 3].map(|_| self.operand(&mut space));
        // Squares, differences of a number and itself.
        if self.random.below(8) == 0 {
            args[1] = args[0].clone();
        }
        let is_same = args[0] == args[1];
        let n = self.random.below(400) as i64 - 200;
        let z = abstractly(&mut space, kind, args.each_ref(), n, self.format);
        if !z.is_known() {
            return (1, false);
        }
        let mut done = 0;
        for _ in 0..SAMPLES {
            let numbers = [0, 1, 2].map(|a| self.sample(&args[a]));
            let [Some(x), Some(y), Some(w)] = numbers else { continue };
            let numbers = [&x, if is_same { &x } else { &y }, &w];
            let float = on_floats(kind, numbers.map(|a| a.float), n, self.format);
            let real = on_reals(kind, numbers.map(|a| &a.real), n, self.bits);
            check(KINDS[kind], numbers, &z, float, &real);
            done += 1;
        }
        (done, true)
    }
}

fn check(name: &str, args: [&Number; 3], z: &Value, float: f64, real: &Float) {
    let what = || {
        let reals = args.map(|a| a.real.to_f64());
        format!(
            "{name} of {:?}, reals {reals:?}: float {float:e}, real {:e}\nin {z:?}",
            args.map(|a| a.float),
            real.to_f64()
        )
    };
    // No number there has a result that is none.
    assert!(float.is_finite() && real.is_finite(), "not finite: {}", what());
    assert!(z.float.contains(float), "float outside: {}", what());
    assert!(is_within(z.real.range, real), "real outside: {}", what());
    let bits = real.prec();
    let error = Float::with_val(bits, float - real);
    // The difference of both has the precision's noise of either.
    let noise = Float::with_val(bits, real.clone().abs() >> (bits - 20));
    let is_error_within = |x: &Float| is_within(z.error.range, x);
    let (less, more) = (Float::with_val(bits, &error - &noise), Float::with_val(bits, &error + &noise));
    assert!(is_error_within(&error) || is_error_within(&less) || is_error_within(&more), "error outside: {}", what());
    if z.relative.is_finite() && !real.is_zero() {
        let relative = Float::with_val(bits, &error / real);
        let slack = Float::with_val(bits, 1) >> (bits - 20);
        let (less, more) = (Float::with_val(bits, &relative - &slack), Float::with_val(bits, relative + slack));
        assert!(less <= z.relative.hi && more >= z.relative.lo, "relative error outside: {}", what());
    }
}

#[test]
fn no_operation_leaves_its_enclosure() {
    let wanted: u64 = std::env::var("NONIUS_SCALARS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let (mut all, mut enclosures) = (0, 0);
    for (kind, name) in KINDS.iter().enumerate() {
        let seed = 0x51_7cc1_b727_2202 + kind as u64;
        let bits = if EXACT.contains(name) { EXACT_BITS } else { BITS };
        let mut scalars = Scalars { random: Random(seed), format: Precision::Double, bits };
        let (mut done, mut bounded) = (0, 0u64);
        while done < wanted {
            let (more, is_bounded) = scalars.operation(kind);
            done += if is_bounded { more } else { 0 };
            bounded += u64::from(is_bounded);
        }
        println!("{name}: {done} in {bounded} enclosures");
        all += done;
        enclosures += bounded;
    }
    println!("{all} operations of {} kinds in {enclosures} enclosures, at least {wanted} of each", KINDS.len());
}
