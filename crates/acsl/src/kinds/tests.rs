use super::*;
use crate::ast::{Atom, Dialect};
use crate::parser::predicate;

const LONG: Type = Type::Integer { bits: 64, is_signed: true };
const UNSIGNED_LONG: Type = Type::Integer { bits: 64, is_signed: false };
const I128: Type = Type::Integer { bits: 128, is_signed: true };
const DOUBLE: Type = Type::Float(FloatType::Double);

/// The two sides of a comparison, and the types of the variables in it by their names: i int, l long, u unsigned long, f float,
/// d double.
fn sides(text: &str) -> (Term, Term, Vec<Type>) {
    let parsed = predicate(text, Dialect::C).unwrap();
    let types = parsed.places.iter().map(|p| match p.text.as_bytes()[0] {
        b'i' | b'x' | b'y' => INT,
        b'l' => LONG,
        b'u' => UNSIGNED_LONG,
        b'f' => Type::Float(FloatType::Float),
        _ => DOUBLE,
    });
    let types = types.collect();
    match parsed.atoms.into_iter().next() {
        Some(Atom::Compare(_, x, y)) => (x, y, types),
        other => panic!("{other:?}"),
    }
}

fn left(text: &str) -> Typing {
    let (x, _, types) = sides(&format!("{text} == 0"));
    typing(&x, &|n| Kind::of_type(types[n]))
}

fn compared(text: &str) -> Type {
    let (x, y, types) = sides(text);
    comparison(&x, &y, &|n| Kind::of_type(types[n]))
}

#[test]
fn figure_7_divides_by_a_big_integer_and_compares_an_int() {
    // The paper's constant is 2^96 - 1, which 128 bits hold; beyond them it takes integers of any size.
    let of_128_bits = left("x / (y + 79228162514264337593543950335)");
    assert_eq!(of_128_bits, Typing { result: Type::Integer { bits: 8, is_signed: true }, computed: I128 });
    let big = left("x / (y + 792281625142643375935439503351234567890123456789)");
    assert_eq!(big.computed, Type::Z);
    assert!(big.result.is_within(INT), "{big:?}");
    assert!(compared("x / (y + 792281625142643375935439503351234567890123456789) == 0").is_within(INT));
}

#[test]
fn operations_of_machine_integers_stay_machine_integers() {
    assert_eq!(left("i + i").computed, LONG);
    assert_eq!(left("i * i").computed, LONG);
    assert_eq!(left("l + 1").computed, I128);
    assert_eq!(left("l * l").computed, I128);
    assert_eq!(left("l * l * l").computed, Type::Z);
    assert_eq!(left("u * u").computed, Type::Z);
    assert_eq!(left("i / 2").computed, INT);
    assert_eq!(left("i % 10").result, Type::Integer { bits: 8, is_signed: true });
    assert_eq!(left("-i").computed, LONG);
    assert_eq!(left("\\abs(i)").computed, LONG);
    assert_eq!(left("\\min(i, 5)").computed, INT);
    assert_eq!(left("\\max(u, 0)").computed, UNSIGNED_LONG);
    assert_eq!(left("u - u").computed, I128);
}

#[test]
fn floats_compare_as_they_are_and_compute_as_rationals() {
    assert_eq!(compared("d == 0."), DOUBLE);
    assert_eq!(compared("d <= 0.5"), DOUBLE);
    assert_eq!(compared("d <= 0.1"), Type::Q);
    assert_eq!(compared("f < d"), DOUBLE);
    assert_eq!(compared("d < i"), DOUBLE);
    // A long has more digits than a double.
    assert_eq!(compared("d < l"), Type::Q);
    assert_eq!(compared("f < i"), Type::Q);
    assert_eq!(compared("f < 7"), Type::Float(FloatType::Float));
    assert_eq!(left("d + d").computed, Type::Q);
    assert_eq!(left("d - 0.1").computed, Type::Q);
    assert_eq!(left("\\max(d, f)").computed, DOUBLE);
    assert_eq!(left("\\exact(d)").computed, Type::Q);
    assert_eq!(left("i + 0.5").computed, Type::Q);
}

#[test]
fn kinds_form_a_lattice() {
    let kinds = [
        Kind::Z(Interval::new(0, 1)),
        Kind::Z(Interval::of_type(32, true)),
        Kind::Z(Interval::of_type(64, true)),
        Kind::Z(Interval::ALL),
        Kind::F(FloatType::Float),
        Kind::F(FloatType::Double),
        Kind::F(FloatType::LongDouble),
        Kind::Q,
    ];
    for a in kinds {
        assert_eq!(a.union(a), a);
        for b in kinds {
            assert_eq!(a.union(b), b.union(a));
            assert!(a.ty().is_within(a.union(b).ty()), "{a:?} {b:?}");
        }
    }
}

#[test]
fn intervals_hold_what_operations_give() {
    let ends = [-7i128, -3, -1, 0, 1, 2, 5];
    let operators =
        [Operator::Add, Operator::Sub, Operator::Mul, Operator::Div, Operator::Rem, Operator::Min, Operator::Max];
    let intervals: Vec<Interval> = ends
        .iter()
        .flat_map(|lo| ends.iter().filter(move |hi| lo <= *hi).map(move |hi| Interval::new(*lo, *hi)))
        .collect();
    for operator in operators {
        for &x in &intervals {
            for &y in &intervals {
                let all = Interval::of_operation(operator, x, y);
                for a in x.lo.unwrap()..=x.hi.unwrap() {
                    for b in y.lo.unwrap()..=y.hi.unwrap() {
                        let value = match operator {
                            Operator::Add => a + b,
                            Operator::Sub => a - b,
                            Operator::Mul => a * b,
                            Operator::Div | Operator::Rem if b == 0 => continue,
                            Operator::Div => a / b,
                            Operator::Rem => a % b,
                            Operator::Min => a.min(b),
                            Operator::Max => a.max(b),
                        };
                        assert!(all.contains(value), "{operator:?} {x:?} {y:?}: {value} not in {all:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_128_bits_do_not_hold_has_no_bound() {
    let all = Interval::of_type(128, true);
    for operator in [Operator::Add, Operator::Sub, Operator::Mul] {
        let both = Interval::of_operation(operator, all, all);
        assert_eq!(Type::of_interval(both), Type::Z, "{operator:?}");
    }
    assert_eq!(Type::of_interval(all.negative()), Type::Z);
    assert_eq!(Type::of_interval(Interval::of_operation(Operator::Div, all, Interval::new(-1, -1))), Type::Z);
}

#[test]
fn doubles_are_recognised_as_written() {
    let of = |text: &str| match sides(&format!("d == {text}")).1 {
        Term::Rational { digits, exponent, base } => exact_double(&digits, exponent, base),
        other => panic!("{other:?}"),
    };
    for (text, value) in
        [("0.5", 0.5), ("1.25e3", 1250.0), ("0x1.8p-3", 0.1875), ("0.0", 0.0), ("3e0", 3.0), ("1e22", 1e22)]
    {
        assert_eq!(of(text), Some(value), "{text}");
    }
    for text in ["0.1", "1e-3", "9007199254740993.0", "0x1p-2000", "1e23"] {
        assert_eq!(of(text), None, "{text}");
    }
}
