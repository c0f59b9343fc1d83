//! A residue that knows its largest contributors, and how one is made of the terms of a residue function.
//!
//! Every residue function is a sum: a term for what the operation itself rounded away, and one for each operand, which
//! is a factor times that operand's residue (RePo, section 4.2). The factors may depend on the residues, so nothing is
//! left out by writing it so.

use super::plan::{Absorption, Contributor};
use nonius_numerics::eft::two_sum;

/// An operation of the run: its thread in the upper bits, its ordinal in the thread in the lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(pub(super) u64);

impl OpId {
    /// In place of a contributor where there is none: of a value without error, or whose error came from outside.
    pub const NONE: OpId = OpId(u64::MAX);

    /// A million million operations a thread.
    const ORDINAL_BITS: u32 = 40;

    #[must_use]
    pub const fn new(thread: u32, ordinal: u64) -> OpId {
        OpId((thread as u64) << OpId::ORDINAL_BITS | ordinal)
    }

    pub fn is_none(self) -> bool {
        self == OpId::NONE
    }

    #[must_use]
    pub const fn thread(self) -> u32 {
        (self.0 >> OpId::ORDINAL_BITS) as u32
    }

    /// The one behind it in its thread.
    #[must_use]
    pub const fn following(self) -> OpId {
        OpId(self.0 + 1)
    }

    /// The last that its thread can have.
    #[must_use]
    pub const fn last_of_thread(self) -> OpId {
        OpId::new(self.thread(), (1 << OpId::ORDINAL_BITS) - 1)
    }
}

/// A residue counts as cancelled where its terms are this much larger: at most 13 of its 53 bits are right then, were
/// the terms right to the last. Verdicts need a few; what the paper calls "a predefined large threshold".
const CANCELLED: f64 = (1u64 << 40) as f64;

/// A residue counts as absorbed where all terms but the largest are at most this much of it. The paper has "all but a
/// few ulps" (section 5.2); but terms are rounded themselves, and what is only some ulps larger than their roundings
/// is noise once the largest is gone. So this is the other side of [`CANCELLED`]: what is left of a residue that was
/// not absorbed has some bits that are right, however it cancels.
const ABSORBED: f64 = 1.0 / CANCELLED;

/// What the product of a factor and a residue, and the factor, round away at most: two ulps.
const TERM_ROUNDING: f64 = 1.0 / (1u64 << 51) as f64;

/// Above [`Residue::noise`].
const HEADROOM: f64 = 8.0;

/// Ideal minus actual, and who contributed most to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residue {
    pub value: f64,
    /// How far `value` may be off: what its arithmetic rounded away on the way, absorbed terms included. To first
    /// order, and with nothing for the factors' own dependence on residues.
    pub noise: f64,
    /// The operation whose rounding contributed most.
    pub largest: OpId,
    /// And the one that contributed most of the rest.
    pub second: OpId,
    /// The first operation of those that led to it that was not exact: whoever does it and all that follow with more
    /// bits knows the ideal with more bits.
    pub since: OpId,
    /// The operation whose residue it is.
    pub made: OpId,
    /// Contributions are missing, because others were too large beside them.
    pub is_absorbed: bool,
    /// Its terms cancelled, to nothing or nearly so.
    pub is_zero: bool,
}

impl Residue {
    /// Of a value without error.
    pub const EXACT: Residue = Residue {
        value: 0.0,
        noise: 0.0,
        largest: OpId::NONE,
        second: OpId::NONE,
        since: OpId::NONE,
        made: OpId::NONE,
        is_absorbed: false,
        is_zero: false,
    };

    /// Of a value whose ideal left the range: nothing is known of it.
    pub const UNKNOWN: Residue = Residue { noise: f64::INFINITY, ..Residue::EXACT };

    /// An error that no operation of the run has made.
    #[must_use]
    pub fn from_outside(value: f64) -> Residue {
        Residue { value, ..Residue::EXACT }
    }

