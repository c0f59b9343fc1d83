//! Classes of findings whose error does no harm, by evidence of what was computed, never by names.
//!
//! A class is no verdict: the error is there. It says why one that looks for mistakes need not look here first. What
//! reached an output is shown whatever its class (`tier`).

use crate::Precision;
use crate::cause::Measured;
use crate::finding::Finding;
use crate::vocabulary::{Class, Kind};
use crate::worst::{Operand, Worst};

/// What an engine knows of the site of a finding, beside its values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// A comparison whose one outcome leads nowhere but to the end of the program or the test.
    pub ends: bool,
    /// A comparison for equality, or its opposite.
    pub is_equality: bool,
    /// A comparison that says how often a loop adds something to one of its sides.
    pub counts: bool,
    /// The program shows that it knows: it adds a constant and takes it away again, or an equality is the short way through
    /// a comparison with a tolerance.
    pub is_meant: bool,
    /// The program tests for a NaN that comes of the operation, for an infinity.
    pub nan_tested: bool,
    pub inf_tested: bool,
    /// A comparison that keeps the greater or the less of its sides, with what belongs to it.
    pub keeps: bool,
    /// Of a comparison that was followed each time: whether it was a tolerance test whenever it came out otherwise.
    pub tolerates: Option<bool>,
    /// The same: whether it was one, or its sides were alike (see [`are_alike`]).
    pub is_alike: Option<bool>,
}

/// Ideal sides that differ by so many ulps are equal but for rounding.
const FEW_ULPS: f64 = 4.0;

/// Of sides that differ by less than this share of them, either is as good a choice.
const ALIKE: f64 = 1.0 / 1024.0;

/// An error that is made in a conversion to a narrower format alone: so much of it, at least.
const MOSTLY: f64 = 0.5;

/// A rounding of a float, and of what is wider.
const A_ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// The class of a finding, if there is evidence for one.
pub fn classify(finding: &Finding, marks: Marks) -> Option<Class> {
    let worst = &finding.worst;
    match finding.kind {
        Kind::BranchFlip if marks.ends && marks.is_equality => Some(Class::Assertion),
        Kind::BranchFlip if marks.counts => None,
        Kind::BranchFlip if marks.is_meant => Some(Class::ToleranceTest),
        Kind::BranchFlip => {
            let tolerates = || are_nearly_equal(worst) || is_threshold_on_residual(worst);
            if marks.tolerates.unwrap_or_else(tolerates) {
                return Some(Class::ToleranceTest);
            }
            let is_alike = marks.is_alike.unwrap_or_else(|| are_alike(&worst.operands));
            (marks.keeps && is_alike).then_some(Class::Choice)
        }
        Kind::PrecisionLoss | Kind::Stage if marks.is_meant => Some(Class::OnPurpose),
        Kind::PrecisionLoss | Kind::Stage if is_residual(worst) => Some(Class::Residual),
        Kind::PrecisionLoss if is_of_narrowing(finding) => Some(Class::OnPurpose),
        Kind::Nan if marks.nan_tested => Some(Class::OnPurpose),
        Kind::Inf if marks.inf_tested => Some(Class::OnPurpose),
        Kind::Nan | Kind::Inf if is_power(&finding.operation) => Some(Class::OnPurpose),
        _ => None,
    }
}

/// Whether the value is what rounding left of a sum of much larger terms, and its ideal no more than that.
fn is_residual(worst: &Worst) -> bool {
    worst.left.is_some_and(|left| is_rest(left, worst.precision))
}

/// Whether what a sum left, as a share of its largest term, is what rounding leaves. A quarter of the format's bits is room
/// for sums of many terms.
fn is_rest(left: f64, precision: Precision) -> bool {
    left > 0.0 && left <= f64::exp2(-0.75 * f64::from(precision.bits()))
}

/// Whether a comparison that came out otherwise is a tolerance test. `left`: what the sums that made the sides left of their
/// largest terms; 0 of what is no sum.
pub fn is_tolerance_test(sides: [Operand; 2], left: [f64; 2], precision: Precision) -> bool {
    let rests = left.map(|left| is_rest(left, precision));
    let is_threshold = |of: usize| rests[of] && is_threshold(&sides[1 - of], precision);
    // What rounding left of one sum held against what it left of another: the order of two nothings.
    are_near(&sides, precision) || rests == [true, true] || is_threshold(0) || is_threshold(1)
}

/// Whether the sides of a comparison are alike in their first three digits, and the ideal ones too. Of such a pair either is
/// as good: what is kept is wrong by no more than that, and by its own error.
pub fn are_alike(sides: &[Operand]) -> bool {
    let [x, y] = sides else { return false };
    within(ALIKE, x.value, y.value) && within(ALIKE, x.shadow, y.shadow)
}

