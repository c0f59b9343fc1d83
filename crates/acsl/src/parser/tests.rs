use super::*;
use crate::Measure;

fn read(text: &str) -> Result<Parsed, SyntaxError> {
    predicate(text, Dialect::C)
}

fn places(text: &str) -> Vec<String> {
    read(text).unwrap().places.iter().map(ToString::to_string).collect()
}

#[test]
fn places_are_read_as_they_are_written() {
    assert_eq!(places("a[i + 1].x->y <= *p"), ["a[i + 1].x->y", "*p"]);
    assert_eq!(places("(*p).x < (a + b) * 2"), ["(*p).x", "a", "b"]);
    assert_eq!(places("norm(&v[0], n) < 1 && p->next->x > 0"), ["norm(&v[0], n)", "p->next->x"]);
    assert_eq!(places("\\old(x) + \\result == x"), ["\\old(x)", "\\result", "x"]);
    assert_eq!(places("\\at(x, Pre) == std::size"), ["\\old(x)", "std::size"]);
}

#[test]
fn operators_bind_as_in_acsl() {
    let same = |a: &str, b: &str| assert_eq!(read(a).unwrap().predicate, read(b).unwrap().predicate, "{a}");
    same("a < 1 && b < 1 || c < 1", "((a < 1 && b < 1) || c < 1)");
    same("a < 1 ==> b < 1 ==> c < 1", "a < 1 ==> (b < 1 ==> c < 1)");
    same("!a < 1 && b < 1", "(!(a < 1)) && (b < 1)");
    same("a < 1 <==> b < 1 ==> c < 1", "(a < 1) <==> (b < 1 ==> c < 1)");
    same("0 <= a < b", "0 <= a && a < b");
    let terms = |text: &str| read(text).unwrap().atoms;
    assert_eq!(terms("a + b * c - d < 1"), terms("((a + (b * c)) - d) < 1"));
    assert_eq!(terms("-a * b < 1"), terms("(-a) * b < 1"));
}

#[test]
fn local_bindings_stand_for_their_terms() {
    let bound = read("\\let x = a + 1; \\let y = x * x; y <= x").unwrap();
    assert_eq!(bound.atoms, read("(a + 1) * (a + 1) <= a + 1").unwrap().atoms);
    let pair = read("\\let (lo, hi) = accuracy_get_ferr(in); lo <= hi").unwrap();
    let measure = |upper| Term::Measure(Measure::Error { upper }, 0);
    assert_eq!(pair.atoms, [Atom::Compare(Comparison::Le, measure(false), measure(true))]);
}

#[test]
fn figure_1_is_read_as_the_paper_has_it() {
    let text = "\\let (err_min, err_max) = accuracy_get_ferr(in); \\let cst = max_distance (&y[0], n); \
                accuracy_assert_ferr(out, -2.0 * cst * min(err_min, -err_max), +2.0 * cst * max(-err_min, err_max))";
    let parsed = read(text).unwrap();
    assert_eq!(
        parsed.places.iter().map(|p| p.text.as_str()).collect::<Vec<_>>(),
        ["in", "max_distance(&y[0], n)", "out"]
    );
    assert!(matches!(parsed.atoms[..], [Atom::Builtin(Builtin::AssertError, 2, _)]));
}

#[test]
fn quantifiers_have_bounds() {
    let Predicate::ForAll(all) = read("\\forall integer i; 0 <= i < n ==> a[i] >= 0").unwrap().predicate else {
        panic!()
    };
    assert_eq!((all.variable.as_str(), all.above_least, all.below_greatest), ("i", false, true));
    let Predicate::Exists(one) = read("\\exists int i, j; 0 < i <= n && 0 <= j < i && a[i] == a[j]").unwrap().predicate
    else {
        panic!()
    };
    assert!(matches!(one.body, Predicate::Exists(_)) && one.above_least && !one.below_greatest);
}

#[test]
fn numbers_are_what_they_say() {
    let of = |text: &str| match read(&format!("x == {text}")).unwrap().atoms.remove(0) {
        Atom::Compare(_, _, y) => y,
        other => panic!("{other:?}"),
    };
    assert_eq!(of("0x10UL"), Term::integer(16));
    assert_eq!(of("017"), Term::integer(15));
    assert_eq!(of("-5"), Term::integer(-5));
    let big = "340282366920938463463374607431768211456";
    assert_eq!(of(big), Term::Integer { digits: big.to_owned(), small: None });
    assert_eq!(of("0x100000000000000000000000000000000"), Term::Integer { digits: big.to_owned(), small: None });
    assert_eq!(of("0.10"), Term::Rational { digits: "10".to_owned(), exponent: -2, base: 10 });
    assert_eq!(of("1e-3f"), Term::Rational { digits: "1".to_owned(), exponent: -3, base: 10 });
    assert_eq!(of("0x1.8p1"), Term::Rational { digits: "24".to_owned(), exponent: -3, base: 2 });
}

#[test]
fn mistakes_are_named_where_they_are() {
    let cases = [
        ("x <", "expected a number, and there is nothing more", 3),
        ("x < 1 &&", "expected a number, and there is nothing more", 8),
        ("(x < 1", "expected ')'", 6),
        ("x = 1", "an assertion changes nothing; did you mean '=='?", 2),
        ("a[i++] < 1", "an assertion changes nothing", 3),
        ("a[i < 1", "this '[' is not closed", 1),
        ("x + 1", "expected a comparison: <, <=, ==, !=, >= or >", 5),
        ("x < 12q", "'12q' is no number", 4),
        ("\\let x = 1 x < 2", "expected ';'", 11),
        ("\\let k = 1; a[k] > 0", "'k' is a local binding of this assertion, which C cannot see", 12),
    ];
    for (text, message, at) in cases {
        let error = read(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.at.start, error.is_unsupported), (message, at, false), "{text}");
    }
}

#[test]
fn other_acsl_is_told_apart_from_mistakes() {
    for text in ["\\valid(p)", "\\forall real x; x > 0", "\\forall integer i; a[i] > 0", "x & 1 == 0", "\\at(x, L) < 1"]
    {
        assert!(read(text).unwrap_err().is_unsupported, "{text}");
    }
}

#[test]
fn nothing_is_too_deep_or_too_long() {
    for text in
        ["(".repeat(100_000), "!".repeat(100_000), "-".repeat(100_000), "a[".repeat(100_000), "x<1 ==> ".repeat(10_000)]
    {
        assert!(read(&text).is_err());
    }
    let mut many = String::from("\\let a = x + x; ");
    for n in 0..40 {
        many += &format!("\\let a{n} = {0} + {0}; ", if n == 0 { "a".to_owned() } else { format!("a{}", n - 1) });
    }
    assert!(read(&(many + "a39 < 1")).is_err());
}

#[test]
fn other_languages_need_no_backslash() {
    let parsed =
        predicate("exact(x.0) <= max(y, 2) && forall integer i; 0 <= i < 3 ==> v[i] > 0", Dialect::Plain).unwrap();
    assert_eq!(parsed.places.iter().map(|p| p.text.as_str()).collect::<Vec<_>>(), ["x.0", "y", "v[i]"]);
}
