//! Verdicts: pure functions from what a hook was handed to whether it is a finding.
//!
//! Precision, of a value `v` with residue `e`: the relative error |e| / |v + e| is past the limit of
//! the format. Silent are values that are not finite, an ideal that cannot be told from 0 beside a
//! value of 0, and pure rounding error (the ideal is nothing beside the value) on its way through
//! memory and calls, where compensated code keeps it; it counts once it leaves the program, decides
//! a branch or becomes an integer.

use nonius_abi::Precision;
use nonius_abi::site::{Observed, Op};
use nonius_numerics::error::{ideal_is_nothing_beside, indistinguishable_from_zero};
use nonius_numerics::{Error, Threshold};

/// What values are held against; arrays have an entry for each `abi::Precision`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    relative: [f64; 6],
    /// Errors up to here are a few ulps among the format's subnormals, whatever the relative error.
    least: [f64; 6],
    /// The observables at which precision is checked, a bit each.
    observed: u8,
}

impl Limits {
    pub fn new(threshold: Threshold, floor: f64, observed: &[Observed]) -> Limits {
        let relative = Precision::ALL.map(|p| threshold.relative_limit(p));
        let smallest_normal = Precision::ALL.map(|p| f64::exp2(f64::from(p.min_exponent())));
        let least = std::array::from_fn(|i| floor.max(relative[i] * smallest_normal[i]));
        Limits { relative, least, observed: observed.iter().fold(0, |set, &o| set | bit(o)) }
    }

    /// What `__nonius_limits` holds, as `abi::hooks` has it.
    pub fn inline(&self) -> [[f64; 6]; 3] {
        [self.filter(), self.relative, self.least]
    }

    /// |e| <= filter |v| is surely no finding, whatever `v + e` is.
    pub fn filter(&self) -> [f64; 6] {
        if self.observed == 0 { [f64::INFINITY; 6] } else { self.relative.map(|limit| limit / (1.0 + limit)) }
    }
}

fn bit(observed: Observed) -> u8 {
    1 << observed as u8
}

/// A value that is seen, and what is known of its ideal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    pub value: f64,
    pub residue: f64,
    /// An ideal this small cannot be told from 0.
    pub noise: f64,
}

impl Seen {
    /// The ideal, 0 if it cannot be told from 0.
    #[inline]
    pub fn ideal(self) -> f64 {
        let ideal = self.value + self.residue;
        if indistinguishable_from_zero(ideal, self.noise) { 0.0 } else { ideal }
    }

    /// The residue that leads to [`Seen::ideal`].
    #[inline]
    pub fn residue(self) -> f64 {
        if self.ideal() == 0.0 { -self.value } else { self.residue }
    }
}

/// The relative error, if the value has lost too much precision to pass.
#[inline]
pub fn precision(seen: Seen, precision: Precision, observed: Observed, limits: &Limits) -> Option<f64> {
    let (value, ideal, residue) = (seen.value, seen.ideal(), seen.residue());
    if !value.is_finite() || !ideal.is_finite() || limits.observed & bit(observed) == 0 {
        return None;
    }
    let (error, format) = (residue.abs(), precision as usize);
    if error <= limits.relative[format] * ideal.abs() || error <= limits.least[format] {
        return None;
    }
    let passes_on = matches!(observed, Observed::Return | Observed::Argument | Observed::Store);
    if passes_on && ideal_is_nothing_beside(value, residue, precision.nothing()) {
        return None;
    }
    // A division by 0 would leave its flag for the program to find.
    Some(if ideal == 0.0 { f64::INFINITY } else { error / ideal.abs() })
}

/// The greater relative error of two operands, if their comparison is one to judge.
pub fn compare(actual: [f64; 2], ideal: [f64; 2]) -> Option<f64> {
    let finite = actual.iter().chain(&ideal).all(|x| x.is_finite());
    finite.then(|| relative(actual[0], ideal[0]).max(relative(actual[1], ideal[1])))
}

/// |ideal - actual| / |ideal|, 0 for two zeros.
pub fn relative(actual: f64, ideal: f64) -> f64 {
    match ideal {
        _ if actual == ideal => 0.0,
        0.0 => f64::INFINITY,
        _ => (ideal - actual).abs() / ideal.abs(),
    }
}

