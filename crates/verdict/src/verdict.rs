//! Verdicts: pure functions from what is known of a value to whether it is a finding.
//!
//! What is known is an estimate: the ideal, and a radius within which the true one lies. A verdict is *found* or *clear*
//! if it is that for every ideal within the radius, else *open*: it depends on what the oracle does not know.
//!
//! Precision: the relative error |ideal - value| / |ideal| is past the limit of the format. Silent are values that are not
//! finite, and pure rounding error (the ideal is nothing beside the value, or cannot be told from it) on its way through
//! memory and calls, where compensated code keeps it; it counts once it leaves the program, decides a branch or becomes
//! an integer.

mod records;
mod steps;

pub use records::{asks_for_equality, is_near, is_recorded};
pub use steps::{cast, matters, remainder, sign_matters};

use nonius_abi::Precision;
use nonius_abi::site::Observed;
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

    /// Whether a value is as right as asked for.
    #[inline]
    pub fn allow(&self, value: f64, residue: f64, precision: Precision) -> bool {
        residue.abs() <= self.relative[precision as usize] * (value + residue).abs()
    }

    /// The largest relative error that passes in a format.
    pub fn relative(&self, precision: Precision) -> f64 {
        self.relative[precision as usize]
    }

    /// Whether precision is checked at an observable.
    pub fn looks_at(&self, observed: Observed) -> bool {
        self.observed & bit(observed) != 0
    }

    /// Whether precision is checked at any observable.
    pub fn looks_at_values(&self) -> bool {
        self.observed != 0
    }

    /// What `__nonius_limits` holds, as `abi::hooks` has it. `most_off`: what constants may be off by.
    pub fn inline(&self, most_off: f64) -> [[f64; 6]; 3] {
        [self.filter(), self.relative, [most_off; 6]]
    }

    /// What is too small to be an error of `value`.
    #[inline]
    pub fn least_of(&self, value: f64, precision: Precision) -> f64 {
        self.least[format_of(value, precision) as usize]
    }

    /// |e| <= filter |v| is surely no finding, whatever `v + e` is.
    pub fn filter(&self) -> [f64; 6] {
        if self.looks_at_values() { self.relative.map(|limit| limit / (1.0 + limit)) } else { [f64::INFINITY; 6] }
    }
}

/// The format that a value is judged in. Sites name the narrowest that it came through, but what is too small for that was
/// not rounded there.
pub fn format_of(value: f64, narrowest: Precision) -> Precision {
    if narrowest.reaches(value) { narrowest } else { Precision::Double }
}

fn bit(observed: Observed) -> u8 {
    1 << observed as u8
}

/// What is to be said of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict<T> {
    /// No finding, whatever the oracle does not know.
    Clear,
    /// It depends on that.
    Open,
    Found(T),
}

impl<T> Verdict<T> {
    #[inline]
    pub fn found(self) -> Option<T> {
        match self {
            Verdict::Found(found) => Some(found),
            Verdict::Clear | Verdict::Open => None,
        }
    }

    pub fn is_open(&self) -> bool {
        matches!(self, Verdict::Open)
    }
}

/// An ideal within this share of its value is as good as 0, whatever it is: two doubles beside each other do not hold both.
const NOTHING_BESIDE: f64 = f64::from_bits((1023 - 128) << 52);

/// A value that is seen, and what is known of its ideal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    pub value: f64,
    pub ideal: f64,
    /// Ideal minus value, for ideals that are nearly the value.
    pub residue: f64,
    /// The true ideal lies this close to `ideal`.
    pub radius: f64,
}

impl Seen {
    /// By the residue alone, as the inline engine has it.
    #[inline]
    pub fn by_residue(value: f64, residue: f64, radius: f64) -> Seen {
        Seen { value, ideal: value + residue, residue, radius }
    }

    /// Whether the ideal cannot be told from 0.
    #[inline]
    pub fn may_be_zero(&self) -> bool {
        self.radius > 0.0 && self.radius.is_finite() && self.ideal.abs() <= self.radius
    }

    /// Whether nothing is known of the ideal, not even that it is nothing beside the value: its digits are worth asking for
    /// where it is shown.
    pub fn is_vague(&self) -> bool {
        self.radius >= self.ideal.abs() && !self.is_nearly_known()
    }

    /// Whether what is not known of the ideal is nothing beside the value, or beside every double.
    pub fn is_nearly_known(&self) -> bool {
        self.radius <= (NOTHING_BESIDE * self.value.abs()).max(f64::from_bits(1))
    }

    /// The ideal as far as it is known: 0 if it cannot be told from that.
    #[inline]
    pub fn known_ideal(&self) -> f64 {
        if self.may_be_zero() { 0.0 } else { self.ideal }
    }