    /// As it is known by more bits: within `radius` of `value`, and rounded to a double.
    pub(super) fn measured(self, value: f64, radius: f64) -> Residue {
        let noise = radius / HEADROOM + value.abs() * f64::EPSILON;
        Residue { value, noise, is_absorbed: false, is_zero: false, ..self }
    }

    /// How far it may be off, with headroom for what `noise` leaves out.
    #[must_use]
    pub fn bound(&self) -> f64 {
        HEADROOM * self.noise
    }

    #[inline(always)]
    pub(super) fn is_exact(&self) -> bool {
        let flags = u64::from(self.is_absorbed) | u64::from(self.is_zero);
        let contributors = !(self.largest.0 & self.second.0);
        self.value.to_bits() | self.noise.to_bits() | contributors | flags == 0
    }
}

/// What an operand contributes: its residue, amplified. Without what its residue is not asked for: terms are to stay in
/// registers.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    value: f64,
    /// What its operand's noise comes to.
    noise: f64,
    largest: OpId,
    second: OpId,
    since: OpId,
    is_absorbed: bool,
}

impl Term {
    #[inline(always)]
    pub fn amplified(from: &Residue, factor: f64) -> Term {
        // An infinite factor of nothing is nothing.
        let value = if from.value == 0.0 { 0.0 } else { factor * from.value };
        Term::new(from, value, factor)
    }

    #[inline(always)]
    pub fn divided(from: &Residue, by: f64) -> Term {
        let value = if from.value == 0.0 { 0.0 } else { from.value / by };
        Term::new(from, value, 1.0 / by)
    }

    /// A contribution that was worked out as a whole. Noise is amplified by the slope at the ideal, and as the residue was.
    #[inline(always)]
    pub fn whole(from: &Residue, value: f64, slope: f64) -> Term {
        let ratio = if from.value == 0.0 { 0.0 } else { (value / from.value).abs() };
        let slope = if slope.is_nan() { f64::INFINITY } else { slope.abs() };
        Term::new(from, value, ratio.max(slope))
    }

    /// A contribution whose noise has a factor of its own. Noise that underflows is still some.
    #[inline(always)]
    pub fn new(from: &Residue, value: f64, factor: f64) -> Term {
        let is_none = from.noise == 0.0 || factor == 0.0;
        let noise = if is_none { 0.0 } else { (factor * from.noise).abs().max(f64::from_bits(1)) };
        let &Residue { largest, second, since, is_absorbed, .. } = from;
        Term { value, noise, largest, second, since, is_absorbed }
    }

    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.value
    }
}

/// Whether the terms are what they should be to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Terms {
    Exact,
    Rounded,
    /// And the own one comes from an evaluation that may be off by this much.
    Evaluated(f64),
}

/// The sum of a residue function's terms.
#[derive(Clone, Copy, Debug)]
pub struct Sum<const N: usize> {
    pub op: OpId,
    /// What the operation itself contributes.
    pub introduced: f64,
    pub terms: [Term; N],
    pub kind: Terms,
}

impl<const N: usize> Sum<N> {
    /// The same without what the operation itself rounded away.
    #[must_use]
    pub fn silenced(self) -> Self {
        let kind = if self.kind == Terms::Exact { Terms::Exact } else { Terms::Rounded };
        Sum { introduced: 0.0, kind, ..self }
    }