/// Whether the ideal sides of a comparison are equal but for a few ulps, and the actual ones agree in half their digits.
pub fn are_nearly_equal(worst: &Worst) -> bool {
    are_near(&worst.operands, worst.precision)
}

/// Ideally a tie, which an error broke that nobody would look at by itself.
fn are_near(sides: &[Operand], precision: Precision) -> bool {
    let [x, y] = sides else { return false };
    let ulps = FEW_ULPS * f64::exp2(1.0 - f64::from(precision.bits()));
    within(half(precision), x.value, y.value) && within(ulps, x.shadow, y.shadow)
}

fn within(relative: f64, a: f64, b: f64) -> bool {
    (a - b).abs() <= relative * a.abs().max(b.abs())
}

/// Half of a format's digits, or as many as make no finding of a value.
fn half(precision: Precision) -> f64 {
    f64::exp2(-(f64::from(precision.bits()) / 2.0).max(19.0))
}

/// Whether a residual was held against something else than 0, whose sign would be all that there is to know.
pub fn is_threshold_on_residual(worst: &Worst) -> bool {
    is_residual(worst) && worst.operands.iter().any(|o| is_threshold(o, worst.precision))
}

/// Whether a side is a number of which half the digits are right, as `epsilon * scale` is.
fn is_threshold(side: &Operand, precision: Precision) -> bool {
    side.value != 0.0 && within(half(precision), side.value, side.shadow)
}

/// Whether the error was made by a conversion to a narrower format: all that was computed since was right by that. What an
/// operation adds beyond a rounding of the narrower format is what it made of the errors of its operands.
fn is_of_narrowing(finding: &Finding) -> bool {
    let introduced = |m: &Measured| if m.typical { 0.0 } else { m.introduced_error.max(0.0) };
    let measured = || finding.causes.iter().filter_map(|c| Some((c, c.measured.as_ref()?)));
    let is_made = |m: &Measured| m.inherited_error == 0.0 || introduced(m) <= A_ROUNDING;
    let total: f64 = measured().map(|(_, m)| m).filter(|m| is_made(m)).map(introduced).sum();
    let conversions = measured().filter(|(c, m)| c.operation == "conversion" && is_made(m));
    let narrowed: f64 = conversions.map(|(_, m)| introduced(m)).sum();
    total > 0.0 && narrowed > MOSTLY * total
}

