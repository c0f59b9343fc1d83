//! Which numbers a term needs: the type system of figure 6.
//!
//! A *kind* says what values a term can have: integers of an interval, those of a floating-point type, or any rational. From
//! it follows the type that an operation is computed in, the smallest that holds its operands and its result: machine
//! integers wherever that is sound, integers of any size or rationals elsewhere. Its judgement `t : τ1 ⇝ τ2` is a [`Typing`].
//! To C's integers we add one of 128 bits, which is as cheap.

use crate::ast::{Measure, Operator, Term};

/// Integers from `lo` to `hi`; without a bound where 128 bits do not hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub lo: Option<i128>,
    pub hi: Option<i128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FloatType {
    Float,
    Double,
    LongDouble,
}

/// What C has, and beyond it numbers of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Integer {
        bits: u32,
        is_signed: bool,
    },
    /// Integers of any size.
    Z,
    Float(FloatType),
    /// Rationals.
    Q,
}

/// The lattice of kinds: `Z I <= F t` where t holds all of I's type, everything `<= Q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Z(Interval),
    F(FloatType),
    Q,
}

/// `t : result ⇝ computed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// What the value fits in.
    pub result: Type,
    /// What the operation must be done in.
    pub computed: Type,
}

pub const INT: Type = Type::Integer { bits: 32, is_signed: true };

/// C's integers, smallest first, signed before unsigned.
const INTEGERS: [(u32, bool); 9] =
    [(8, true), (8, false), (16, true), (16, false), (32, true), (32, false), (64, true), (64, false), (128, true)];

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };

    pub fn new(lo: i128, hi: i128) -> Interval {
        Interval { lo: Some(lo), hi: Some(hi) }
    }

    /// All values of a C integer.
    pub fn of_type(bits: u32, is_signed: bool) -> Interval {
        match (bits, is_signed) {
            (128.., true) => Interval::new(i128::MIN, i128::MAX),
            (128.., false) => Interval { lo: Some(0), hi: None },
            (_, true) => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (_, false) => Interval::new(0, (1 << bits) - 1),
        }
    }

    pub fn hull(self, other: Interval) -> Interval {
        let lo = self.lo.zip(other.lo).map(|(a, b)| a.min(b));
        Interval { lo, hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)) }
    }

    fn contains(self, value: i128) -> bool {
        self.lo.is_none_or(|lo| lo <= value) && self.hi.is_none_or(|hi| value <= hi)
    }

    /// Whether all of it is in another.
    pub fn is_within(self, other: Interval) -> bool {
        let below = match (other.lo, self.lo) {
            (None, _) => true,
            (Some(outer), Some(own)) => outer <= own,
            (Some(_), None) => false,
        };
        below
            && match (other.hi, self.hi) {
                (None, _) => true,
                (Some(outer), Some(own)) => own <= outer,
                (Some(_), None) => false,
            }
    }

    fn negative(self) -> Interval {
        Interval { lo: self.hi.and_then(i128::checked_neg), hi: self.lo.and_then(i128::checked_neg) }
    }

    fn abs(self) -> Interval {
        let most = self.lo.zip(self.hi).and_then(|(lo, hi)| Some(lo.checked_abs()?.max(hi.checked_abs()?)));
        match (self.lo, self.hi) {
            (Some(0..), _) => self,
            (_, Some(..=0)) => self.negative(),
            _ => Interval { lo: Some(0), hi: most },
        }
    }

    fn sum(self, other: Interval) -> Interval {
        let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval { lo: add(self.lo, other.lo), hi: add(self.hi, other.hi) }
    }

    fn product(self, other: Interval) -> Interval {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) else {
            // 0 times anything is 0.
            let zero = Interval::new(0, 0);
            return if self == zero || other == zero { zero } else { Interval::ALL };
        };
        let corners = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        let known: Option<Vec<i128>> = corners.into_iter().collect();
        known.map_or(Interval::ALL, |all| Interval { lo: all.iter().min().copied(), hi: all.iter().max().copied() })
    }

    /// Division towards 0, of whatever is no 0.
    fn quotient(self, other: Interval) -> Interval {
        // The quotient is greatest by the divisors that are least: next to 0, or at the ends.
        let ends = [other.lo, other.hi, Some(1), Some(-1)];
        let divisors: Vec<i128> = ends.into_iter().flatten().filter(|d| *d != 0 && other.contains(*d)).collect();
        let (Some(lo), Some(hi)) = (self.lo, self.hi) else { return Interval::ALL };
        let mut all = Interval::new(0, 0);
        if other.lo.is_some_and(|lo| lo > 0) || other.hi.is_some_and(|hi| hi < 0) {
            all = Interval { lo: Some(i128::MAX), hi: Some(i128::MIN) };
        }
        for divisor in &divisors {
            for end in [lo, hi] {
                let Some(quotient) = end.checked_div(*divisor) else { return Interval::ALL };
                all = all.hull(Interval::new(quotient, quotient));
            }
        }
        // Divisors without end come as close to 0 as one likes.
        if other.lo.is_none() || other.hi.is_none() || divisors.is_empty() {
            all = all.hull(Interval::new(0, 0));
        }
        all
    }

    /// The remainder has the sign of the dividend, and is less than both.
    fn remainder(self, other: Interval) -> Interval {
        let of_divisor = other.abs().hi.map(|most| (most - 1).max(0));
        let of_dividend = self.abs().hi;
        let most = match (of_divisor, of_dividend) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let is_positive = self.lo.is_some_and(|lo| lo >= 0);
        let is_negative = self.hi.is_some_and(|hi| hi <= 0);
        let lo = if is_positive { Some(0) } else { most.and_then(i128::checked_neg) };
        Interval { lo, hi: if is_negative { Some(0) } else { most } }
    }

    fn least(self, other: Interval) -> Interval {
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Interval { lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)), hi }
    }

    fn of_operation(operator: Operator, x: Interval, y: Interval) -> Interval {
        match operator {
            Operator::Add => x.sum(y),
            Operator::Sub => x.sum(y.negative()),
            Operator::Mul => x.product(y),
            Operator::Div => x.quotient(y),
            Operator::Rem => x.remainder(y),
            Operator::Min => x.least(y),
            Operator::Max => x.negative().least(y.negative()).negative(),
        }
    }
}