    /// The residue, and whether it is spoilt: its terms cancelled, and one of them lacks contributions.
    ///
    /// The sum is compensated, so that its order does not matter: what is lost was lost in an operand.
    #[inline(always)]
    #[must_use]
    pub fn residue(&self) -> (Residue, bool) {
        let (mut high, mut low, mut size, mut inherited) = (self.introduced, 0.0, self.introduced.abs(), 0.0);
        let mut least = if size > 0.0 { size } else { f64::INFINITY };
        for term in &self.terms {
            let (sum, rest) = two_sum(high, term.value);
            (high, low) = (sum, low + rest);
            size += term.value.abs();
            least = if term.value == 0.0 { least } else { least.min(term.value.abs()) };
            inherited += term.noise;
        }
        let value = high + low;
        let (made, since) = (self.op, self.since());
        if !(size < f64::INFINITY && value.is_finite()) {
            return (Residue { made, since, ..Residue::UNKNOWN }, false);
        }
        let rounded = match self.kind {
            Terms::Exact => 0.0,
            Terms::Rounded => size * TERM_ROUNDING,
            Terms::Evaluated(off) => size * TERM_ROUNDING + off,
        };
        let noise = inherited + ((high - value) + low).abs() + rounded;
        let noise = if noise.is_nan() { f64::INFINITY } else { noise };
        if size == 0.0 {
            let residue = if noise == 0.0 { Residue::EXACT } else { Residue { noise, made, since, ..Residue::EXACT } };
            return (residue, false);
        }
        let Ranks { largest, second } = self.ranks();
        // An evaluation that is off by more than a few ulps of the residue lacks contributions just as well.
        let is_vague = matches!(self.kind, Terms::Evaluated(off) if off > ABSORBED * value.abs()) && largest == self.op;
        // What an operand lacks, the result lacks too. (The paper has no word on this.)
        let hands_on = self.terms.iter().any(|term| term.is_absorbed && term.value != 0.0);
        let is_absorbed = hands_on || is_vague || least <= ABSORBED * value.abs();
        let is_zero = size > CANCELLED * value.abs();
        let residue = Residue { value, noise, largest, second, since, made, is_absorbed, is_zero };
        (residue, is_zero && self.is_spoilt(&residue))
    }

    /// Where the first of those that led to it was not exact.
    #[inline(always)]
    fn since(&self) -> OpId {
        let is_exact = self.introduced == 0.0 && !matches!(self.kind, Terms::Evaluated(_));
        let introduced = if is_exact { OpId::NONE } else { self.op };
        self.terms.iter().fold(introduced, |since, term| since.min(term.since))
    }

    /// Whether what cancelled lacks contributions, so that what is left says nothing.
    ///
    /// Beyond the paper: where the operation's own rounding cancelled, what is left may be noise without any
    /// absorption. Equal residues of two operands mostly come from equal computations, whose noise is equal too; a
    /// rounding and a residue that it happens to undo, as that of `sqrt(x)` where the ideal root is a double, have
    /// nothing in common.
    fn is_spoilt(&self, residue: &Residue) -> bool {
        let left = residue.value;
        let introduced_is_gone = self.introduced.abs() > 2.0 * left.abs();
        introduced_is_gone && residue.bound() > left.abs() || self.cancelled(left).any(|term| term.is_absorbed)
    }

    /// Operands whose terms are gone from the sum: larger than what is left.
    #[inline(always)]
    fn cancelled(&self, left: f64) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(move |term| term.value.abs() > 2.0 * left.abs())
    }

    /// The largest and second-largest contributors (sections 5.1 and 6.3). In ties the operation itself comes before
    /// its operands for the largest, and behind them for the second; of operands the earlier is the largest.
    ///
    /// Beyond the paper: where nothing else contributes, or only what has the same largest contributor, the second is
    /// the largest operand's own. Else each exact operation would forget it.
    #[inline(always)]
    fn ranks(&self) -> Ranks {
        let first = (1..self.terms.len())
            .fold(0, |best, at| if self.terms[at].value.abs() > self.terms[best].value.abs() { at } else { best });
        let introduced = self.introduced.abs();
        let Some(top) = self.terms.get(first).filter(|top| top.value.abs() > introduced) else {
            let second = self.largest_but(usize::MAX).map_or(OpId::NONE, |term| term.largest);
            return Ranks { largest: self.op, second };
        };
        let runner_up = match self.largest_but(first) {
            Some(term) if term.value.abs() >= introduced => term.largest,
            _ if introduced > 0.0 => self.op,
            _ => OpId::NONE,
        };
        let largest = top.largest;
        let second = if runner_up.is_none() || runner_up == largest { top.second } else { runner_up };
        Ranks { largest, second }
    }

    /// The largest term of an operand other than this one, the last in ties; `None` if there is only nothing.
    #[inline(always)]
    fn largest_but(&self, but: usize) -> Option<&Term> {
        let mut best: Option<&Term> = None;
        for (at, term) in self.terms.iter().enumerate() {
            let size = term.value.abs();
            if at != but && size > 0.0 && best.is_none_or(|best| size >= best.value.abs()) {
                best = Some(term);
            }
        }
        best
    }

    /// What is to be silenced so that contributions below the cancelled ones show.
    ///
    /// Beyond the paper: the operation's own rounding too, if it is what cancelled; and not a contributor to what is
    /// left, which may be all that is looked for.
    #[cold]
    pub fn absorption(&self, residue: &Residue) -> Absorption {
        let left = residue.value;
        let operands = self.cancelled(left).map(|term| Contributor { largest: term.largest, second: term.second });
        let introduced =
            (self.introduced.abs() > 2.0 * left.abs()).then_some(Contributor { largest: self.op, second: OpId::NONE });
        let contributors = operands.chain(introduced).collect();
        Absorption { op: self.op, since: residue.since, contributors, most: left.abs() + residue.bound() }
    }
}

