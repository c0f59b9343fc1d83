//! What atoms are, once the values of their places are known.

use crate::ast::{Atom, Builtin, Comparison, Measure, Predicate, Term};
use crate::parser::Parsed;
use crate::value::{Range, Truth, Value};

/// What is known of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub value: Value,
    /// What exact arithmetic would have given; of an integer, the same.
    pub real: Value,
    /// The value less that.
    pub error: Value,
    pub relative_error: Value,
}

impl Known {
    pub fn integer(x: i128) -> Known {
        let value = Value::integer(x);
        Known { real: value.clone(), value, error: Value::integer(0), relative_error: Value::integer(0) }
    }

    /// A float of which no more is known than its value.
    pub fn float(x: f64) -> Known {
        let everything = Value::Range(Range::everything());
        Known {
            value: Value::float(x),
            real: everything.clone(),
            error: everything.clone(),
            relative_error: everything,
        }
    }

    /// A float with its ideal: `residue` is the ideal less the value, give or take `radius`.
    pub fn with_residue(value: Value, residue: Value) -> Known {
        let real = value.binary(crate::ast::Operator::Add, &residue);
        let error = residue.negative();
        let relative_error = error.binary(crate::ast::Operator::Div, &real);
        let relative_error = match (&relative_error, &error) {
            // Nothing of nothing.
            (Value::Undefined, Value::Range(r)) if r.is_point() && *r == zero() => Value::integer(0),
            (Value::Undefined, _) => Value::Range(Range::everything()),
            _ => relative_error,
        };
        Known { value, real, error, relative_error }
    }
}

fn zero() -> Range {
    match Value::float(0.0) {
        Value::Range(range) => range,
        _ => Range::everything(),
    }
}

/// The value of a term.
pub fn term(term: &Term, place: &dyn Fn(usize) -> Known) -> Value {
    match term {
        Term::Integer { small: Some(x), .. } => Value::integer(*x),
        Term::Integer { digits, .. } => Value::of_digits(digits).unwrap_or(Value::Undefined),
        Term::Rational { digits, exponent, base } => {
            Value::of_rational(digits, *exponent, *base).unwrap_or(Value::Undefined)
        }
        Term::Place(number) => place(*number).value,
        Term::Measure(measure, number) => {
            let known = place(*number);
            match measure {
                Measure::Exact => known.real,
                Measure::RoundError => known.error.abs(),
                Measure::Error { upper } => known.error.end(*upper),
                Measure::RelativeError { upper } => known.relative_error.end(*upper),
                Measure::Real { upper } => known.real.end(*upper),
            }
        }
        Term::Negative(x) => self::term(x, place).negative(),
        Term::Abs(x) => self::term(x, place).abs(),
        Term::Binary(operator, x, y) => self::term(x, place).binary(*operator, &self::term(y, place)),
    }
}

/// Whether an atom holds. What has an effect (printing, enlarging) holds, and is the caller's to do.
pub fn atom(atom: &Atom, place: &dyn Fn(usize) -> Known) -> Truth {
    match atom {
        Atom::Compare(comparison, x, y) => term(x, place).compare(*comparison, &term(y, place)),
        Atom::Builtin(Builtin::Enlarge | Builtin::Print, ..) => Truth::True,
        Atom::Builtin(builtin, number, bounds) => {
            let known = place(*number);
            let error = if *builtin == Builtin::AssertError { known.error } else { known.relative_error };
            let [lo, hi] = bounds.as_slice() else { return Truth::Unknown };
            let above = error.compare(Comparison::Ge, &term(lo, place));
            let below = error.compare(Comparison::Le, &term(hi, place));
            match (above, below) {
                (Truth::False, _) | (_, Truth::False) => Truth::False,
                (Truth::True, Truth::True) => Truth::True,
                _ => Truth::Unknown,
            }
        }
    }
}

/// Whether an assertion holds whose places are all known. Quantifiers are the program's to go through: here they are not known.
pub fn predicate(parsed: &Parsed, place: &dyn Fn(usize) -> Known) -> Truth {
    of(&parsed.predicate, parsed, place)
}

fn of(predicate: &Predicate, parsed: &Parsed, place: &dyn Fn(usize) -> Known) -> Truth {
    let of = |p: &Predicate| self::of(p, parsed, place);
    match predicate {
        Predicate::True => Truth::True,
        Predicate::False => Truth::False,
        Predicate::Atom(number) => parsed.atoms.get(*number).map_or(Truth::Unknown, |a| atom(a, place)),
        Predicate::Not(p) => not(of(p)),
        Predicate::And(p, q) => and(of(p), of(q)),
        Predicate::Or(p, q) => not(and(not(of(p)), not(of(q)))),
        Predicate::Implies(p, q) => not(and(of(p), not(of(q)))),
        Predicate::Iff(p, q) => match (of(p), of(q)) {
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (p, q) => Truth::of(Some(p == q)),
        },
        Predicate::If(c, p, q) => match of(c) {
            Truth::True => of(p),
            Truth::False => of(q),
            Truth::Unknown => Truth::Unknown,
        },
        Predicate::ForAll(_) | Predicate::Exists(_) => Truth::Unknown,
    }
}

fn not(p: Truth) -> Truth {
    match p {
        Truth::True => Truth::False,
        Truth::False => Truth::True,
        Truth::Unknown => Truth::Unknown,
    }
}

fn and(p: Truth, q: Truth) -> Truth {
    match (p, q) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, Truth::True) => Truth::True,
        _ => Truth::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Dialect;

    #[test]
    fn what_is_not_known_counts_only_where_it_decides() {
        let truth = |text: &str| {
            let parsed = crate::predicate(text, Dialect::C).unwrap();
            // x is 1, u is anything.
            let known = |n: usize| match parsed.places[n].text.as_str() {
                "x" => Known::integer(1),
                _ => Known { value: Value::Range(Range::everything()), ..Known::float(0.0) },
            };
            predicate(&parsed, &known)
        };
        for (text, expected) in [
            ("x == 1 && u > 0", Truth::Unknown),
            ("x == 2 && u > 0", Truth::False),
            ("u > 0 && x == 2", Truth::False),
            ("x == 1 || u > 0", Truth::True),
            ("u > 0 || x == 2", Truth::Unknown),
            ("x == 2 ==> u > 0", Truth::True),
            ("u > 0 ==> x == 1", Truth::True),
            ("!(u > 0)", Truth::Unknown),
            ("x == 1 <==> u > 0", Truth::Unknown),
            ("x == 1 <==> x < 2", Truth::True),
            ("x == 1 ? x > 0 : u > 0", Truth::True),
            ("u > 0 ? x > 0 : x > 0", Truth::Unknown),
            ("\\true && !\\false", Truth::True),
            ("x == 1 ^^ x == 2", Truth::True),
        ] {
            assert_eq!(truth(text), expected, "{text}");
        }
    }
}
