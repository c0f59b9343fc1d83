//! Ids: the same from run to run, from edit to edit and from level to level, and never the same for two findings.

use nonius_finding::*;

const SOURCE: &str = "\
double gap(double x) {
    return sqrt(x + 1) - sqrt(x);
}
void twice(double a, double b) {
    y = a - b;
    z = y + (a - b);
    y = a - b;
}";

fn at(line: u32, column: u32, function: &str, operation: &str) -> Finding {
    let worst = Worst::new(1.0, 1.5, Precision::Double).with_error(0.5, 1e15, 52.0);
    let location = Location::new("/home/a/src/x.c", line, column, function);
    Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location, operation, worst)
}

fn identified(mut findings: Vec<Finding>, source: &str) -> Vec<Finding> {
    let lines: Vec<&str> = source.lines().collect();
    identify(&mut findings, &mut |_, n| lines.get((n as usize).checked_sub(1)?).map(|l| (*l).to_owned()));
    findings
}

fn ids(findings: Vec<Finding>, source: &str) -> Vec<String> {
    identified(findings, source).into_iter().map(|f| f.id).collect()
}

fn all(line_shift: u32, column_shift: u32, operation: &str) -> Vec<Finding> {
    let places = [(2, 24, "gap"), (5, 11, "twice"), (6, 11, "twice"), (6, 16, "twice"), (7, 11, "twice")];
    places.map(|(line, column, function)| at(line + line_shift, column + column_shift, function, operation)).into()
}

#[test]
fn ids_differ_from_place_to_place() {
    let mut found = ids(all(0, 0, "subtraction"), SOURCE);
    assert!(found.iter().all(|id| id.len() == 12), "{found:?}: none needs a number");
    // Kept in users' baselines: must not change from one version to the next.
    assert_eq!(found[0], "911954a041da");
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 5);
    let other = |change: fn(&mut Finding)| {
        let mut finding = at(2, 24, "gap", "subtraction");
        change(&mut finding);
        finding.id = Finding::place_id(finding.kind, &finding.location, &finding.operation);
        ids(vec![finding], SOURCE).remove(0)
    };
    let gap = other(|_| {});
    assert_eq!(gap, other(|f| f.location.file = "/tmp/b/x.c".into()), "the folder");
    assert_ne!(gap, other(|f| f.location.file = "/home/a/src/y.c".into()));
    assert_ne!(gap, other(|f| f.kind = Kind::Nan));
    assert_ne!(gap, other(|f| f.operation = "call sqrt".into()));
}

#[test]
fn edits_elsewhere_change_no_id() {
    let before = ids(all(0, 0, "subtraction"), SOURCE);
    let commented = format!("// a comment\n\n{SOURCE}");
    assert_eq!(ids(all(2, 0, "subtraction"), &commented), before);
    let function_before = format!("double older() {{\n    y = a - b;\n}}\n{SOURCE}");
    assert_eq!(ids(all(3, 0, "subtraction"), &function_before), before);
    let indented = SOURCE.replace("    ", "\t\t  ").replace(';', ";  // why");
    assert_eq!(ids(all(0, 0, "subtraction").into_iter().map(|f| shifted(f, 0)).collect(), &indented), before);
    // The line itself is another matter.
    let rewritten = SOURCE.replace("sqrt(x + 1) - sqrt(x)", "sqrt(x + 2) - sqrt(x)");
    let after = ids(all(0, 0, "subtraction"), &rewritten);
    assert!(after[0] != before[0] && after[1..] == before[1..]);
}

fn shifted(mut finding: Finding, by: u32) -> Finding {
    finding.location.column += by;
    finding
}

#[test]
fn levels_have_the_same_ids() {
    // What is subtracted at -O0 is added to its negative at -O2.
    assert_eq!(ids(all(0, 0, "subtraction"), SOURCE), ids(all(0, 0, "addition"), SOURCE));
    assert_eq!(ids(all(0, 0, "load"), SOURCE), ids(all(0, 0, "parameter"), SOURCE));
}

#[test]
fn what_is_equal_is_numbered_by_lines_whatever_the_order() {
    let mut findings =
        vec![at(7, 0, "twice", "addition"), at(5, 0, "twice", "subtraction"), at(5, 0, "twice", "addition")];
    let source = SOURCE.replace("twice(", "other(");
    let expected = ids(findings.clone(), &source);
    assert_eq!(expected[1], format!("{}-2", expected[2]));
    findings.reverse();
    let mut reversed = ids(findings, &source);
    reversed.reverse();
    assert_eq!(reversed, expected);
    // Without source all of a function are equal.
    let unread = ids(all(0, 0, "subtraction"), "");
    let twice = &unread[1];
    assert_eq!(unread[2..], [2, 3, 4].map(|n| format!("{twice}-{n}")));
    assert_eq!(unread, ids(all(9, 3, "addition"), ""));
    assert_eq!((without_number("abc-12"), without_number("abc"), without_number("a-b")), ("abc", "abc", "a-b"));
}

#[test]
fn roots_follow_the_ids() {
    let root = at(5, 11, "twice", "subtraction");
    let mut flip = at(7, 3, "twice", "comparison");
    flip.is_caused_by(root.location.clone(), &root.operation);
    let both = identified(vec![flip.clone(), root.clone()], SOURCE);
    assert_eq!(both[0].root.as_ref(), Some(&both[1].id));
    // A root that another process has found.
    let alone = identified(vec![flip], SOURCE).remove(0);
    assert_eq!(alone.root.as_ref(), Some(&both[1].id));
}

#[test]
fn ids_are_the_same_after_reports_were_merged() {
    let mut whole = identified(all(0, 0, "subtraction"), "");
    let mut part = identified(all(0, 0, "subtraction").split_off(3), "");
    assert_eq!(part[0].id, whole[1].id, "by itself it is the first");
    let expected: Vec<String> = whole.iter().map(|f| f.id.clone()).collect();
    let mut stray = at(7, 3, "twice", "comparison");
    stray.root = Some(whole[0].id.clone());
    let mut ids = Ids::default();
    ids.set_aside(&mut whole.iter_mut().collect::<Vec<_>>());
    ids.set_aside(&mut part.iter_mut().collect::<Vec<_>>());
    ids.find_roots(&mut [&mut stray]);
    assert_eq!(stray.root.as_ref(), Some(&whole[0].id));
    let mut merged = merge(whole.into_iter().chain(part));
    ids.give(&mut merged.iter_mut().collect::<Vec<_>>());
    assert_eq!(merged.iter().map(|f| f.id.clone()).collect::<Vec<_>>(), expected);
    assert_eq!(merged.iter().map(|f| f.count).collect::<Vec<_>>(), [1, 1, 1, 2, 2]);
}
