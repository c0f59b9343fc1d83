//! Random straight programs: whatever the inputs, floats, reals and errors lie where the domain says.
//!
//! Each program runs once on values and many times on numbers: floats as the program computes them, reals by MPFR. The short
//! form is what `./x test` has; `NONIUS_SOUNDNESS=1000000` asks for that many operations of each kind.

mod common;

use common::{BITS, KINDS, Number, Random, abstractly, is_within, on_floats, on_reals};
use nonius_abi::Precision;
use nonius_zonotope::{Interval, Space, Value};
use rug::Float;

fn within(random: &mut Random, i: Interval) -> f64 {
    (i.lo + random.share() * (i.hi - i.lo)).clamp(i.lo, i.hi)
}

/// Of many magnitudes.
fn number(random: &mut Random) -> f64 {
    let size = 2f64.powi(random.below(24) as i32 - 12);
    let x = (random.share() * 2.0 - 1.0) * size;
    if random.below(4) == 0 { x.round() } else { x }
}

struct Step {
    kind: usize,
    args: [usize; 3],
    /// The integer argument of those that have one.
    n: i64,
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
        let center = number(&mut self.random);
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
        let mut float = within(&mut self.random, value.float);
        if format == Precision::Float {
            float = f64::from(float as f32);
        }
        let error = within(&mut self.random, value.error.range);
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
            let n = self.random.below(20) as i64 - 10;
            let z = abstractly(&mut space, kind, args.map(|a| &values[a]), n, format);
            if z.is_known() && z.float.mag() < 1e30 {
                values.push(z);
                steps.push(Step { kind, args, n });
            }
        }
        for _ in 0..self.samples {
            let numbers: Option<Vec<Number>> = (0..inputs).map(|i| self.sample(&values[i].clone(), format)).collect();
            let Some(mut numbers) = numbers else { continue };
            for (step, value) in steps.iter().zip(&values[inputs..]) {
                let args = step.args.map(|a| &numbers[a]);
                let float = on_floats(step.kind, args.map(|a| a.float), step.n, format);
                let real = on_reals(step.kind, args.map(|a| &a.real), step.n, BITS);
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