    /// The residue that leads to [`Seen::known_ideal`].
    #[inline]
    pub fn known_residue(&self) -> f64 {
        if self.may_be_zero() { -self.value } else { self.residue }
    }

    /// The least and the largest that the ideal may be, each rounded once: beside the value it has more digits than as
    /// a double.
    #[inline]
    pub fn ends(&self) -> [f64; 2] {
        let Seen { value, ideal, residue, radius } = *self;
        match residue.abs() < 0.5 * ideal.abs() {
            true => [value + (residue - radius), value + (residue + radius)],
            false => [ideal - radius, ideal + radius],
        }
    }

    /// The same where the ideal may lie so much further away.
    #[inline]
    #[must_use]
    pub fn widened(self, by: f64) -> Seen {
        Seen { radius: self.radius + by, ..self }
    }

    /// The same where the ideal counts as 0 if it cannot be told from it.
    #[inline]
    #[must_use]
    pub fn with_zeros(self) -> Seen {
        let radius = if self.may_be_zero() { 0.0 } else { self.radius };
        Seen { ideal: self.known_ideal(), residue: self.known_residue(), radius, ..self }
    }
}

/// What a residue of the inline engine leaves unknown of a value, beside what is known of the sum that made it
/// (`seen.radius`, 0 for a value that came from elsewhere).
///
/// * Memory keeps as many digits of a residue as the value's format has, and roundings have spoilt the last few.
/// * Where values cancelled, residues did too, and what is left of them has the last digits of larger ones. A value that is
///   not 0 is no less than an ulp of what it was subtracted from, which bounds that; beside an ideal that is smaller than
///   the value, slopes (of roots, quotients, functions) may have raised it by as much. A root raises it by half of its
///   digits; an ideal that is 0 is told from the value all the same.
/// * A value that cancelled to 0 says nothing of what that was. But its residue is no mark of doubt, so it is past what
///   that begins at: the least share of the operands that is not taken for noise.
pub fn residue_radius(seen: Seen, precision: Precision) -> f64 {
    const SPOILT: i32 = 5;
    /// Beyond a root's 2^27.
    const STEEPEST: f64 = (1u64 << 29) as f64;
    let power = |exponent: i32| f64::exp2(f64::from(exponent));
    let bits = precision.bits() as i32;
    let is_wide = precision < Precision::Double;
    let by_digits = seen.residue.abs() * power(SPOILT - bits.min(f64::MANTISSA_DIGITS as i32));
    // A value that is right but for its last digits did not cancel, or what cancelled was exact.
    let is_accurate = seen.residue.abs() <= seen.value.abs() * power(if is_wide { -22 } else { -26 });
    let by_value = match seen.value {
        0.0 if seen.radius > 0.0 => 0.0,
        value if value != 0.0 && is_accurate => 0.0,
        0.0 => seen.residue.abs() * power(if is_wide { -8 } else { -14 }),
        value => {
            let slope = (value / seen.ideal).abs().clamp(1.0, STEEPEST);
            let digits = f64::MANTISSA_DIGITS as i32 - if is_wide { bits } else { 0 };
            value.abs() * slope * power(SPOILT - digits)
        }
    };
    by_digits.max(by_value)
}

/// The relative error, if the value has lost too much precision to pass.
#[inline]
pub fn precision(seen: Seen, precision: Precision, observed: Observed, limits: &Limits) -> Verdict<f64> {
    let Seen { value, ideal, residue, radius } = seen;
    if !value.is_finite() || ideal.is_nan() || limits.observed & bit(observed) == 0 {
        return Verdict::Clear;
    }
    let passes_on = matches!(observed, Observed::Return | Observed::Argument | Observed::Store);
    let (error, size, format) = (residue.abs(), ideal.abs(), precision as usize);
    let limit = limits.relative[format];
    // Beyond the range of doubles, as is what bounds it; a residue that is not says by how much.
    if ideal.is_infinite() {
        let relative = (error / 4.0) / (value / 4.0 + residue / 4.0).abs();
        return if relative <= limit { Verdict::Clear } else { Verdict::Found(relative.min(1.0)) };
    }
    if error + radius <= limit * (size - radius) {
        return Verdict::Clear;
    }
    let least = limits.least_of(value, precision);
    if error + radius <= least {
        return Verdict::Clear;
    }
    if error - radius <= (limit * (size + radius)).max(least) {
        return if passes_on { Verdict::Clear } else { Verdict::Open };
    }
    if passes_on && value != 0.0 && size <= (precision.nothing() * value.abs()).max(radius) {
        return Verdict::Clear;
    }
    // A division by 0 would leave its flag for the program to find.
    Verdict::Found(if seen.known_ideal() == 0.0 { f64::INFINITY } else { error / size })
}

