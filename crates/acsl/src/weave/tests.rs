use super::*;

fn lines(text: &str) -> usize {
    text.matches('\n').count()
}

#[test]
fn checks_take_the_place_of_annotations_and_lines_stay() {
    let source = "int f(int x) {\n  /*@ assert\n    x > 0; */\n  return x; //@ assert 1 < 2;\n}\n";
    let woven = weave(source);
    assert_eq!((woven.checks, lines(&woven.text), woven.problems.len()), (2, lines(source), 0));
    assert!(woven.text.contains("\"x > 0\", 2, 7,"), "{}", woven.text);
    assert!(woven.text.contains("\n  return x; {"));
    assert_eq!(weave("int x; /* no */\n").text, "int x; /* no */\n");
}

#[test]
fn a_statement_without_braces_stays_one() {
    let woven = weave("void f(int x) { if (x) /*@ assert x > 0; */ g(x); else /*@ assert x == 0; */ for (;;) h(); }");
    assert_eq!(woven.checks, 2);
    assert!(woven.text.contains(" g(x); } else { "), "{}", woven.text);
    assert!(woven.text.ends_with("for (;;) h(); } }"), "{}", woven.text);
}

#[test]
fn a_macro_keeps_its_line() {
    let source = "#define F(x) do { /*@ assert\n x > 0; */ g(x); } while (0)\n";
    let woven = weave(source);
    assert_eq!(lines(&woven.text), lines(source));
    assert!(woven.text.contains("}\\\n g(x)"), "{}", woven.text);
}

#[test]
fn contracts_are_checked_at_entry_and_at_every_return() {
    let source = "/*@ requires x > 0;\n  @ ensures \\result >= \\old(*p) && \\result > x;\n  @*/\ndouble f(double x, double *p) {\n  if (x > 1) return 2;\n  return x;\n}\n";
    let woven = weave(source);
    assert_eq!((woven.checks, woven.problems.len(), lines(&woven.text)), (2, 0, lines(source)));
    assert_eq!(woven.text.matches("return __nonius_acsl_result; }").count(), 2);
    assert_eq!(woven.text.matches("\"requires\"").count(), 1);
    assert!(woven.text.contains("__nonius_acsl_old_0 = (*p); "), "{}", woven.text);
    assert!(
        woven.text.contains("if (x > 1) { __NONIUS_ACSL_RESULT(f(x, p)) __nonius_acsl_result = ( 2); "),
        "{}",
        woven.text
    );
    assert!(
        woven.text.contains("__NONIUS_ACSL_CAPTURE(2, (__nonius_acsl_at_entry_x))")
            || woven.text.contains("(__nonius_acsl_at_entry_x)")
    );
}

#[test]
fn invariants_are_checked_at_every_test() {
    let woven = weave("void f(int n) { /*@ loop invariant 0 <= i <= n; */ for (int i = 0; i < n; i++) g(); }");
    assert!(
        woven.text.contains("int i = 0; __extension__({ ") && woven.text.contains("1; }) && (i < n); i++)"),
        "{}",
        woven.text
    );
    let woven = weave("void f(int n) { /*@ loop invariant n > 0; */ do n--; while (n > 1); }");
    assert!(woven.text.contains("do { __NONIUS") && woven.text.contains("n--; } while"), "{}", woven.text);
}

#[test]
fn what_is_out_of_place_is_named() {
    for (source, message) in [
        ("/*@ assert 1 < 2; */", "an assertion stands before a statement"),
        ("int f() { return 1 + /*@ assert 1 < 2; */ 2; }", "an assertion stands before a statement"),
        ("void f() { if (1) {} /*@ assert 1 < 2; */ else {} }", "an assertion stands before a statement"),
        ("void f() { /*@ loop invariant 1 < 2; */ g(); }", "a loop invariant stands before a loop"),
        (
            "/*@ requires x > 0; */ double f(double x);",
            "the contract of a declaration is not checked: put it before the definition",
        ),
        ("/*@ requires x > 0; */ int x;", "a contract stands before a function"),
        ("void f() { /*@ assert \\result > 0; */ ; }", "\\result belongs into 'ensures'"),
    ] {
        let woven = weave(source);
        let messages: Vec<&str> = woven.problems.iter().map(|p| p.message.as_str()).collect();
        assert_eq!((messages, woven.checks), (vec![message], 0), "{source}");
    }
}

#[test]
fn a_mistake_has_its_line_and_column() {
    let woven = weave("void f(int x) {\n  /*@ assert x <\n       ; */\n}");
    assert_eq!((woven.problems[0].line, woven.problems[0].column), (3, 8));
}

#[test]
fn pragmas_mark_tasks_and_lines_stay() {
    let source = "void f(void) {\n#pragma nonius \\\n task(\"a\")\n  { g(); }\n#pragma nonius tsak(b)\n}\n// #pragma nonius task(no)\n";
    for woven in [weave(source), weave_tasks(source)] {
        assert_eq!((woven.tasks, woven.checks, lines(&woven.text)), (1, 0, lines(source)));
        assert!(woven.text.starts_with("void f(void) {\nNONIUS_TASK(\"a\")\n\n  { g(); }\n"), "{}", woven.text);
        let [problem] = &*woven.problems else { panic!("{:?}", woven.problems) };
        assert!(problem.in_pragma && (problem.line, problem.column) == (5, 1), "{problem:?}");
    }
    let both = "void f(int x) {\n#pragma nonius task(a)\n  { /*@ assert x > 0; */ }\n}\n";
    assert_eq!((weave(both).tasks, weave(both).checks), (1, 1));
    assert_eq!((weave_tasks(both).tasks, weave_tasks(both).checks), (1, 0));
}
