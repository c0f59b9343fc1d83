//! What an operation did to an error: introduced it, amplified it or propagated it.

use super::clean;
use nonius_finding::{Cause, Growth, Measured};

/// A cause in words: `error 1.1e-16 introduced in call sqrt`.
pub(crate) fn cause(c: &Cause) -> String {
    let what = effect(c);
    if c.operation.is_empty() { what } else { format!("{what} in {}", clean(&c.operation)) }
}

/// The same without the operation.
pub(crate) fn effect(c: &Cause) -> String {
    match (&c.growth, &c.measured) {
        (Some(growth), _) => growth_over_stages(growth),
        (None, Some(measured)) => of_measured(measured),
        (None, None) if c.description.is_empty() => "error introduced".to_owned(),
        (None, None) => clean(&c.description),
    }
}

fn of_measured(m: &Measured) -> String {
    let times = if m.count > 1 { format!(", {} times", m.count) } else { String::new() };
    if !m.value.is_finite() && !m.typical {
        let what = if m.value.is_nan() { "NaN" } else { "infinity" };
        return format!("{what}{times}");
    }
    let (error, inherited) = (m.relative_error, m.inherited_error);
    if m.count > 1 && m.dominant {
        return format!("error accumulated to {error:.1e} in {} steps", m.count);
    }
    if error <= inherited {
        return format!("error {error:.1e} propagated{times}");
    }
    if inherited > 0.0 {
        return format!("error amplified from {inherited:.1e} to {error:.1e}{times}");
    }
    format!("error {error:.1e} introduced{times}")
}

fn growth_over_stages(g: &Growth) -> String {
    format!(
        "error grew faster than linearly in {} of {} stages of set {}, from stage {} to {}, at last from {:.1e} to {:.1e},",
        g.faults, g.stages, g.set, g.first_fault, g.last_fault, g.before, g.after
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(inherited_error: f64, relative_error: f64, count: u64, dominant: bool) -> String {
        let measured = Measured { value: 1.0, relative_error, inherited_error, count, dominant, ..Measured::default() };
        cause(&Cause { operation: "subtraction".into(), measured: Some(measured), ..Cause::default() })
    }

    #[test]
    fn an_error_is_introduced_amplified_propagated_or_accumulated() {
        assert_eq!(measured(0.0, 1e-16, 1, true), "error 1.0e-16 introduced in subtraction");
        assert_eq!(measured(1e-16, 0.25, 1, true), "error amplified from 1.0e-16 to 2.5e-1 in subtraction");
        assert_eq!(measured(0.25, 0.25, 1, true), "error 2.5e-1 propagated in subtraction");
        assert_eq!(measured(0.25, 0.2, 3, false), "error 2.0e-1 propagated, 3 times in subtraction");
        assert_eq!(measured(0.1, 0.25, 7, true), "error accumulated to 2.5e-1 in 7 steps in subtraction");
    }

    #[test]
    fn a_value_that_is_not_finite_is_named() {
        let measured = Measured { value: f64::NAN, count: 1, ..Measured::default() };
        assert_eq!(effect(&Cause { measured: Some(measured), ..Cause::default() }), "NaN");
    }

    #[test]
    fn reports_without_numbers_keep_their_words() {
        let cause = Cause { description: "rounded by 0.4 ulps".into(), ..Cause::default() };
        assert_eq!(effect(&cause), "rounded by 0.4 ulps");
        assert_eq!(effect(&Cause::default()), "error introduced");
    }
}
