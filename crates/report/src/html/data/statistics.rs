//! Operations, observables and likely results in numbers.

use super::files::Files;
use super::{Place, place};
use crate::html::pack::number;
use crate::numbers::{decimal, rough};
use crate::source::Sources;
use crate::words::clean;
use nonius_finding::{ErrorSamples, Observable, ObservedAt, Report};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub(super) struct Statistics {
    operations: Vec<Operation>,
    observables: Vec<Seen>,
    results: Vec<Likely>,
}

#[derive(Serialize)]
struct Operation {
    place: Place,
    operation: String,
    function: Option<usize>,
    count: u64,
    mean: Value,
    max: Value,
    introduced: Value,
    badness: u32,
    mean_badness: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<ErrorSamples>,
}

#[derive(Serialize)]
struct Seen {
    place: Place,
    at: &'static str,
    count: u64,
    max: Value,
    open: u64,
    not_followed: u64,
}

#[derive(Serialize)]
struct Likely {
    place: Place,
    operation: String,
    depth: u32,
    value: String,
    ideal: String,
    error: Value,
    badness: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled_at: Option<Place>,
}

/// A place where the program prints, and how many digits are right there at worst.
#[derive(Serialize)]
pub(super) struct Output {
    place: Place,
    count: u64,
    digits: f64,
    error: String,
    open: u64,
}

pub(super) fn of(report: &Report, files: &mut Files, sources: &mut Sources) -> Statistics {
    let operations = report.operations.iter().enumerate().map(|(index, o)| {
        files.note_operation(&o.location, index);
        Operation {
            place: place(&o.location, None, files, sources),
            operation: clean(&o.operation),
            function: files.function(&o.location.function),
            count: o.count,
            mean: number(o.mean_error),
            max: number(o.max_error),
            introduced: number(o.introduced_error),
            badness: o.max_badness,
            mean_badness: number(o.mean_badness),
            samples: o.samples.clone(),
        }
    });
    let operations = operations.collect();
    let observables = report.observables.iter().map(|o| Seen {
        place: place(&o.location, None, files, sources),
        at: o.observed_at.as_str(),
        count: o.count,
        max: number(o.max_error),
        open: o.open + o.open_by_constants,
        not_followed: o.not_followed,
    });
    let observables = observables.collect();
    let results = report.results.iter().map(|r| Likely {
        place: place(&r.location, None, files, sources),
        operation: clean(&r.operation),
        depth: r.depth,
        value: decimal(r.value),
        ideal: decimal(r.ideal),
        error: number(r.relative_error),
        badness: r.badness,
        cancelled_at: r.cancelled_at.as_ref().map(|l| place(l, None, files, sources)),
    });
    Statistics { operations, observables, results: results.collect() }
}

/// Outputs, the worst first.
pub(super) fn outputs(report: &Report, files: &mut Files, sources: &mut Sources) -> Vec<Output> {
    let is_output = |o: &&Observable| o.observed_at == ObservedAt::Output;
    let outputs = report.observables.iter().filter(is_output).map(|o| Output {
        place: place(&o.location, None, files, sources),
        count: o.count,
        digits: right_digits(o.max_error),
        error: rough(o.max_error),
        open: o.open + o.open_by_constants,
    });
    let mut outputs: Vec<Output> = outputs.collect();
    outputs.sort_by(|a, b| a.digits.total_cmp(&b.digits));
    outputs
}

/// Decimal digits that a relative error leaves, of a double's 16 at most. One that is unknown leaves none.
fn right_digits(error: f64) -> f64 {
    const MOST: f64 = 16.0;
    match error {
        0.0 => MOST,
        x if x.is_nan() => 0.0,
        x => ((-x.log10()).clamp(0.0, MOST) * 10.0).round() / 10.0,
    }
}

#[cfg(test)]
mod tests {
    use super::right_digits;

    #[test]
    fn digits_left_by_an_error() {
        let cases = [(0.0, 16.0), (1e-20, 16.0), (1e-4, 4.0), (0.5, 0.3), (3.0, 0.0), (f64::INFINITY, 0.0)];
        cases.iter().for_each(|(error, digits)| assert_eq!(right_digits(*error), *digits, "{error}"));
        assert_eq!(right_digits(f64::NAN), 0.0);
    }
}