struct Ranks {
    largest: OpId,
    second: OpId,
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP: OpId = OpId::new(1, 7);
    const A: OpId = OpId::new(0, 1);
    const B: OpId = OpId::new(0, 2);
    const C: OpId = OpId::new(0, 3);
    const D: OpId = OpId::new(0, 4);

    fn of(value: f64, largest: OpId, second: OpId) -> Residue {
        Residue { value, largest, second, ..Residue::EXACT }
    }

    fn sum(introduced: f64, operands: &[Residue]) -> (Residue, bool) {
        let of = |at: usize| operands.get(at).unwrap_or(&Residue::EXACT);
        let terms: [Term; 3] = std::array::from_fn(|at| Term::amplified(of(at), 1.0));
        Sum { op: OP, introduced, terms, kind: Terms::Exact }.residue()
    }

    #[test]
    fn the_largest_contributor_and_the_second() {
        let (x, y) = (of(1.0, A, B), of(0.5, C, D));
        let cases = [
            // introduced, operands, largest, second
            (2.0, vec![x, y], OP, A),
            (0.75, vec![x, y], A, OP),
            (0.25, vec![x, y], A, C),
            (0.25, vec![y, x], A, C),
            // Ties.
            (1.0, vec![x, y], OP, A),
            (0.5, vec![x, y], A, C),
            (0.0, vec![x, of(-1.0 - 1e-9, C, D)], C, A),
            (0.0, vec![x, of(1.0, C, D)], A, C),
            (3.0, vec![x, of(1.0, C, D)], OP, C),
            // Nothing else, or nobody else.
            (0.0, vec![x, Residue::EXACT], A, B),
            (0.0, vec![x, of(0.5, A, D)], A, B),
            (0.0, vec![x], A, B),
            (1.0, vec![], OP, OpId::NONE),
            (0.0, vec![Residue::EXACT, Residue::EXACT], OpId::NONE, OpId::NONE),
            // Three operands.
            (0.1, vec![of(0.2, A, A), of(0.3, B, B), of(0.4, C, C)], C, B),
        ];
        for (introduced, operands, largest, second) in cases {
            let (residue, _) = sum(introduced, &operands);
            assert_eq!((residue.largest, residue.second), (largest, second), "{introduced} {operands:?}");
        }
    }

    #[test]
    fn what_is_small_beside_the_rest_is_absorbed() {
        for (introduced, operand, is_absorbed) in
            [(1.0, 1e-50, true), (1.0, 0.0, false), (1e-50, 1.0, true), (1.0, 1e-10, false), (1.0, 1e-13, true)]
        {
            assert_eq!(sum(introduced, &[of(operand, A, B)]).0.is_absorbed, is_absorbed, "{introduced} {operand}");
        }
        let absorbed = Residue { is_absorbed: true, ..of(1.0, A, B) };
        assert!(sum(0.5, &[absorbed]).0.is_absorbed && sum(3.0, &[absorbed]).0.is_absorbed, "it is handed on");
        assert!(!sum(3.0, &[Residue { value: 0.0, ..absorbed }]).0.is_absorbed, "not by what contributes nothing");
    }

