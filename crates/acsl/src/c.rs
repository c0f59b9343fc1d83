//! C that evaluates a predicate: control flow and machine integers in place, the rest by the runtime.
//!
//! For an atom whose places are integers, the types of figure 6 say whether machine arithmetic is enough: once for places of
//! at most 32 bits, once for 64. Which of these it is the C compiler knows (`sizeof`, `_Generic`, templates), and drops the
//! rest. Comparisons of two floats, without an operation, compare their bits. Everything else calls the runtime with the values.
//! The first pass looks for the truth alone; where that is not `true`, a second asks the runtime for every atom, which notes
//! the values. The macros are in `include/nonius_acsl.h`. The text has no line end, so that lines stay.

use crate::ast::{Atom, Builtin, Operator, Place, Predicate, Quantified, Role, Term};
use crate::clause::Clause;
use crate::kinds::{self, Interval, Kind, Type};
use std::fmt::Write;

/// How places are written where the check stands.
pub trait Names {
    /// C for a place.
    fn c(&self, place: &Place) -> String;
}

/// Places as they are.
pub struct AsWritten;

impl Names for AsWritten {
    fn c(&self, place: &Place) -> String {
        place.text.clone()
    }
}

/// A C statement that checks a clause.
pub fn check(clause: &Clause, line: u32, column: u32, names: &dyn Names) -> String {
    let parsed = &clause.parsed;
    let emitter = Emitter { atoms: &parsed.atoms, places: &parsed.places, names };
    let text = quoted(&clause.text);
    let kind = quoted(clause.kind.as_str());
    let condition = emitter.predicate(&parsed.predicate);
    format!("__NONIUS_ACSL_CHECK({kind}, {text}, {line}, {column}, ({condition}))")
}

/// A C string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            // No trigraph, no line end.
            '?' => out += "\\?",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Emitter<'a> {
    atoms: &'a [Atom],
    places: &'a [Place],
    names: &'a dyn Names,
}