/// The integers that a conversion makes of the value and of its ideal, if they differ.
pub fn cast(value: f64, residue: f64, precision: Precision, op: Op) -> Option<(f64, f64)> {
    let to_integer = match op {
        Op::ToIntegerRint => libm::rint,
        Op::ToIntegerRound => libm::round,
        _ => libm::trunc,
    };
    let ideal = rounded(value + residue, precision);
    // Beyond this, C leaves the result open.
    const LARGEST: f64 = 18_446_744_073_709_551_616.0;
    if !(value.abs() < LARGEST && ideal.abs() < LARGEST) {
        return None;
    }
    let (actual, ideal) = (to_integer(value), to_integer(ideal));
    (actual != ideal).then_some((actual, ideal))
}

/// `x` as the format would hold it, so that less than its rounding cannot flip an integer.
fn rounded(x: f64, precision: Precision) -> f64 {
    match precision {
        Precision::Double | Precision::X87 | Precision::Quad => x,
        Precision::Float => f64::from(x as f32),
        Precision::Half | Precision::Bfloat => {
            // Adding and taking away 1.5 ulps' worth of high bits leaves a multiple of the ulp.
            let ulp = f64::exp2(f64::from(precision.ulp_exponent(x)));
            let shift = 1.5 * f64::exp2(52.0) * ulp;
            (x + shift) - shift
        }
    }
}

/// Whether an LLVM `fcmp` predicate holds.
pub fn holds(predicate: u8, left: f64, right: f64) -> bool {
    let unordered = left.is_nan() || right.is_nan();
    let any_of = |bits: u8| predicate & bits != 0;
    // The four bits of the number: equal, greater, less, unordered.
    match (unordered, left == right, left > right) {
        (true, ..) => any_of(8),
        (_, true, _) => any_of(1),
        (_, _, true) => any_of(2),
        _ => any_of(4),
    }
}

