//! Inputs of the samples.

use super::{COUNT, Drawn, MOST_INPUTS, NOTHING, Sample, Sampler, Samples};
use crate::domain::Input;
use nonius_abi::Precision;
use nonius_numerics::Dd;
use nonius_oracle::NoisyDd;
use nonius_zonotope::Value;

impl Sampler {
    /// Numbers of a declared range, the program's own first.
    pub fn draw(&mut self, input: Input, actual: f64, bounds: &Value, (format, origin): (Precision, u32)) -> Samples {
        self.drawn += 1;
        let mut all = [Sample::NONE; COUNT];
        for (n, sample) in all.iter_mut().enumerate() {
            *sample = self.one(n, input, actual, format).unwrap_or(Sample::NONE);
            let brought = match (sample.float - sample.real.ideal.hi - sample.real.ideal.lo).abs() {
                0.0 => 0.0,
                error => error / sample.real.ideal.hi.abs(),
            };
            self.brought[n] = self.brought[n].max(brought);
        }
        if self.inputs.len() < MOST_INPUTS || self.inputs.contains_key(&origin) {
            let count = self.inputs.get(&origin).map_or(0, |drawn| drawn.count) + 1;
            self.inputs.insert(origin, Drawn { count, samples: all, bounds: bounds.clone(), format });
        }
        Samples::of(all)
    }

    fn one(&self, n: usize, input: Input, actual: f64, format: Precision) -> Option<Sample> {
        let ([lo, hi], [below, above]) = (input.real, input.error);
        let within = |share: f64, [lo, hi]: [f64; 2]| (lo + share * (hi - lo)).clamp(lo, hi);
        let [of_real, of_error] = self.shares(n);
        let (real, error) = match n {
            0 => (actual - within(0.5, input.error), within(0.5, input.error)),
            _ => (within(of_real, input.real), within(of_error, input.error)),
        };
        let nearest = if n == 0 { actual } else { format.rounded(real + error) };
        let exact = |hi: f64, lo: f64| NoisyDd { ideal: Dd::from_residue(hi, lo), noise: 0.0 };
        if below == 0.0 && above == 0.0 {
            let inside = [nearest, next(nearest, 1.0, format), next(nearest, -1.0, format)];
            return inside.into_iter().find(|x| (lo..=hi).contains(x)).map(Sample::exact);
        }
        let is_in = |x: Dd, [lo, hi]: [f64; 2]| (x - Dd::from(lo)).hi >= 0.0 && (x - Dd::from(hi)).hi <= 0.0;
        // A float near, whose distance from the real is one of those that are declared.
        [nearest, next(nearest, 1.0, format), next(nearest, -1.0, format)].into_iter().find_map(|float| {
            let reals = [exact(real, 0.0), exact(float, -error)];
            let fits = |real: &NoisyDd| {
                is_in(real.ideal, input.real) && is_in(Dd::from(float) - real.ideal, input.error) && *real != NOTHING
            };
            reals.into_iter().find(fits).map(|real| Sample { float, real })
        })
    }

    /// Where in the range, and how far off, from 0 to 1.
    fn shares(&self, n: usize) -> [f64; 2] {
        let bits = hashed(self.drawn.wrapping_mul(COUNT as u64).wrapping_add(n as u64));
        let corner = |bit: u32| f64::from((bits >> bit & 1) as u32);
        match n {
            1 => [0.0, 0.0],
            2 => [1.0, 1.0],
            3 => [0.5, 0.5],
            4 => [0.0, 1.0],
            5 => [1.0, 0.0],
            6..10 => [corner(0), corner(1)],
            _ => [(bits >> 11) as f64 / (1u64 << 53) as f64, corner(1)],
        }
    }
}

/// The next number of the format, above or below.
pub fn next(x: f64, sign: f64, format: Precision) -> f64 {
    match (format, sign > 0.0) {
        (Precision::Float, true) => f64::from((x as f32).next_up()),
        (Precision::Float, false) => f64::from((x as f32).next_down()),
        (_, true) => x.next_up(),
        (_, false) => x.next_down(),
    }
}

/// Vigna's splitmix64.
fn hashed(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