impl Emitter<'_> {
    fn place(&self, number: usize) -> String {
        format!("({})", self.names.c(&self.places[number]))
    }

    /// Whether looking at it may go wrong where what stands before it is not known to hold.
    fn is_memory(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True | Predicate::False => false,
            Predicate::Atom(n) => self.atoms[*n].places().iter().any(|p| self.places[*p].is_memory),
            Predicate::Not(p) => self.is_memory(p),
            Predicate::And(p, q) | Predicate::Or(p, q) | Predicate::Implies(p, q) | Predicate::Iff(p, q) => {
                self.is_memory(p) || self.is_memory(q)
            }
            Predicate::If(..) | Predicate::ForAll(_) | Predicate::Exists(_) => true,
        }
    }

    /// An int: 0 false, 1 true, 2 not known.
    fn predicate(&self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::True => "1".to_owned(),
            Predicate::False => "0".to_owned(),
            Predicate::Atom(n) => self.atom(*n),
            Predicate::Not(p) => format!("__NONIUS_ACSL_NOT({})", self.predicate(p)),
            Predicate::And(p, q) => self.connective("AND", p, q),
            Predicate::Or(p, q) => self.connective("OR", p, q),
            Predicate::Implies(p, q) => self.connective("IMPLIES", p, q),
            Predicate::Iff(p, q) => format!("__NONIUS_ACSL_IFF(({}), ({}))", self.predicate(p), self.predicate(q)),
            Predicate::If(c, p, q) => {
                format!("__NONIUS_ACSL_IF(({}), ({}), ({}))", self.predicate(c), self.predicate(p), self.predicate(q))
            }
            Predicate::ForAll(quantified) => self.quantified("FORALL", quantified),
            Predicate::Exists(quantified) => self.quantified("EXISTS", quantified),
        }
    }

    /// What stands on the right is looked at if the left leaves it open; memory only where the left is known.
    fn connective(&self, name: &str, p: &Predicate, q: &Predicate) -> String {
        let safe = if self.is_memory(q) { "" } else { "_SAFE" };
        format!("__NONIUS_ACSL_{name}{safe}(({}), ({}))", self.predicate(p), self.predicate(q))
    }

    fn quantified(&self, name: &str, quantified: &Quantified) -> String {
        let Quantified { variable, least, above_least, greatest, below_greatest, body } = quantified;
        let mut all = Vec::new();
        for term in [least, greatest] {
            term.each_place(&mut |p| all.push(p));
        }
        let wide = |_: usize| Kind::Z(Interval::of_type(64, true).hull(Interval::of_type(64, false)));
        if !(kinds::is_machine(least, &wide) && kinds::is_machine(greatest, &wide)) {
            return "2".to_owned();
        }
        let integers: String = all.iter().fold(String::new(), |mut s, p| {
            let _ = write!(s, " && __NONIUS_ACSL_IS_INT({})", self.place(*p));
            s
        });
        format!(
            "__NONIUS_ACSL_{name}({variable}, (1{integers}), ({} + {}), ({} - {}), ({}))",
            self.integer(least, &wide),
            i32::from(*above_least),
            self.integer(greatest, &wide),
            i32::from(*below_greatest),
            self.predicate(body)
        )
    }

    fn atom(&self, number: usize) -> String {
        let atom = &self.atoms[number];
        let places = atom.places();
        let captures: String = places.iter().enumerate().fold(String::new(), |mut s, (n, place)| {
            let form = match (self.places[*place].role, atom) {
                // Its address too: its float is made anew.
                (Role::Now, Atom::Builtin(Builtin::Enlarge, p, _))
                    if p == place && self.places[*place].is_left_value =>
                {
                    "CAPTURE_PLACE"
                }
                _ => "CAPTURE",
            };
            let _ = write!(s, "__NONIUS_ACSL_{form}({n}, {}) ", self.place(*place));
            s
        });
        let slow = format!("__NONIUS_ACSL_SLOW({number}, {}, {captures})", places.len().max(1));
        let Atom::Compare(comparison, x, y) = atom else { return slow };
        if x.has_measure() || y.has_measure() {
            return slow;
        }
        let symbol = comparison.symbol();
        let mut out = String::new();
        if let (Some(a), Some(b)) = (self.float(x), self.float(y)) {
            let all =
                places.iter().map(|p| format!(" && __NONIUS_ACSL_IS_FLOAT({})", self.place(*p))).collect::<String>();
            let _ = write!(out, "__nonius_acsl_fast{all} ? __NONIUS_ACSL_COMPARE({a}, {symbol}, {b}, {slow}) : ");
        }
        let all = |form: &str| {
            places.iter().map(|p| format!(" && __NONIUS_ACSL_{form}({})", self.place(*p))).collect::<String>()
        };
        for (form, bits) in [("IS_NARROW", 32), ("IS_WIDE", 64)] {
            // Of either sign.
            let interval = Interval::of_type(bits, true).hull(Interval::of_type(bits, false));
            let place = |_: usize| Kind::Z(interval);
            if kinds::is_machine(x, &place) && kinds::is_machine(y, &place) {
                let divisors = self.divisors(x, &place) + &self.divisors(y, &place);
                let ty = kinds::comparison(x, y, &place);
                if let Type::Integer { .. } = ty {
                    let (x, y) = (self.integer(x, &place), self.integer(y, &place));
                    let _ = write!(
                        out,
                        "__nonius_acsl_first{}{divisors} ? (({}){x} {symbol} ({}){y}) : ",
                        all(form),
                        c_type(ty),
                        c_type(ty)
                    );
                }
            }
        }
        format!("({out}{slow})")
    }

    /// C that compares as a double: a place, or a number that is one.
    fn float(&self, term: &Term) -> Option<String> {
        match term {
            Term::Place(place) => Some(format!("__NONIUS_ACSL_AS_FLOAT({})", self.place(*place))),
            Term::Integer { small: Some(x), .. } if x.unsigned_abs() < 1 << 53 => Some(format!("{x}.0")),
            Term::Rational { digits, exponent, base } => {
                kinds::exact_double(digits, *exponent, *base).map(|x| format!("{x:e}"))
            }
            Term::Negative(x) if !matches!(**x, Term::Place(_)) => self.float(x).map(|x| format!("-{x}")),
            _ => None,
        }
    }

    /// C of machine integers, each operation in the type that holds it.
    fn integer(&self, term: &Term, place: &dyn Fn(usize) -> Kind) -> String {
        let ty = c_type(kinds::typing(term, place).computed);
        let of = |t: &Term| format!("(({ty}){})", self.integer(t, place));
        match term {
            Term::Integer { small: Some(x), .. } => literal(*x),
            Term::Place(number) => format!("__NONIUS_ACSL_AS_INT({})", self.place(*number)),
            Term::Negative(x) => format!("(-{})", of(x)),
            Term::Abs(x) => format!("({0} < 0 ? -{0} : {0})", of(x)),
            Term::Binary(operator, x, y) => {
                let (x, y) = (of(x), of(y));
                match operator {
                    Operator::Add => format!("({x} + {y})"),
                    Operator::Sub => format!("({x} - {y})"),
                    Operator::Mul => format!("({x} * {y})"),
                    Operator::Div => format!("({x} / {y})"),
                    Operator::Rem => format!("({x} % {y})"),
                    Operator::Min => format!("({x} < {y} ? {x} : {y})"),
                    Operator::Max => format!("({x} > {y} ? {x} : {y})"),
                }
            }
            // Not of machine integers.
            Term::Integer { .. } | Term::Rational { .. } | Term::Measure(..) => "0".to_owned(),
        }
    }

    /// What must not be 0.
    fn divisors(&self, term: &Term, place: &dyn Fn(usize) -> Kind) -> String {
        match term {
            Term::Binary(operator, x, y) => {
                let mut out = self.divisors(x, place) + &self.divisors(y, place);
                let may_be_zero = match kinds::kind(y, place) {
                    Kind::Z(Interval { lo, hi }) => !(lo.is_some_and(|lo| lo > 0) || hi.is_some_and(|hi| hi < 0)),
                    _ => true,
                };
                if matches!(operator, Operator::Div | Operator::Rem) && may_be_zero {
                    let _ = write!(out, " && {} != 0", self.integer(y, place));
                }
                out
            }
            Term::Negative(x) | Term::Abs(x) => self.divisors(x, place),
            _ => String::new(),
        }
    }
}

fn c_type(ty: Type) -> &'static str {
    match ty {
        // Narrow ones are no cheaper.
        Type::Integer { bits: ..=31, .. } | Type::Integer { bits: 32, is_signed: true } => "int",
        Type::Integer { bits: ..=63, .. } | Type::Integer { bits: 64, is_signed: true } => "long long",
        _ => "__int128",
    }
}

fn literal(x: i128) -> String {
    match i64::try_from(x) {
        Ok(i64::MIN) | Err(_) => {
            let bits = x.cast_unsigned();
            format!("((__int128)((unsigned __int128){}ULL << 64 | {}ULL))", bits >> 64, bits as u64)
        }
        Ok(x) => format!("({x}LL)"),
    }
}