/// How wrong a value is, in all measures.
pub fn error(value: f64, residue: f64, precision: Precision) -> Error {
    Error::of(value, residue, precision)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: &[Observed] = &[Observed::Return, Observed::Argument, Observed::Store, Observed::Output, Observed::Api];

    fn limits() -> Limits {
        Limits::new(Threshold::Standard, 0.0, ALL)
    }

    fn at(observed: Observed, value: f64, residue: f64, noise: f64) -> Option<f64> {
        precision(Seen { value, residue, noise }, Precision::Double, observed, &limits())
    }

    #[test]
    fn precision_verdicts() {
        use Observed::{Output, Store};
        let nothing = 1e-30;
        let cases = [
            // observed, value, residue, noise, found
            (Store, 1.0, 0.0, 0.0, false),
            (Store, 1.0, 1e-7, 0.0, false),
            (Store, 1.0, 1e-5, 0.0, true),
            (Store, -1.0, 1e-5, 0.0, true),
            (Store, 1e-300, 1e-305, 0.0, true),
            (Store, 0.0, 0.0, 0.0, false),
            (Store, 0.0, 1e-30, 0.0, true),
            // Not finite: no verdict.
            (Store, f64::NAN, 1.0, 0.0, false),
            (Store, 1.0, f64::NAN, 0.0, false),
            (Store, f64::INFINITY, 0.0, 0.0, false),
            (Store, f64::MAX, f64::MAX, 0.0, false),
            // Pure rounding error, on its way and at its end.
            (Store, nothing, -nothing, 0.0, false),
            (Output, nothing, -nothing, 0.0, true),
            (Store, 1.0, -1.0 + 1e-7, 0.0, false),
            (Output, 1.0, -1.0 + 1e-7, 0.0, true),
            (Store, 1.0, -1.0 + 1e-4, 0.0, true),
            (Store, 1.0, -0.99, 0.0, true),
            // An ideal within the noise counts as 0.
            (Output, 0.0, 1e-20, 1e-19, false),
            (Store, 1e-17, -1e-17 + 1e-20, 1e-19, false),
            (Output, 1e-17, -1e-17 + 1e-20, 1e-19, true),
            (Store, 1e-17, 1e-16, 1e-19, true),
        ];
        for (observed, value, residue, noise, found) in cases {
            let verdict = at(observed, value, residue, noise);
            assert_eq!(verdict.is_some(), found, "{observed:?} {value} {residue} {noise} gave {verdict:?}");
        }
        assert_eq!(at(Observed::Output, 1e-17, -1e-17, 0.0), Some(f64::INFINITY));
    }

    #[test]
    fn an_ulp_of_a_subnormal_is_no_finding() {
        assert_eq!(at(Observed::Output, 1e-322, 5e-324, 0.0), None);
        assert!(at(Observed::Output, 1e-310, 1e-311, 0.0).is_some());
        let float =
            |v, e| precision(Seen { value: v, residue: e, noise: 0.0 }, Precision::Float, Observed::Store, &limits());
        assert_eq!(float(1e-44, 1e-45), None);
        assert!(float(1e-30, 1e-33).is_some());
    }

    #[test]
    fn formats_have_their_own_limits() {
        let half =
            |e| precision(Seen { value: 1.0, residue: e, noise: 0.0 }, Precision::Half, Observed::Store, &limits());
        assert_eq!(half(0.01), None);
        assert!(half(0.1).is_some());
    }

    #[test]
    fn a_floor_and_switches_silence() {
        let seen = Seen { value: 1e-9, residue: 1e-10, noise: 0.0 };
        let with = |floor, on: &[Observed]| {
            precision(seen, Precision::Double, Observed::Store, &Limits::new(Threshold::Standard, floor, on))
        };
        assert!(with(0.0, ALL).is_some());
        assert_eq!(with(1e-9, ALL), None);
        assert_eq!(with(0.0, &[Observed::Output]), None);
        assert_eq!(Limits::new(Threshold::Standard, 0.0, &[]).filter(), [f64::INFINITY; 6]);
    }

    #[test]
    fn casts_flip_only_past_the_formats_rounding() {
        use Op::{ToInteger, ToIntegerRint, ToIntegerRound};
        let double = |v, e, op| cast(v, e, Precision::Double, op);
        assert_eq!(double(2.9999999999999996, 5e-16, ToInteger), Some((2.0, 3.0)));
        assert_eq!(double(2.9999999999999996, 1e-17, ToInteger), None);
        assert_eq!(double(2.5, 1e-10, ToIntegerRint), Some((2.0, 3.0)));
        assert_eq!(double(2.5, 1e-10, ToIntegerRound), None);
        assert_eq!(double(2.5, -1e-10, ToIntegerRound), Some((3.0, 2.0)));
        assert_eq!(double(-0.0, -1e-10, ToInteger), None);
        assert_eq!(double(f64::NAN, 1.0, ToInteger), None);
        assert_eq!(double(1e300, 1e290, ToInteger), None);
        assert_eq!(cast(2.9999998, 1.9e-7, Precision::Float, ToInteger), Some((2.0, 3.0)));
        assert_eq!(cast(2.9999998, 1e-9, Precision::Float, ToInteger), None);
        assert_eq!(cast(2.998, 0.0019, Precision::Half, ToInteger), Some((2.0, 3.0)));
        assert_eq!(cast(2.998, 0.0001, Precision::Half, ToInteger), None);
    }

    #[test]
    fn predicates_are_llvms() {
        let (oeq, ogt, olt, one, ord, uno, ueq, une) = (1, 2, 4, 6, 7, 8, 9, 14);
        assert!(holds(oeq, 1.0, 1.0) && !holds(oeq, 1.0, f64::NAN) && holds(ueq, 1.0, f64::NAN));
        assert!(holds(ogt, 2.0, 1.0) && !holds(ogt, 1.0, 2.0) && holds(olt, 1.0, 2.0));
        assert!(holds(one, 1.0, 2.0) && !holds(one, 1.0, 1.0) && holds(une, f64::NAN, 1.0));
        assert!(holds(ord, 1.0, 2.0) && holds(uno, f64::NAN, 2.0) && !holds(uno, 1.0, 2.0));
        assert!(!holds(0, 1.0, 1.0) && holds(15, 1.0, f64::NAN));
    }

    proptest! {
        #[test]
        fn what_the_filter_passes_is_no_finding(value: f64, share in -1.0f64..1.0, format in 0usize..6) {
            let limits = limits();
            let residue = value * limits.filter()[format] * share * 0.999;
            let seen = Seen { value, residue, noise: 0.0 };
            prop_assert_eq!(precision(seen, Precision::ALL[format], Observed::Output, &limits), None);
        }

        #[test]
        fn scale_changes_no_verdict(value in -1e3f64..1e3, residue in -1.0f64..1.0, noise in 0.0f64..1e-3, n in -200i32..200) {
            let scale = 2f64.powi(n);
            for observed in [Observed::Store, Observed::Output] {
                prop_assert_eq!(at(observed, value, residue, noise), at(observed, value * scale, residue * scale, noise * scale));
            }
        }

        #[test]
        fn the_verdict_is_that_of_the_threshold(value: f64, factor in -2.0f64..2.0) {
            let residue = value * factor;
            let error = Error::of(value, residue, Precision::Double);
            let expected = Threshold::Standard.is_exceeded_by(&error, Precision::Double);
            prop_assert_eq!(at(Observed::Output, value, residue, 0.0).is_some(), expected);
        }
    }
}
