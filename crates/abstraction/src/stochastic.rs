//! Stochastic rounding: a few runs side by side, each operation of each rounded up or down at random. Digits that they have in
//! common are likely to be right.
//!
//! Tests are synchronous: all go the way that the program goes; where they disagree, the test is unstable. An estimate, no
//! bound: N runs see what N runs see. Source: CADNA (Vignes), section 6 of the abstract-compilation paper names it as an
//! alternative where bounds explode.

use super::domain::{Domain, Input, Operation, Test, Ways, range};
use super::report::everything;
use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_finding::Bounds;
use nonius_numerics::eft::two_sum_error;
use nonius_zonotope::{Flow, Rounding, Side};
use std::sync::Arc;

pub struct Stochastic {
    runs: usize,
    state: u64,
}

/// An operation in double, and the sign of what rounding took away; a NaN where that is not known.
type Nearest = (f64, f64);

impl Stochastic {
    pub fn new(runs: u32, seed: u64) -> Stochastic {
        Stochastic { runs: runs as usize, state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    fn coin(&mut self) -> bool {
        self.next() >> 63 != 0
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Rounded to the format, up or down; what is exact stays.
    fn rounded(&mut self, (z, error): Nearest, format: Precision) -> f64 {
        if !z.is_finite() {
            return z;
        }
        if format == Precision::Float {
            let single = z as f32;
            let rest = z - f64::from(single);
            if rest == 0.0 && error == 0.0 {
                return z;
            }
            let up = self.coin();
            let is_below = rest > 0.0 || rest == 0.0 && error > 0.0;
            return f64::from(match (is_below, up) {
                (true, true) => single.next_up(),
                (false, false) => single.next_down(),
                _ => single,
            });
        }
        if error == 0.0 {
            return z;
        }
        match (error > 0.0, self.coin()) {
            (true, true) => z.next_up(),
            (false, false) => z.next_down(),
            _ => z,
        }
    }

    fn nearest(op: Operation, [x, y, z]: [f64; 3]) -> Nearest {
        match op {
            Operation::Add => (x + y, two_sum_error(x, y, x + y)),
            Operation::Sub => (x - y, two_sum_error(x, -y, x - y)),
            Operation::Mul => (x * y, x.mul_add(y, -(x * y))),
            Operation::Div => {
                let q = x / y;
                (q, (-q).mul_add(y, x) * y.signum())
            }
            Operation::Sqrt => {
                let root = x.sqrt();
                (root, (-root).mul_add(root, x))
            }
            Operation::Fma => {
                let sum = x.mul_add(y, z);
                (sum, two_sum_error(x * y, z, sum) + x.mul_add(y, -(x * y)))
            }
            Operation::Rem => (x % y, 0.0),
            Operation::Neg => (-x, 0.0),
            Operation::Abs => (x.abs(), 0.0),
            Operation::CopySign => (x.copysign(y), 0.0),
            Operation::Min => (x.min(y), 0.0),
            Operation::Max => (x.max(y), 0.0),
            Operation::Narrow => (x, 0.0),
            Operation::Function(f, n) => function(f, n, x, y),
        }
    }
}

/// By the library of this process, whose last bit is as good as a coin.
fn function(f: Function, n: i64, x: f64, y: f64) -> Nearest {
    use Function::*;
    let exact = |z: f64| (z, 0.0);
    let inexact = |z: f64| (z, f64::NAN);
    match f {
        Floor => exact(x.floor()),
        Ceil => exact(x.ceil()),
        Trunc => exact(x.trunc()),
        Round => exact(x.round()),
        Rint | Roundeven => exact(x.round_ties_even()),
        Ldexp => exact(x * 2f64.powi(n.clamp(-1000, 1000) as i32)),
        Fmod => exact(x % y),
        Sqrt => Stochastic::nearest(Operation::Sqrt, [x, 0.0, 0.0]),
        Sin => inexact(x.sin()),
        Cos => inexact(x.cos()),
        Tan => inexact(x.tan()),
        Asin => inexact(x.asin()),
        Acos => inexact(x.acos()),
        Atan => inexact(x.atan()),
        Atan2 => inexact(x.atan2(y)),
        Sinh => inexact(x.sinh()),
        Cosh => inexact(x.cosh()),
        Tanh => inexact(x.tanh()),
        Asinh => inexact(x.asinh()),
        Acosh => inexact(x.acosh()),
        Atanh => inexact(x.atanh()),
        Exp => inexact(x.exp()),
        Exp2 => inexact(x.exp2()),
        Exp10 => inexact(10f64.powf(x)),
        Expm1 => inexact(x.exp_m1()),
        Log => inexact(x.ln()),
        Log2 => inexact(x.log2()),
        Log10 => inexact(x.log10()),
        Log1p => inexact(x.ln_1p()),
        Cbrt => inexact(x.cbrt()),
        Pow => inexact(x.powf(y)),
        Hypot => inexact(x.hypot(y)),
        Fdim => exact((x - y).max(0.0)),
        _ => (f64::NAN, f64::NAN),
    }
}

/// Student's factor for 95%, by runs less one.
fn student(runs: usize) -> f64 {
    const T: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    T.get(runs.saturating_sub(2)).copied().unwrap_or(2.2)
}

/// Decimal digits that the runs have in common, up to those that the format has.
fn common_digits(samples: &[f64], format: Precision) -> f64 {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = variance.sqrt();
    if deviation == 0.0 {
        return format.digits();
    }
    let digits = (count.sqrt() * mean.abs() / (deviation * student(samples.len()))).log10();
    digits.clamp(0.0, format.digits())
}

impl Domain for Stochastic {
    type Value = Arc<[f64]>;
    const IS_ESTIMATE: bool = true;

    fn lift(&mut self, x: f64, _: f64) -> Arc<[f64]> {
        std::iter::repeat_n(x, self.runs).collect()
    }

    fn unknown(&self) -> Arc<[f64]> {
        std::iter::repeat_n(f64::NAN, self.runs).collect()
    }

    fn is_known(&self, value: &Arc<[f64]>) -> bool {
        value.iter().all(|x| !x.is_nan())
    }

    fn is_one_number(&self, value: &Arc<[f64]>) -> bool {
        value.windows(2).all(|pair| pair[0] == pair[1])
    }

    fn apply(&mut self, op: Operation, args: [&Arc<[f64]>; 3], _: f64, r: Rounding) -> Arc<[f64]> {
        let get = |n: usize, run: usize| args[n].get(run).copied().unwrap_or(f64::NAN);
        (0..self.runs)
            .map(|run| {
                let nearest = Stochastic::nearest(op, [0, 1, 2].map(|n| get(n, run)));
                self.rounded(nearest, r.format)
            })
            .collect()
    }

    fn input(&mut self, input: Input, _: f64, format: Precision, _: [u32; 2]) -> Result<Arc<[f64]>, String> {
        let [[lo, hi], [below, above]] = [input.real, input.error];
        if !(lo <= hi && below <= above) {
            return Err("the range is empty: its lower bound is above its upper one".to_owned());
        }
        let drawn = (0..self.runs).map(|_| {
            let x = lo + self.share() * (hi - lo);
            format.rounded(x + below + self.share() * (above - below))
        });
        Ok(drawn.collect::<Vec<_>>().into())
    }

    fn ways(&mut self, test: &Test<Arc<[f64]>>, _: Side) -> Ways {
        let (own, mut outcomes): (i64, Vec<i64>) = match *test {
            Test::Compare { predicate, x, y, actual } => {
                let outcome = |x: f64, y: f64| i64::from(super::walk::holds(predicate, x, y));
                let known = |x: &f64, y: &f64| !x.is_nan() && !y.is_nan();
                let all = x.iter().zip(y.iter()).filter(|(x, y)| known(x, y)).map(|(&x, &y)| outcome(x, y));
                (outcome(actual[0], actual[1]), all.collect())
            }
            Test::ToInteger { how, x, actual } => {
                (how.of(actual) as i64, x.iter().filter(|x| !x.is_nan()).map(|&x| how.of(x) as i64).collect())
            }
        };
        outcomes.push(own);
        outcomes.sort_unstable();
        outcomes.dedup();
        if outcomes.len() == 1 {
            return Ways::One(None);
        }
        Ways::Several(outcomes.into_iter().map(|float| Flow { float, real: float }).collect())
    }

    fn learn(&mut self, _: &Test<Arc<[f64]>>, _: Flow, _: Side) -> bool {
        true
    }

    fn bounds(&mut self, value: &Arc<[f64]>, actual: f64, format: Precision) -> (Bounds, Vec<(u32, f64)>) {
        let is_known = self.is_known(value);
        let lo = value.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = value.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let bounds = Bounds {
            actual,
            value: if is_known { range(lo, hi) } else { everything() },
            real: everything(),
            error: everything(),
            relative_error: everything(),
            is_known,
            common_digits: is_known.then(|| common_digits(value, format)),
            ..Bounds::default()
        };
        (bounds, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exact_is_not_rounded_and_the_rest_is_both_ways() {
        let mut s = Stochastic::new(64, 1);
        let r = Rounding { format: Precision::Double, is_loose: false, origin: 0 };
        let (one, ten, two) = (s.lift(1.0, 0.0), s.lift(10.0, 0.0), s.lift(2.0, 0.0));
        let exact = s.apply(Operation::Div, [&one, &two, &two], 0.5, r);
        assert!(exact.iter().all(|&x| x == 0.5));
        let tenth = s.apply(Operation::Div, [&one, &ten, &two], 0.1, r);
        assert!(tenth.contains(&0.1) && tenth.contains(&0.1f64.next_down()) && tenth.len() == 64);
        assert!(tenth.iter().all(|&x| x == 0.1 || x == 0.1f64.next_down()), "the two doubles around 1/10");
    }

    #[test]
    fn a_cancellation_leaves_few_digits() {
        let mut s = Stochastic::new(3, 1);
        let r = Rounding { format: Precision::Double, is_loose: false, origin: 0 };
        let (one, three, ten) = (s.lift(1.0, 0.0), s.lift(3.0, 0.0), s.lift(1e10, 0.0));
        let third = s.apply(Operation::Div, [&one, &three, &one], 1.0 / 3.0, r);
        let sum = s.apply(Operation::Add, [&ten, &third, &one], 0.0, r);
        let left = s.apply(Operation::Sub, [&sum, &ten, &one], 0.0, r);
        let digits = s.bounds(&left, 1.0 / 3.0, Precision::Double).0.common_digits.unwrap();
        assert!((3.0..9.0).contains(&digits), "{digits}");
        assert_eq!(s.bounds(&one, 1.0, Precision::Double).0.common_digits, Some(Precision::Double.digits()));
    }
}
