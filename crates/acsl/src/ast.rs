//! What an assertion says.

use std::fmt;

/// The language that an assertion stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// C and C++: logic names have a backslash.
    C,
    /// Rust and Fortran: a backslash would be no token there, so that `exact(x)` is `\exact(x)`.
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Lt,
    Le,
    Eq,
    Ne,
    Ge,
    Gt,
}

impl Comparison {
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Ge => ">=",
            Comparison::Gt => ">",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
}

/// What is known of a float beside its value, each a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The number that exact arithmetic would have given.
    Exact,
    /// How far the float is from it.
    RoundError,
    /// The float less the exact number; its least and greatest.
    Error { upper: bool },
    /// The same, relative to the exact number.
    RelativeError { upper: bool },
    /// The exact number's least and greatest.
    Real { upper: bool },
}

/// The built-in predicates of figure 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `accuracy_enlarge_[f,d]val_err(x, vlo, vhi, elo, ehi)`: from here on x is anything of the range, with an error of the other.
    Enlarge,
    /// `accuracy_assert_[f,d]err(x, lo, hi)`: the error of x is in the range.
    AssertError,
    /// The same of the relative error.
    AssertRelativeError,
    /// `[f,d]print(x)`: write what is known of x.
    Print,
}

/// What an expression of the program's own language is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As it is where the assertion stands.
    Now,
    /// As it was when the function was entered.
    Old,
    /// What the function returns.
    Result,
    /// The variable of a quantifier: an integer.
    Bound,
}

/// An expression of the program's own language, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub text: String,
    pub role: Role,
    /// Whether looking at it may go wrong, as what a pointer points to may.
    pub is_memory: bool,
    /// Whether it has an address, so that its float can be written to.
    pub is_left_value: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// An integer: as it is written, in decimal; its value if 128 bits hold it.
    Integer {
        digits: String,
        small: Option<i128>,
    },
    /// A rational number that is no integer literal: digits and a power of 10, or of 2 if it was written in hexadecimal.
    Rational {
        digits: String,
        exponent: i32,
        base: u32,
    },
    /// A place, by its number among those of the assertion.
    Place(usize),
    Measure(Measure, usize),
    Negative(Box<Term>),
    Abs(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
}

impl Term {
    pub fn integer(value: i128) -> Term {
        Term::Integer { digits: value.to_string(), small: Some(value) }
    }

    /// Calls `f` with the number of each place, in order.
    pub fn each_place(&self, f: &mut impl FnMut(usize)) {
        match self {
            Term::Integer { .. } | Term::Rational { .. } => {}
            Term::Place(place) | Term::Measure(_, place) => f(*place),
            Term::Negative(x) | Term::Abs(x) => x.each_place(f),
            Term::Binary(_, x, y) => {
                x.each_place(f);
                y.each_place(f);
            }
        }
    }

    /// Whether it asks for more of a float than its value.
    pub fn has_measure(&self) -> bool {
        match self {
            Term::Integer { .. } | Term::Rational { .. } | Term::Place(_) => false,
            Term::Measure(..) => true,
            Term::Negative(x) | Term::Abs(x) => x.has_measure(),
            Term::Binary(_, x, y) => x.has_measure() || y.has_measure(),
        }
    }
}

/// What is true or false by itself, once the values of its places are known.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    Compare(Comparison, Term, Term),
    Builtin(Builtin, usize, Vec<Term>),
}

impl Atom {
    /// The places that it speaks of, each once, in order.
    pub fn places(&self) -> Vec<usize> {
        let mut all = Vec::new();
        let mut add = |place| {
            if !all.contains(&place) {
                all.push(place);
            }
        };
        match self {
            Atom::Compare(_, x, y) => {
                x.each_place(&mut add);
                y.each_place(&mut add);
            }
            Atom::Builtin(_, place, terms) => {
                add(*place);
                terms.iter().for_each(|t| t.each_place(&mut add));
            }
        }
        all
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    True,
    False,
    /// By its number among the atoms of the assertion.
    Atom(usize),
    Not(Box<Predicate>),
    And(Box<Predicate>, Box<Predicate>),
    Or(Box<Predicate>, Box<Predicate>),
    Implies(Box<Predicate>, Box<Predicate>),
    Iff(Box<Predicate>, Box<Predicate>),
    If(Box<Predicate>, Box<Predicate>, Box<Predicate>),
    /// For all integers, or for one, from `least` to `greatest`: the variable's name, bounds and what is said of it.
    ForAll(Box<Quantified>),
    Exists(Box<Quantified>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    pub variable: String,
    pub least: Term,
    /// Whether `least` itself is left out.
    pub above_least: bool,
    pub greatest: Term,
    pub below_greatest: bool,
    pub body: Predicate,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role {
            Role::Old => write!(f, "\\old({})", self.text),
            _ => f.write_str(&self.text),
        }
    }
}
