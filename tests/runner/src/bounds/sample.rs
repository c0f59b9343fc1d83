//! Floats and reals inside of what a program's inputs were declared to be.

use super::program::{Input, Program};
use crate::fuzz::random::Random;
use rug::Float;

/// A float and a real for each input.
#[derive(Clone, Debug)]
pub struct Sample {
    pub floats: Vec<f64>,
    pub reals: Vec<Float>,
}

const BITS: u32 = 320;

/// The program's own, then corners, then others.
pub fn samples(program: &Program, random: &mut Random, count: usize) -> Vec<Sample> {
    let mut all = Vec::with_capacity(count);
    all.extend(sample(program, |i| one(i, Shares { real: None, error: None })));
    let choices = [0.0, 1.0, 0.5];
    let corners = 9usize.pow(program.inputs.len() as u32).min(count / 4);
    for corner in 0..corners {
        let mut rest = corner;
        all.extend(sample(program, |i| {
            let (real, error) = (choices[rest % 3], choices[rest / 3 % 3]);
            rest /= 9;
            one(i, Shares { real: Some(real), error: Some(error) })
        }));
    }
    for _ in 0..4 * count {
        if all.len() >= count {
            break;
        }
        all.extend(sample(program, |i| {
            let mut share = || Some(if random.chance(8) { random.below(2) as f64 } else { random.unit() });
            one(i, Shares { real: share(), error: share() })
        }));
    }
    all
}

fn sample(program: &Program, mut f: impl FnMut(&Input) -> Option<(f64, Float)>) -> Option<Sample> {
    let all: Option<Vec<_>> = program.inputs.iter().map(&mut f).collect();
    let (floats, reals) = all?.into_iter().unzip();
    Some(Sample { floats, reals })
}

/// How far from the lower to the upper end; the own float where there is none.
struct Shares {
    real: Option<f64>,
    error: Option<f64>,
}

fn one(input: &Input, shares: Shares) -> Option<(f64, Float)> {
    let between = |[lo, hi]: [f64; 2], share: f64| (lo + (hi - lo) * share).clamp(lo, hi);
    let Some(share) = shares.real else {
        // The own float is its own real, if its error may be 0; else off by the least that it can be.
        let error = 0f64.clamp(input.error[0], input.error[1]);
        let real = Float::with_val(BITS, input.own) - error;
        return fits(input, input.own, &real).then_some((input.own, real));
    };
    let real = between(input.real, share);
    let error = between(input.error, shares.error.unwrap_or(0.0));
    let float = input.format.rounded(real + error);
    // The real as it is, if the float's rounding lets it; else the float less the error.
    let plain = Float::with_val(BITS, real);
    if fits(input, float, &plain) {
        return Some((float, plain));
    }
    let other = Float::with_val(BITS, float) - error;
    fits(input, float, &other).then_some((float, other))
}

fn fits(input: &Input, float: f64, real: &Float) -> bool {
    let error = Float::with_val(BITS, float - real);
    let within = |x: &Float, [lo, hi]: [f64; 2]| *x >= lo && *x <= hi;
    within(real, input.real) && within(&error, input.error)
}
