//! Losses of precision: by the bounds of a value, and by samples that show it.
//!
//! Certain is what a sample shows: the verdict on its float and its real is that of any other engine. Possible is what
//! the bound of the relative error allows; where the real may be 0 there is none, and the error counts beside the greatest
//! real: that of a value that may be 0 among others is no loss by itself. An error that the inputs brought along is no
//! loss either, as long as it stays of a size with what they brought.

use super::{Known, Zonotopes, flows_of};
use crate::domain::{Drawn, Flip, Judge, Loss, Test};
use crate::samples::Sample;
use nonius_abi::site::{NONE, Observed};
use nonius_verdict::verdict::{Seen, precision};
use nonius_zonotope::Rounding;
use std::sync::Arc;

/// An error that is so many times what the inputs brought along is the program's.
const AMPLIFIED: f64 = 1024.0;
/// Inputs that are named.
const MOST_NAMED: usize = 16;

impl Zonotopes {
    /// Whom a result is blamed on: the operation that lost what no operand had lost before.
    pub(super) fn blame(&self, value: &mut Known, args: &[&Arc<Known>], r: Rounding) {
        let limit = self.limits.relative(r.format);
        if !value.is_known() || value.relative.mag() <= limit {
            return;
        }
        let judge = Judge { limits: &self.limits, format: r.format, observed: Observed::Api };
        if self.worst_sample(value, &judge).is_none() && !self.is_possible(value, &judge) {
            return;
        }
        let before = args.iter().map(|a| a.blamed).find(|&site| site != NONE);
        value.blamed = before.unwrap_or(r.origin);
    }

    pub(super) fn loss_of(&self, value: &Known, judge: &Judge<'_>) -> Option<Loss> {
        let shown = self.worst_sample(value, judge);
        if shown.is_none() && !self.is_possible(value, judge) {
            return None;
        }
        let bound = if value.real.range.contains(0.0) { f64::INFINITY } else { value.relative.mag() };
        let blamed = Some(value.blamed).filter(|&site| site != NONE);
        Some(Loss { bound, blamed, shown: shown.map(|(n, seen)| (seen, self.inputs_of(n))) })
    }

    /// Whether the bounds allow a loss that is none of the inputs.
    fn is_possible(&self, value: &Known, judge: &Judge<'_>) -> bool {
        let (error, greatest) = (value.error.range.mag(), value.real.range.mag());
        let relative = if value.real.range.contains(0.0) { error / greatest } else { value.relative.mag() };
        let is_on_its_way = matches!(judge.observed, Observed::Return | Observed::Argument | Observed::Store);
        let is_nothing = is_on_its_way && greatest <= judge.format.nothing() * value.float.mag();
        relative > judge.limits.relative(judge.format).max(AMPLIFIED * self.brought)
            && error > judge.limits.least_of(value.float.mag(), judge.format)
            && judge.limits.looks_at(judge.observed)
            && !is_nothing
    }

    /// The sample that has lost most, if one has lost more than it may.
    fn worst_sample(&self, value: &Known, judge: &Judge<'_>) -> Option<(usize, Seen)> {
        let lost = self.sampler.on_both().filter_map(|n| {
            let sample = value.samples.get(n);
            let seen = seen(&sample).filter(|_| sample.is_known())?;
            let relative = precision(seen, judge.format, judge.observed, judge.limits).found()?;
            (relative > AMPLIFIED * self.sampler.brought(n)).then_some((n, seen, relative))
        });
        lost.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(n, seen, _)| (n, seen))
    }

    /// What the inputs of a sample are.
    fn inputs_of(&self, n: usize) -> Vec<Drawn> {
        let named = self.sampler.inputs.iter().take(MOST_NAMED).map(|(&origin, drawn)| {
            let Sample { float, real } = drawn.samples[n];
            Drawn { origin, count: drawn.count, float, real: real.ideal.to_f64() }
        });
        named.collect()
    }

    pub(super) fn flip_of(&self, test: &Test<'_, Arc<Known>>, outcome: i64) -> Option<Flip> {
        let ways = self.sampler.on_both().filter_map(|n| {
            let (Some(float), Some(real)) = flows_of(test, n) else { return None };
            Some((n, float, real))
        });
        let others = ways.filter(|&(_, float, real)| float != outcome || real != outcome);
        let (n, float, real) = others.min_by_key(|&(_, float, real)| (float == real, float.abs_diff(outcome)))?;
        Some(Flip { float, real, inputs: self.inputs_of(n) })
    }
}

/// As the verdict looks at it.
fn seen(sample: &Sample) -> Option<Seen> {
    let ideal = sample.real.ideal;
    let residue = ideal.minus_actual(sample.float);
    residue.is_finite().then(|| Seen { value: sample.float, ideal: ideal.to_f64(), residue, radius: sample.radius() })
}