    #[test]
    fn a_vague_evaluation_is_absorbed() {
        let of_function =
            |introduced, off| Sum { op: OP, introduced, terms: [], kind: Terms::Evaluated(off) }.residue().0;
        assert!(of_function(1e-17, 1e-28).is_absorbed && !of_function(1.0, 1e-28).is_absorbed);
        let terms = [Term::whole(&of(1.0, A, B), 1.0, 1.0)];
        let sum = Sum { op: OP, introduced: 1e-3, terms, kind: Terms::Evaluated(1e-10) };
        assert!(!sum.residue().0.is_absorbed, "what it would silence is not its introduced");
        assert!(!sum.silenced().residue().0.is_absorbed);
    }

    #[test]
    fn a_residue_is_spoilt_if_what_cancelled_was_absorbed() {
        let (x, y) = (of(1.0, A, B), of(-1.0, C, D));
        let absorbed = Residue { is_absorbed: true, ..x };
        for (introduced, operands, is_zero, is_spoilt) in [
            (0.0, vec![x, y], true, false),
            (0.0, vec![absorbed, y], true, true),
            (0.0, vec![absorbed, of(-1.0 + 1e-9, C, D)], false, false),
            (0.0, vec![absorbed, of(-1.0 + 1e-15, C, D)], true, true),
            (-1.0, vec![absorbed], true, true),
            (0.0, vec![Residue::EXACT, Residue::EXACT], false, false),
            // The absorbed one is what is left.
            (0.0, vec![of(1e20, A, B), of(-1e20, C, D), absorbed], true, false),
        ] {
            let (residue, found) = sum(introduced, &operands);
            assert_eq!((residue.is_zero, found), (is_zero, is_spoilt), "{introduced} {operands:?}");
        }
    }

    #[test]
    fn an_own_rounding_that_cancels_with_noise_is_spoilt() {
        let vague = Residue { noise: 1e-17, ..of(1.0, A, B) };
        assert!(sum(-1.0, &[vague]).1 && !sum(-1.0, &[of(1.0, A, B)]).1);
        assert!(!sum(0.0, &[vague, of(-1.0, C, D)]).1, "two operands' noise is equal as they are");
    }

    #[test]
    fn what_cancelled_is_silenced_and_what_is_left_is_not() {
        let terms = [of(1e20, A, B), of(1e-3, C, D)].map(|r| Term::amplified(&r, 1.0));
        let sum = Sum { op: OP, introduced: -1e20, terms, kind: Terms::Exact };
        let (residue, _) = sum.residue();
        assert_eq!(residue.value, 1e-3, "whatever the order");
        let silenced: Vec<OpId> = sum.absorption(&residue).contributors.iter().map(|c| c.largest).collect();
        assert_eq!(silenced, [A, OP]);
    }

    #[test]
    fn noise_is_what_was_rounded_away() {
        let (exact, _) = sum(1.0, &[of(2.0, A, B)]);
        assert_eq!(exact.noise, 0.0);
        let (rounded, _) = sum(1.0, &[of(1e-20, A, B)]);
        assert_eq!((rounded.value, rounded.noise), (1.0, 1e-20));
        let (inherited, _) = sum(0.0, &[rounded, of(-1.0, C, D)]);
        assert_eq!((inherited.value, inherited.noise), (0.0, 1e-20));
    }

    #[test]
    fn what_is_not_finite_says_nothing() {
        for introduced in [f64::NAN, f64::INFINITY, f64::MAX] {
            let unknown = Residue { made: OP, since: OP, ..Residue::UNKNOWN };
            assert_eq!(sum(introduced, &[of(f64::MAX, A, B)]), (unknown, false));
        }
        assert!(Residue::EXACT.is_exact() && !of(0.0, A, OpId::NONE).is_exact());
    }
}
