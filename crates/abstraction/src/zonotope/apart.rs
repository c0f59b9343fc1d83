//! Inputs for which a comparison of floats comes out otherwise than that of the reals: few are, and samples hardly meet one.
//!
//! Where an input's error makes them part, its form says where: the real is put so far below the threshold that the float
//! lies above it, or the other way round, and what is left to chance (roundings) must not matter. Misses: tests that part by
//! roundings alone.

use super::{Known, Zonotopes};
use crate::domain::{Drawn, Flip, Test};
use crate::samples::{self, draw::next};
use nonius_zonotope::{EQUAL, Form, GREATER, Interval, LESS, Space, Value};
use std::sync::Arc;

/// Floats that are tried, on each side of the one that is computed.
const STEPS: i32 = 3;

/// An input that has a number: its float, and how far that is from its real.
#[derive(Clone, Copy)]
struct Put<'a> {
    origin: u32,
    drawn: &'a samples::Drawn,
    float: f64,
    error: f64,
}

impl Zonotopes {
    pub(super) fn apart(&self, test: &Test<'_, Arc<Known>>) -> Option<Flip> {
        let Test::Compare { predicate, x, y, .. } = *test else { return None };
        if !x.is_known() || !y.is_known() || self.sampler.inputs.len() > 64 {
            return None;
        }
        let real = x.real.form.plus(-1.0, &y.real.form);
        let error = x.error.form.plus(-1.0, &y.error.form);
        let weight = |drawn: &samples::Drawn| weight(&real, &drawn.bounds.real.form).abs();
        let (&main, drawn) = self.sampler.inputs.iter().max_by(|a, b| weight(a.1).total_cmp(&weight(b.1)))?;
        if weight(drawn) == 0.0 || error.is_zero() {
            return None;
        }
        [1.0, -1.0].into_iter().find_map(|side| {
            let mut all = self.put(&error, side);
            // Half of what the float is off by, as far as the inputs say.
            let off: f64 = all.iter().map(|put| put.error * weight_of_error(&error, put)).sum();
            let at = all.iter().position(|put| put.origin == main)?;
            let middle = self.set(&all)?.range(&real).mid();
            let by = (-0.5 * off - middle) / self::weight(&real, &drawn.bounds.real.form);
            let nearest = drawn.format.rounded(all[at].float + by);
            (-STEPS..=STEPS).find_map(|step| {
                let sign = f64::from(step.signum());
                all[at].float = (0..step.abs()).fold(nearest, |x, _| next(x, sign, drawn.format));
                self.flips(&all, predicate, &real, &error)
            })
        })
    }

    /// All inputs in the middle of their ranges, off by as much as they may be on one side.
    fn put(&self, error: &Form, side: f64) -> Vec<Put<'_>> {
        let all = self.sampler.inputs.iter().map(|(&origin, drawn)| {
            let mut put = Put { origin, drawn, float: 0.0, error: 0.0 };
            let Interval { lo, hi } = drawn.bounds.error.range;
            put.error = if side * weight(error, &drawn.bounds.error.form) >= 0.0 { hi } else { lo };
            put.float = drawn.format.rounded(drawn.bounds.real.range.mid() + put.error);
            put
        });
        all.collect()
    }

    /// What is known where the inputs are these. `None` if they are not of their ranges.
    fn set(&self, all: &[Put<'_>]) -> Option<Space> {
        let mut space = self.space.clone();
        for Put { drawn, float, error, .. } in all {
            let Value { real: of_real, error: of_error, .. } = &drawn.bounds;
            let real = Interval::point(*float) - Interval::point(*error);
            let fits = of_real.range.holds(real) && of_error.range.contains(*error);
            if !fits || !space.fix(&of_real.form, real) || !space.fix(&of_error.form, Interval::point(*error)) {
                return None;
            }
        }
        (!space.is_infeasible).then_some(space)
    }

    fn flips(&self, all: &[Put<'_>], predicate: u32, real: &Form, error: &Form) -> Option<Flip> {
        let space = self.set(all)?;
        let of_real = outcome(predicate, space.range(real))?;
        let of_float = outcome(predicate, space.range(&real.plus(1.0, error)))?;
        let input = |put: &Put<'_>| {
            let real = put.float - put.error;
            Drawn { origin: put.origin, count: put.drawn.count, float: put.float, real }
        };
        let inputs = || all.iter().map(input).collect();
        (of_float != of_real).then(|| Flip { float: of_float, real: of_real, inputs: inputs() })
    }
}

/// How much of a form one of its symbols' own form is.
fn weight(form: &Form, of: &Form) -> f64 {
    let Some(&(symbol, own)) = of.terms.first() else { return 0.0 };
    form.coefficient(symbol) / own
}

fn weight_of_error(form: &Form, put: &Put<'_>) -> f64 {
    weight(form, &put.drawn.bounds.error.form)
}

/// The outcome of a comparison with 0, if it is the same for the whole range.
fn outcome(predicate: u32, range: Interval) -> Option<i64> {
    let relation = match range {
        r if r.lo > 0.0 => GREATER,
        r if r.hi < 0.0 => LESS,
        r if r == Interval::ZERO => EQUAL,
        _ => return None,
    };
    Some(i64::from(predicate & relation != 0))
}