fn is_power(operation: &str) -> bool {
    matches!(operation, "call pow" | "call powf" | "call powi" | "call powl")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, Location, ObservedAt, Precision};

    fn loss(left: f64) -> Finding {
        let worst = Worst::new(1e-16, 0.0, Precision::Double).with_left(left);
        Finding::new(Kind::PrecisionLoss, ObservedAt::Store, Location::default(), "subtraction", worst)
    }

    fn flip(sides: [Operand; 2], left: f64) -> Finding {
        let worst = Worst::new(1.0, 0.0, Precision::Double).with_operands(&sides).with_left(left);
        Finding::new(Kind::BranchFlip, ObservedAt::Branch, Location::default(), "comparison", worst)
    }

    #[test]
    fn a_residual_is_left_of_much_larger_terms() {
        let of = |left| classify(&loss(left), Marks::default());
        assert_eq!(of(1e-16), Some(Class::Residual));
        assert_eq!((of(1e-8), of(0.0), of(f64::NAN)), (None, None, None));
        let marks = Marks { is_meant: true, ..Marks::default() };
        assert_eq!(classify(&loss(1.0), marks), Some(Class::OnPurpose));
    }

    #[test]
    fn a_tolerance_test_has_sides_that_are_equal_but_for_rounding() {
        let none = Marks::default();
        let next = f64::from_bits(1f64.to_bits() + 1);
        let near = flip([Operand::new(next, 1.0), Operand::new(1.0, 1.0)], 0.0);
        assert_eq!(classify(&near, none), Some(Class::ToleranceTest));
        assert_eq!(classify(&near, Marks { counts: true, ..none }), None);
        let tie = |x: f64| classify(&flip([Operand::new(x, 1.0), Operand::new(1.0, 1.0)], 0.0), none);
        assert_eq!((tie(1.0 + 1e-9), tie(1.0 + 1e-5)), (Some(Class::ToleranceTest), None));
        let far = flip([Operand::new(0.5, 1.5), Operand::new(1.0, 1.0)], 0.0);
        assert_eq!(classify(&far, none), None);
        // What has lost its digits is not near by luck.
        let lucky = flip([Operand::new(next, 1.5), Operand::new(1.0, 1.0)], 0.0);
        assert_eq!(classify(&lucky, none), None);
    }

    #[test]
    fn a_threshold_on_a_residual_is_a_tolerance_a_sign_is_none() {
        let side = Operand::new(1e-16, 0.0);
        let against = |x| classify(&flip([side, Operand::new(x, x)], 1e-16), Marks::default());
        assert_eq!((against(1e-17), against(0.0)), (Some(Class::ToleranceTest), None));
        // A threshold that was computed.
        let scaled = Operand::new(3e-17, 3e-17 * (1.0 + f64::EPSILON));
        assert_eq!(classify(&flip([side, scaled], 1e-16), Marks::default()), Some(Class::ToleranceTest));
        let lost = Operand::new(3e-17, 2e-17);
        assert_eq!(classify(&flip([side, lost], 1e-16), Marks::default()), None);
    }

    #[test]
    fn the_order_of_two_residuals_is_a_tolerance_test_if_it_always_is() {
        let sides = [Operand::new(1e-16, 0.0), Operand::new(2e-16, 0.0)];
        let double = Precision::Double;
        assert!(is_tolerance_test(sides, [1e-16, 2e-16], double));
        assert!(!is_tolerance_test(sides, [1e-16, 0.0], double), "one side is no sum");
        assert!(!is_tolerance_test(sides, [1e-16, 1e-6], double), "of one side more is left");
        let flip = flip(sides, 1e-16);
        let marks = |tolerates| Marks { tolerates, ..Marks::default() };
        assert_eq!(classify(&flip, marks(Some(true))), Some(Class::ToleranceTest));
        assert_eq!(classify(&flip, marks(Some(false))), None);
    }

    #[test]
    fn of_sides_that_are_alike_either_may_be_kept() {
        let alike = [Operand::new(1.0, 1.0002), Operand::new(1.0001, 1.0)];
        let keeps = Marks { keeps: true, ..Marks::default() };
        let of = |sides, marks| classify(&flip(sides, 0.0), marks);
        assert_eq!(of(alike, keeps), Some(Class::Choice));
        assert_eq!(of(alike, Marks::default()), None, "nothing is kept");
        assert_eq!(of(alike, Marks { is_alike: Some(false), ..keeps }), None, "not each time");
        assert_eq!(of(alike, Marks { counts: true, ..keeps }), None);
        let wrong = [Operand::new(1.0, 2.0), Operand::new(1.0001, 1.0)];
        assert_eq!(of(wrong, keeps), None, "ideally one is twice the other");
        let unlike = [Operand::new(3.0, 1.0), Operand::new(1.0, 1.0)];
        assert_eq!(of(unlike, keeps), None, "one came out three times the other");
        let unknown = [Operand::new(1.0, f64::NAN), Operand::new(1.0001, 1.0)];
        assert_eq!(of(unknown, keeps), None, "an ideal is not known");
    }

    /// The difference of two doubles that were kept as floats, and of two that were computed as floats.
    #[test]
    fn what_was_narrowed_is_on_purpose_what_was_computed_in_float_is_not() {
        let cause = |operation: &str, inherited_error, introduced_error| {
            let measured = Some(Measured { inherited_error, introduced_error, ..Measured::default() });
            Cause { operation: operation.into(), measured, ..Cause::default() }
        };
        let of = |between: &str| {
            let causes = vec![
                cause("subtraction", 3e-8, 0.05),
                cause(between, 2e-17, 3e-8),
                cause(between, 5e-18, 1e-8),
                cause("multiplication", 0.0, 2e-17),
            ];
            classify(&Finding { causes, ..loss(0.0) }, Marks::default())
        };
        assert_eq!((of("conversion"), of("multiplication")), (Some(Class::OnPurpose), None));
    }

    #[test]
    fn what_the_program_tests_for_is_on_purpose() {
        let of = |kind, marks| classify(&Finding { kind, ..loss(0.0) }, marks);
        let (nan, inf) =
            (Marks { nan_tested: true, ..Marks::default() }, Marks { inf_tested: true, ..Marks::default() });
        assert_eq!((of(Kind::Nan, nan), of(Kind::Inf, inf)), (Some(Class::OnPurpose), Some(Class::OnPurpose)));
        assert_eq!((of(Kind::Nan, inf), of(Kind::Inf, nan), of(Kind::PrecisionLoss, nan)), (None, None, None));
        let equal = flip([Operand::new(1.0, 2.0), Operand::new(2.0, 2.0)], 0.0);
        assert_eq!(classify(&equal, Marks { is_meant: true, ..Marks::default() }), Some(Class::ToleranceTest));
    }

    #[test]
    fn equality_that_ends_the_program_is_an_assertion() {
        let equal = flip([Operand::new(1.0, 2.0), Operand::new(1.0, 1.0)], 0.0);
        let marks = Marks { ends: true, is_equality: true, ..Marks::default() };
        assert_eq!(classify(&equal, marks), Some(Class::Assertion));
        assert_eq!(classify(&equal, Marks { is_equality: false, ..marks }), None);
        assert_eq!(classify(&equal, Marks { ends: false, ..marks }), None);
    }
}
