//! The evaluator against numbers of any size, on random expressions.

use nonius_acsl::ast::{Atom, Comparison, Dialect, Operator, Term};
use nonius_acsl::eval::{Known, atom, term};
use nonius_acsl::kinds::{self, Interval, Kind, Type};
use nonius_acsl::predicate;
use nonius_acsl::value::{Real, Truth, Value};
use proptest::prelude::*;
use rug::{Integer, Rational};

fn leaf() -> impl Strategy<Value = Term> {
    prop_oneof![
        any::<i64>().prop_map(|x| Term::integer(x.into())),
        (-20i128..20).prop_map(Term::integer),
        any::<i128>().prop_map(Term::integer),
        "[1-9][0-9]{30,60}".prop_map(|digits| Term::Integer { small: digits.parse().ok(), digits }),
        ("[1-9][0-9]{0,20}", -30i32..30).prop_map(|(digits, exponent)| Term::Rational { digits, exponent, base: 10 }),
        ("[1-9][0-9]{0,20}", -90i32..90).prop_map(|(digits, exponent)| Term::Rational { digits, exponent, base: 2 }),
        (0usize..4).prop_map(Term::Place),
    ]
}

fn expression() -> impl Strategy<Value = Term> {
    leaf().prop_recursive(5, 40, 2, |inner| {
        let operator = prop_oneof![
            Just(Operator::Add),
            Just(Operator::Sub),
            Just(Operator::Mul),
            Just(Operator::Div),
            Just(Operator::Rem),
            Just(Operator::Min),
            Just(Operator::Max)
        ];
        prop_oneof![
            4 => (operator, inner.clone(), inner.clone()).prop_map(|(o, x, y)| Term::Binary(o, x.into(), y.into())),
            1 => inner.clone().prop_map(|x| Term::Negative(x.into())),
            1 => inner.prop_map(|x| Term::Abs(x.into())),
        ]
    })
}

/// The same by rationals alone; whether it is an integer. `None` where it has no meaning.
fn plainly(t: &Term, floats: &[f64; 2], integers: &[i64; 2]) -> Option<(Rational, bool)> {
    let of = |t| plainly(t, floats, integers);
    Some(match t {
        Term::Integer { digits, .. } => (Rational::from(digits.parse::<Integer>().unwrap()), true),
        Term::Rational { digits, exponent, base } => {
            let mut x = Rational::from(digits.parse::<Integer>().unwrap());
            for _ in 0..exponent.abs() {
                if *exponent < 0 { x /= *base } else { x *= *base }
            }
            (x, false)
        }
        Term::Place(n @ 0..=1) => (Rational::from_f64(floats[*n]).unwrap(), false),
        Term::Place(n) => (Rational::from(integers[n - 2]), true),
        Term::Measure(..) => return None,
        Term::Negative(x) => of(x).map(|(x, i)| (-x, i))?,
        Term::Abs(x) => of(x).map(|(x, i)| (x.abs(), i))?,
        Term::Binary(operator, x, y) => {
            let ((x, ix), (y, iy)) = (of(x)?, of(y)?);
            let is_integer = ix && iy;
            let value = match operator {
                Operator::Add => x + y,
                Operator::Sub => x - y,
                Operator::Mul => x * y,
                Operator::Min => x.min(y),
                Operator::Max => x.max(y),
                _ if y == 0 => return None,
                Operator::Div if is_integer => (x / y).trunc(),
                Operator::Div => x / y,
                Operator::Rem if is_integer => {
                    let quotient = (x.clone() / &y).trunc();
                    x - quotient * y
                }
                Operator::Rem => return None,
            };
            (value, is_integer)
        }
    })
}

fn rational(real: &Real) -> Rational {
    match real {
        Real::Small(x) => Rational::from(*x),
        Real::Big(x) => x.clone(),
        other => panic!("{other:?}"),
    }
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("a number", |x| x.is_finite()),
        Just(0.0),
        Just(-0.0),
        Just(5e-324),
        Just(f64::MAX),
        Just(0.1),
        -10.0..10.0f64
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn terms_are_what_rationals_make_of_them(t in expression(), f in [finite(), finite()], i in any::<[i64; 2]>()) {
        let place = |n: usize| if n < 2 { Known::float(f[n]) } else { Known::integer(i[n - 2].into()) };
        let found = term(&t, &place);
        if let Some((value, is_integer)) = plainly(&t, &f, &i) {
            let Value::Range(range) = found else { return Err(TestCaseError::fail(format!("{found:?}"))) };
            prop_assert_eq!(rational(&range.lo), value.clone());
            prop_assert_eq!(rational(&range.hi), value.clone());
            prop_assert_eq!(range.is_integer, is_integer);
            // And the type system has seen it coming.
            let ty = |n: usize| match n {
                0 | 1 => Type::Float(kinds::FloatType::Double),
                _ => Type::Integer { bits: 64, is_signed: true },
            };
            if let Kind::Z(Interval { lo, hi }) = kinds::kind(&t, &|n| Kind::of_type(ty(n))) {
                prop_assert!(is_integer);
                prop_assert!(lo.is_none_or(|lo| value >= lo) && hi.is_none_or(|hi| value <= hi), "{lo:?} {value} {hi:?}");
            }
        }
    }

    #[test]
    fn comparisons_are_those_of_rationals(x in expression(), y in expression(), f in [finite(), finite()], i in any::<[i64; 2]>()) {
        let place = |n: usize| if n < 2 { Known::float(f[n]) } else { Known::integer(i[n - 2].into()) };
        if let (Some((a, _)), Some((b, _))) = (plainly(&x, &f, &i), plainly(&y, &f, &i)) {
            for (comparison, expected) in [
                (Comparison::Lt, a < b), (Comparison::Le, a <= b), (Comparison::Eq, a == b),
                (Comparison::Ne, a != b), (Comparison::Ge, a >= b), (Comparison::Gt, a > b),
            ] {
                let found = atom(&Atom::Compare(comparison, x.clone(), y.clone()), &place);
                prop_assert_eq!(found, if expected { Truth::True } else { Truth::False });
            }
        }
    }

    #[test]
    fn ranges_hold_all_that_is_between(t in expression(), lo in [-5.0..5.0f64, -5.0..5.0f64], wide in 0.0..3.0f64, at in 0.0..1.0f64) {
        let ranged = |n: usize| match n {
            0 | 1 => Known { value: Value::between(lo[n], lo[n] + wide), ..Known::float(0.0) },
            _ => Known::integer(n as i128),
        };
        let inside = [lo[0] + wide * at, lo[1] + wide * (1.0 - at)].map(|x| x.clamp(-8.0, 8.0));
        let inside = [0, 1].map(|n| inside[n].clamp(lo[n], lo[n] + wide));
        if let Some((value, _)) = plainly(&t, &inside, &[2, 3])
            && let Value::Range(range) = term(&t, &ranged)
        {
            prop_assert!(range.lo <= Real::Big(value.clone()) && Real::Big(value) <= range.hi);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}", words in "([a-c0-9.\\\\()<=&|!*+-]| |\\\\let|\\\\forall integer i;|==>){0,30}") {
        for dialect in [Dialect::C, Dialect::Plain] {
            let _ = predicate(&text, dialect);
            let _ = predicate(&words, dialect);
        }
    }
}
