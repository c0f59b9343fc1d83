//! What Nonius must say of each observation, by the rules of `nonius_runtime::check` at the default threshold.
//!
//! A value is a finding if its relative error is over 2^-19. Pure rounding error, an ideal of at most 2^-20 of the value
//! (2^-10 of a float), is silent on its way through stores, arguments and returns, and so is an ideal beside 0 that cannot be told from 0.
//! Within a factor of 4 of these limits, and within four times what a shadow may be off by, anything goes.

use super::evaluate::{Observed, evaluate};
use super::program::{Format, Place, Program};
use rug::Float;
use std::collections::HashMap;

const THRESHOLD: f64 = 1.0 / (1u64 << 19) as f64;
pub const MARGIN: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Found,
    Silent,
    /// Too close to a limit.
    Close,
    /// It hangs on digits that a residue does not have.
    Unresolved,
    /// Something left the range that is promised.
    Excluded,
}

/// The verdict on a value that the program showed.
pub fn expected(observed: &Observed, value: f64) -> Expected {
    let Observed { place, format, value: known } = observed;
    if known.excluded || !value.is_finite() {
        return Expected::Excluded;
    }
    let ideal = known.ideal.to_f64().abs();
    let error = Float::with_val(known.ideal.prec(), &known.ideal - value).to_f64().abs();
    let noise = MARGIN * known.noise;
    let (limit, value) = (THRESHOLD, value.abs());
    let over = error - noise > MARGIN * limit * (ideal + noise);
    let under = error + noise <= limit / MARGIN * (ideal - noise).max(0.0);
    if under {
        return Expected::Silent;
    }
    if value == 0.0 && ideal <= MARGIN * known.zero {
        return Expected::Unresolved;
    }
    if !over {
        let without_noise = error > MARGIN * limit * ideal || error <= limit / MARGIN * ideal;
        return if without_noise { Expected::Unresolved } else { Expected::Close };
    }
    if *place == Place::Output {
        return Expected::Found;
    }
    let nothing = match format {
        Format::Double | Format::Other(_) => 1.0 / 1_048_576.0,
        Format::Float => 1.0 / 1024.0,
    };
    match (ideal + noise <= nothing / MARGIN * value, ideal - noise >= nothing * MARGIN * value) {
        (true, _) if value > 0.0 => Expected::Silent,
        (_, true) => Expected::Found,
        _ => Expected::Close,
    }
}

/// The first precision, and the last that is tried.
const FIRST: u32 = 192;
const LAST: u32 = 1536;

/// All observations by id, at a precision doubled until each ideal stops changing. One that never does, shrinking with
/// every digit, is 0.
pub fn settle(program: &Program) -> HashMap<usize, Observed> {
    (0..program.functions.len()).flat_map(|root| settle_root(program, root)).collect()
}

fn settle_root(program: &Program, root: usize) -> Vec<(usize, Observed)> {
    let mut precision = FIRST;
    let mut before = evaluate(program, root, precision);
    loop {
        precision *= 2;
        let mut now = evaluate(program, root, precision);
        let mut unsettled: Vec<&mut Observed> = Vec::new();
        for ((_, a), (_, b)) in before.iter().zip(&mut now) {
            if !is_settled(a, b) {
                unsettled.push(b);
            }
        }
        if unsettled.is_empty() || precision >= LAST {
            unsettled.into_iter().for_each(|o| o.value.ideal = Float::new(precision));
            return now;
        }
        before = now;
    }
}

fn is_settled(a: &Observed, b: &Observed) -> bool {
    let change = Float::with_val(b.value.ideal.prec(), &a.value.ideal - &b.value.ideal).abs();
    b.value.excluded || change <= b.value.ideal.clone().abs() >> 60
}

#[cfg(test)]
mod tests {
    use super::super::evaluate::Value;
    use super::*;

    fn observed(place: Place, ideal: f64, noise: f64) -> Observed {
        let value = Value {
            actual: 0.0,
            ideal: Float::with_val(200, ideal),
            noise,
            zero: 0.0,
            excluded: false,
            is_exact: true,
        };
        Observed { place, format: Format::Double, value }
    }

    #[test]
    fn verdicts() {
        use Expected::{Close, Found, Silent, Unresolved};
        use Place::{Output, Store};
        let cases = [
            (Output, 1.0, 0.0, 1.0, Silent),
            (Output, 1.0, 0.0, 1.0 + 1e-7, Silent),
            (Output, 1.0, 0.0, 1.0 + 2e-6, Close),
            (Output, 1.0, 0.0, 1.0 + 1e-4, Found),
            (Output, 0.0, 0.0, 0.0, Silent),
            (Output, 0.0, 0.0, 1e-17, Found),
            (Store, 0.0, 0.0, 1e-17, Silent),
            (Store, 1e-30, 0.0, 0.0, Found),
            (Store, 1e-20, 0.0, 1e-17, Found),
            (Store, 1e-23, 0.0, 1e-17, Close),
            (Store, 1e-24, 0.0, 1e-17, Silent),
            (Store, 1e-18, 0.0, 1e-17, Found),
            (Output, 1e-30, 1e-30, 0.0, Unresolved),
            (Output, 0.0, 1e-30, 0.0, Unresolved),
        ];
        for (place, ideal, noise, value, verdict) in cases {
            assert_eq!(expected(&observed(place, ideal, noise), value), verdict, "{place:?} {ideal} {noise} {value}");
        }
    }
}