impl Type {
    /// T: the smallest C integer that holds an interval, or Z.
    pub fn of_interval(interval: Interval) -> Type {
        let found = INTEGERS.into_iter().find(|(bits, signed)| interval.is_within(Interval::of_type(*bits, *signed)));
        found.map_or(Type::Z, |(bits, is_signed)| Type::Integer { bits, is_signed })
    }

    /// Whether all values of this are values of the other.
    pub fn is_within(self, other: Type) -> bool {
        match (self, other) {
            (_, Type::Q) => true,
            (Type::Integer { .. } | Type::Z, Type::Z) => true,
            (Type::Integer { bits: b, is_signed: s }, Type::Integer { bits, is_signed }) => {
                Interval::of_type(b, s).is_within(Interval::of_type(bits, is_signed))
            }
            (Type::Integer { bits, is_signed }, Type::Float(float)) => bits - u32::from(is_signed) <= float.digits(),
            (Type::Float(a), Type::Float(b)) => a <= b,
            _ => false,
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Type::Integer { .. } | Type::Z)
    }
}

impl FloatType {
    fn digits(self) -> u32 {
        match self {
            FloatType::Float => 24,
            FloatType::Double => 53,
            FloatType::LongDouble => 64,
        }
    }
}

impl Kind {
    pub fn of_type(ty: Type) -> Kind {
        match ty {
            Type::Integer { bits, is_signed } => Kind::Z(Interval::of_type(bits, is_signed)),
            Type::Z => Kind::Z(Interval::ALL),
            Type::Float(float) => Kind::F(float),
            Type::Q => Kind::Q,
        }
    }

    /// θ: the type of a kind.
    pub fn ty(self) -> Type {
        match self {
            Kind::Z(interval) => Type::of_interval(interval),
            Kind::F(float) => Type::Float(float),
            Kind::Q => Type::Q,
        }
    }

    pub fn union(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Z(a), Kind::Z(b)) => Kind::Z(a.hull(b)),
            (Kind::F(a), Kind::F(b)) => Kind::F(a.max(b)),
            (Kind::Z(i), Kind::F(f)) | (Kind::F(f), Kind::Z(i)) => {
                match Type::of_interval(i).is_within(Type::Float(f)) {
                    true => Kind::F(f),
                    false => Kind::Q,
                }
            }
            _ => Kind::Q,
        }
    }
}