/// A comparison by `predicate` of two values: the greater relative error, if the ideals compare otherwise. Ideals come
/// rounded to the program's format, the best that it could have had.
pub fn flips(predicate: u8, sides: [Seen; 2]) -> Verdict<f64> {
    let [left, right] = sides;
    let actually = holds(predicate, left.value, right.value);
    let (radius, gap) = (left.radius + right.radius, (left.ideal - right.ideal).abs());
    if radius == 0.0 || gap > radius {
        let flips = actually != holds(predicate, left.ideal, right.ideal);
        return match compare([left.value, right.value], [left.ideal, right.ideal]) {
            Some(error) if flips => Verdict::Found(error),
            _ => Verdict::Clear,
        };
    }
    // Less, equal or greater: nobody knows.
    let ideally = [(0.0, 1.0), (0.0, 0.0), (1.0, 0.0)].map(|(x, y)| holds(predicate, x, y));
    match ideally.iter().all(|&outcome| outcome == actually) {
        true => Verdict::Clear,
        false => Verdict::Open,
    }
}

/// Whether a comparison comes out otherwise wherever within `ranges` the ideals of its sides lie, rounded to the
/// program's format, and their `difference` before that.
pub fn flips_within(predicate: u8, actual: [f64; 2], ranges: [[f64; 2]; 2], difference: [f64; 2]) -> bool {
    let actually = holds(predicate, actual[0], actual[1]);
    let [[x_low, x_high], [y_low, y_high]] = ranges;
    // What is rounded keeps its order, or becomes equal.
    let less = x_low < y_high && difference[0] < 0.0;
    let equal = x_low <= y_high && y_low <= x_high;
    let greater = x_high > y_low && difference[1] > 0.0;
    let outcomes = [(less, 0.0, 1.0), (equal, 0.0, 0.0), (greater, 1.0, 0.0)];
    outcomes.iter().all(|&(is_possible, x, y)| !is_possible || holds(predicate, x, y) != actually)
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

    fn at(observed: Observed, value: f64, residue: f64, radius: f64) -> Verdict<f64> {
        precision(Seen::by_residue(value, residue, radius), Precision::Double, observed, &limits())
    }

    /// What is too small for the narrow format was not rounded among its subnormals: of that a tiny error counts.
    #[test]
    fn values_that_came_through_a_narrower_format() {
        let verdict = |value, ideal, format| {
            precision(Seen::by_residue(value, ideal - value, 0.0), format, Observed::Store, &limits()).found().is_some()
        };
        let subnormal = f64::from(1e-43_f32);
        assert!(!verdict(subnormal, subnormal * (1.0 + 1e-5), Precision::Float));
        assert!(verdict(1e-50, 1.1e-50, Precision::Float));
        assert!(verdict(3e-185, 1e-186, Precision::Float));
        assert!(verdict(3e-185, 1e-186, Precision::Half));
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
            // The ideal is beyond the range.
            (Store, f64::MAX, f64::MAX, 0.0, true),
            (Store, 1.0, f64::MAX, 0.0, true),
            // By less than rounding.
            (Store, f64::MAX, 2f64.powi(970), 0.0, false),
            // Pure rounding error, on its way and at its end.
            (Store, nothing, -nothing, 0.0, false),
            (Output, nothing, -nothing, 0.0, true),
            (Store, 1.0, -1.0 + 1e-7, 0.0, false),
            (Output, 1.0, -1.0 + 1e-7, 0.0, true),
            (Store, 1.0, -1.0 + 1e-4, 0.0, true),
            (Store, 1.0, -0.99, 0.0, true),
            // An ideal within the radius of 0 is no finding by itself, and pure rounding error beside a larger value.
            (Output, 0.0, 1e-20, 1e-19, false),
            (Store, 1e-17, -1e-17 + 1e-20, 1e-19, false),
            (Output, 1e-17, -1e-17 + 1e-20, 1e-19, true),
            (Store, 1e-17, 1e-16, 1e-19, true),
        ];
        for (observed, value, residue, noise, found) in cases {
            let verdict = at(observed, value, residue, noise);
            assert_eq!(verdict.found().is_some(), found, "{observed:?} {value} {residue} {noise} gave {verdict:?}");
        }
        assert_eq!(at(Observed::Output, 1e-17, -1e-17, 0.0), Verdict::Found(f64::INFINITY));
    }

    #[test]
    fn a_verdict_that_hangs_on_what_is_not_known_is_open() {
        use Observed::{Output, Store};
        // 0, of an ideal that may be 0 as well or may not.
        assert_eq!(at(Output, 0.0, 1e-20, 1e-19), Verdict::Open);
        assert_eq!(at(Output, 0.0, 0.0, 1e-19), Verdict::Open);
        assert_eq!(at(Store, 0.0, 0.0, 1e-19), Verdict::Clear);
        assert_eq!(at(Output, 0.0, 0.0, 0.0), Verdict::Clear);
        // On both sides of the limit, 2^-19.
        assert_eq!(at(Output, 1.0, 1.9e-6, 1e-7), Verdict::Open);
        assert_eq!(at(Output, 1.0, 1.9e-6, 1e-9), Verdict::Clear);
        assert!(at(Output, 1.0, 2.1e-6, 1e-9).found().is_some());
        assert_eq!(at(Output, 1.0, 0.0, f64::INFINITY), Verdict::Open);
        // What is beyond the smallest numbers of the format is nothing.
        assert_eq!(at(Output, 0.0, 0.0, 5e-324), Verdict::Clear);
    }

    #[test]
    fn comparisons_of_ideals_that_may_be_equal_are_open() {
        let (oeq, ogt, olt, ord) = (1, 2, 4, 7);
        let sides = |x: [f64; 3], y: [f64; 3]| [x, y].map(|[v, e, r]| Seen::by_residue(v, e, r));
        // Equal values whose ideals may differ.
        let near = sides([1.0, 0.0, 1e-70], [1.0, 0.0, 0.0]);
        for predicate in [oeq, ogt, olt] {
            assert_eq!(flips(predicate, near), Verdict::Open);
        }
        assert_eq!(flips(ord, near), Verdict::Clear);
        assert_eq!(flips(oeq, sides([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])), Verdict::Clear);
        let apart = sides([1.0, 0.5, 1e-9], [1.2, 0.0, 1e-9]);
        assert!(flips(olt, apart).found().is_some());
        assert_eq!(flips(olt, sides([1.0, 0.1, 1e-9], [1.2, 0.0, 1e-9])), Verdict::Clear);
        // Rump's polynomial: the ideal is nothing beside the value, and decides.
        let rump = Seen { value: 1.18e21, ideal: -0.827, residue: -1.18e21, radius: 1e-50 };
        assert!(flips(olt, [rump, Seen::by_residue(-0.5, 0.0, 0.0)]).found().is_some());
    }

    #[test]
    fn a_flip_stands_if_it_is_one_wherever_the_ideals_lie() {
        let (oeq, olt, ole) = (1, 4, 5);
        let (low, one, high) = (1.0 - f64::EPSILON / 2.0, 1.0, 1.0 + f64::EPSILON);
        let less_than_one = |range| flips_within(olt, [low, one], [range, [one; 2]], [-1e-17, 1e-16]);
        // Ten times 0.1 is no less than 1, be it 1 or more.
        assert!(less_than_one([one, high]) && less_than_one([one, one]));
        assert!(!less_than_one([low, one]));
        assert!(!flips_within(oeq, [one; 2], [[low, high], [one; 2]], [-1e-16, 1e-16]));
        assert!(flips_within(oeq, [one; 2], [[high, high], [one; 2]], [1e-16, 3e-16]));
        // Both sides move together: the right one stays above.
        let ranges = [[low, high]; 2];
        assert!(!flips_within(ole, [high, one], ranges, [-1e-16, 1e-16]));
        assert!(flips_within(ole, [high, one], ranges, [-1e-16, -1e-17]));
    }

    #[test]
    fn an_ulp_of_a_subnormal_is_no_finding() {
        assert_eq!(at(Observed::Output, 1e-322, 5e-324, 0.0), Verdict::Clear);
        assert!(at(Observed::Output, 1e-310, 1e-311, 0.0).found().is_some());
        let float = |v, e| precision(Seen::by_residue(v, e, 0.0), Precision::Float, Observed::Store, &limits());
        assert_eq!(float(1e-44, 1e-45), Verdict::Clear);
        assert!(float(1e-30, 1e-33).found().is_some());
    }

    #[test]
    fn formats_have_their_own_limits() {
        let half = |e| precision(Seen::by_residue(1.0, e, 0.0), Precision::Half, Observed::Store, &limits());
        assert_eq!(half(0.01), Verdict::Clear);
        assert!(half(0.1).found().is_some());
    }

    #[test]
    fn a_floor_and_switches_silence() {
        let seen = Seen::by_residue(1e-9, 1e-10, 0.0);
        let with = |floor, on: &[Observed]| {
            precision(seen, Precision::Double, Observed::Store, &Limits::new(Threshold::Standard, floor, on))
        };
        assert!(with(0.0, ALL).found().is_some());
        assert_eq!(with(1e-9, ALL), Verdict::Clear);
        assert_eq!(with(0.0, &[Observed::Output]), Verdict::Clear);
        assert_eq!(Limits::new(Threshold::Standard, 0.0, &[]).filter(), [f64::INFINITY; 6]);
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
            let seen = Seen::by_residue(value, residue, 0.0);
            prop_assert_eq!(precision(seen, Precision::ALL[format], Observed::Output, &limits), Verdict::Clear);
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
            prop_assert_eq!(at(Observed::Output, value, residue, 0.0).found().is_some(), expected || residue.is_infinite());
        }
    }
}