/// The kind of a rational number as written: that of a double if it is one.
fn kind_of_rational(digits: &str, exponent: i32, base: u32) -> Kind {
    match exact_double(digits, exponent, base) {
        Some(_) => Kind::F(FloatType::Double),
        None => Kind::Q,
    }
}

/// A number as written, if it is a double exactly. (Some that are, of many digits, are not recognised.)
pub fn exact_double(digits: &str, exponent: i32, base: u32) -> Option<f64> {
    const MOST: i128 = 1 << 53;
    let mut mantissa: i128 = digits.parse().ok()?;
    if mantissa == 0 {
        return Some(0.0);
    }
    let mut twos = if base == 2 { exponent } else { 0 };
    if base == 10 {
        for _ in 0..exponent.clamp(0, 40) {
            mantissa = mantissa.checked_mul(10)?;
        }
        for _ in 0..(-exponent).clamp(0, 60) {
            // A tenth is a half of a fifth.
            if mantissa % 5 != 0 {
                return None;
            }
            mantissa /= 5;
            twos -= 1;
        }
        if !(-60..=40).contains(&exponent) {
            return None;
        }
    }
    while mantissa % 2 == 0 {
        mantissa /= 2;
        twos += 1;
    }
    if mantissa >= MOST || !(-1000..=900).contains(&twos) {
        return None;
    }
    Some(mantissa as f64 * 2f64.powi(twos))
}

/// κ: the kind of a term, where `place` says those of places.
pub fn kind(term: &Term, place: &dyn Fn(usize) -> Kind) -> Kind {
    match term {
        Term::Integer { small: Some(value), .. } => Kind::Z(Interval::new(*value, *value)),
        // Greater than 128 bits hold: that is a bound, too.
        Term::Integer { .. } => Kind::Z(Interval { lo: Some(i128::MAX), hi: None }),
        Term::Rational { digits, exponent, base } => kind_of_rational(digits, *exponent, *base),
        Term::Place(number) => place(*number),
        Term::Measure(measure, _) => match measure {
            Measure::Exact
            | Measure::RoundError
            | Measure::Error { .. }
            | Measure::RelativeError { .. }
            | Measure::Real { .. } => Kind::Q,
        },
        Term::Negative(x) => match kind(x, place) {
            Kind::Z(interval) => Kind::Z(interval.negative()),
            other => other,
        },
        Term::Abs(x) => match kind(x, place) {
            Kind::Z(interval) => Kind::Z(interval.abs()),
            other => other,
        },
        Term::Binary(operator, x, y) => match (kind(x, place), kind(y, place)) {
            (Kind::Z(x), Kind::Z(y)) => Kind::Z(Interval::of_operation(*operator, x, y)),
            // The lesser and the greater of two floats are floats.
            (x @ Kind::F(_), y @ Kind::F(_)) if matches!(operator, Operator::Min | Operator::Max) => x.union(y),
            _ => Kind::Q,
        },
    }
}

/// The type of a term by itself: what it fits in, and what its outermost operation is computed in.
pub fn typing(term: &Term, place: &dyn Fn(usize) -> Kind) -> Typing {
    let own = kind(term, place);
    let computed = match term {
        Term::Binary(_, x, y) => own.union(kind(x, place)).union(kind(y, place)).ty(),
        Term::Negative(x) | Term::Abs(x) => own.union(kind(x, place)).ty(),
        _ => own.ty(),
    };
    Typing { result: own.ty(), computed }
}

/// The type that two terms are compared in.
pub fn comparison(x: &Term, y: &Term, place: &dyn Fn(usize) -> Kind) -> Type {
    kind(x, place).union(kind(y, place)).ty()
}

/// Whether a term can be computed in machine integers alone.
pub fn is_machine(term: &Term, place: &dyn Fn(usize) -> Kind) -> bool {
    let Typing { computed, .. } = typing(term, place);
    matches!(computed, Type::Integer { .. })
        && match term {
            Term::Binary(_, x, y) => is_machine(x, place) && is_machine(y, place),
            Term::Negative(x) | Term::Abs(x) => is_machine(x, place),
            Term::Measure(..) => false,
            _ => true,
        }
}

#[cfg(test)]
mod tests;
