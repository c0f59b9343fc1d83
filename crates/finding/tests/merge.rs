//! Merging and ranking: the same report for every order of the same findings.

use nonius_finding::*;
use proptest::prelude::*;

fn finding(line: u32, observed_at: ObservedAt, bits_lost: f64, count: u64) -> Finding {
    let worst = Worst::new(1.0, 1.5, Precision::Double).with_error(0.5, 1e15, bits_lost);
    let location = Location::new("/build/a.c", line, 7, "f");
    Finding { count, ..Finding::new(Kind::PrecisionLoss, observed_at, location, "subtraction", worst) }
}

#[test]
fn one_finding_a_site() {
    let merged = merge([
        finding(3, ObservedAt::Store, 20.0, 5),
        finding(3, ObservedAt::Store, 40.0, 2),
        finding(9, ObservedAt::Store, 1.0, u64::MAX),
        finding(9, ObservedAt::Store, 2.0, 1),
    ]);
    assert_eq!(merged.len(), 2);
    assert_eq!((merged[0].count, merged[0].worst.bits_lost), (7, 40.0));
    assert_eq!((merged[1].count, merged[1].worst.bits_lost), (u64::MAX, 2.0));
}

/// An ulp is up to twice as large a share of one number as of another: by ulps, and the bits that they make, the second were
/// worse.
#[test]
fn the_worst_is_the_one_with_the_largest_relative_error() {
    let seen = |column, relative, ulps: f64| {
        let worst = Worst::new(1.0, 1.5, Precision::Double).with_error(relative, ulps, ulps.log2());
        let observed_location = Some(Location::new("/build/a.c", 9, column, "f"));
        Finding { worst, observed_location, ..finding(3, ObservedAt::Output, 0.0, 1) }
    };
    let all = [seen(1, 0.01, 5e13), seen(2, 0.009, 8e13)];
    for findings in [all.clone(), [all[1].clone(), all[0].clone()]] {
        let [merged] = &merge(findings)[..] else { panic!("one root") };
        assert_eq!((merged.worst.relative_error, merged.symptoms.len()), (0.01, 1));
    }
}

#[test]
fn what_is_said_of_the_output_was_seen_in_the_output() {
    let merged = merge([finding(3, ObservedAt::Store, 50.0, 1), finding(3, ObservedAt::Output, 30.0, 1)]);
    assert_eq!(merged.len(), 1);
    assert_eq!((merged[0].observed_at, merged[0].worst.bits_lost), (ObservedAt::Output, 30.0));
    assert_eq!(merged[0].severity, Severity::Error);
}

#[test]
fn what_goes_back_to_one_operation_is_a_root_and_its_symptoms() {
    let seen_on = |line, at, bits, count| {
        let mut f = finding(3, at, bits, count);
        f.observed_location = Some(Location::new("/build/a.c", line, 1, "g"));
        f
    };
    let mut flip = finding(8, ObservedAt::Branch, 53.0, 4);
    flip.kind = Kind::BranchFlip;
    flip.root = Some(finding(3, ObservedAt::Store, 0.0, 1).id);
    let elsewhere =
        Finding { root: Some("not there".into()), location: Location::new("b.c", 1, 1, ""), ..flip.clone() };
    let all = [
        seen_on(5, ObservedAt::Store, 40.0, 2),
        seen_on(6, ObservedAt::Output, 30.0, 3),
        seen_on(7, ObservedAt::Output, 20.0, 1),
        seen_on(5, ObservedAt::Store, 41.0, 7),
        flip,
        elsewhere,
    ];
    for turn in 0..all.len() {
        let mut turned = all.clone();
        turned.rotate_left(turn);
        let mut merged = merge(turned);
        rank(&mut merged);
        assert_eq!(merged.len(), 2);
        let root = &merged[0];
        assert_eq!((root.count, root.seen_at().line, root.worst.bits_lost), (13, 6, 30.0));
        let symptoms: Vec<_> = root.symptoms.iter().map(|s| (s.location.line, s.count, s.worst.bits_lost)).collect();
        assert_eq!(symptoms, [(7, 1, 20.0), (8, 4, 53.0), (5, 9, 41.0)]);
        assert_eq!((merged[1].kind, merged[1].location.line), (Kind::BranchFlip, 1));
        // Merged once more, as the reports of several processes are.
        let mut again = merge(merged.clone());
        rank(&mut again);
        assert_eq!(again, merged);
    }
}

#[test]
fn kinds_and_operations_stay_apart() {
    let a = finding(3, ObservedAt::Store, 1.0, 1);
    let b = Finding { kind: Kind::Stage, ..a.clone() };
    let c = Finding { operation: "addition".into(), ..a.clone() };
    assert_eq!(merge([a, b, c]).len(), 3);
}

#[test]
fn the_worst_comes_first() {
    let mut findings = vec![
        finding(1, ObservedAt::Store, f64::NAN, 1),
        finding(2, ObservedAt::Store, 20.0, 1),
        finding(3, ObservedAt::Store, 20.0, 9),
        finding(4, ObservedAt::Store, 30.0, 1),
        finding(5, ObservedAt::Api, 2.0, 1),
        finding(6, ObservedAt::Output, 1.0, 1),
    ];
    rank(&mut findings);
    assert_eq!(findings.iter().map(|f| f.location.line).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1]);
}

/// A residual that was printed.
fn residual(line: u32, ideal: f64) -> Finding {
    let f = finding(line, ObservedAt::Output, 53.0, 9);
    let worst = Worst { value: 3e-17, shadow: ideal, ..f.worst.clone() };
    Finding { class: Some(Class::Residual), worst, ..f }
}

#[test]
fn a_printed_residual_that_should_be_something_may_be_the_result() {
    let mut findings = vec![residual(3, 1e-30), finding(2, ObservedAt::Output, 40.0, 9), residual(1, 2e-17)];
    rank(&mut findings);
    assert_eq!(findings.iter().map(|f| f.location.line).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn outputs_come_before_decisions_and_harm_before_what_does_none() {
    let of = |kind, line, at, bits| Finding { kind, ..finding(line, at, bits, 1) };
    let mut findings = vec![
        finding(7, ObservedAt::Store, 53.0, 99),
        of(Kind::Nan, 6, ObservedAt::Operation, 0.0),
        Finding { class: Some(Class::ToleranceTest), ..of(Kind::BranchFlip, 5, ObservedAt::Branch, 9.0) },
        of(Kind::CastFlip, 4, ObservedAt::Cast, 1.0),
        residual(3, 0.0),
        finding(2, ObservedAt::Output, 40.0, 9),
        // Seen once, among outputs that are wrong a thousand times.
        Finding { severity: Severity::Error, ..of(Kind::Nan, 1, ObservedAt::Output, 0.0) },
    ];
    rank(&mut findings);
    assert_eq!(findings.iter().map(|f| f.location.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
}

fn report(findings: Vec<Finding>, outputs: u64) -> Report {
    let mut report = Report::new(Program::default(), "residue");
    (report.findings, report.summary.outputs) = (findings, outputs);
    rank(&mut report.findings);
    report
}

#[test]
fn what_is_folded_is_counted_and_no_output_is() {
    let classed = |line, at, class| Finding { class: Some(class), ..finding(line, at, 50.0, 1) };
    let findings = vec![
        finding(1, ObservedAt::Output, 40.0, 1),
        residual(2, 0.0),
        Finding { kind: Kind::BranchFlip, ..finding(3, ObservedAt::Branch, 40.0, 1) },
        finding(4, ObservedAt::Store, 40.0, 1),
        classed(5, ObservedAt::Store, Class::Residual),
        classed(6, ObservedAt::Return, Class::Residual),
    ];
    let lines = |report: &Report, selection| {
        let arranged = arrange(report, selection);
        let shown: Vec<u32> = arranged.shown.iter().map(|f| f.location.line).collect();
        (shown, arranged.folded, failing(report, selection))
    };
    let usual = Selection::default();
    let residuals = (Folded::Class(Class::Residual), 2);
    let prints = report(findings.clone(), 3);
    assert_eq!(lines(&prints, usual), (vec![1, 2, 3], vec![residuals, (Folded::Stored, 1)], 6));
    assert_eq!(lines(&prints, Selection::EVERYTHING), (vec![1, 2, 3, 4, 5, 6], vec![], 6));
    let output = Selection { focus: Focus::Output, all: false };
    assert_eq!(lines(&prints, output), (vec![1, 2], vec![(Folded::OutOfFocus, 4)], 2));
    let decisions = Selection { focus: Focus::Decisions, all: true };
    assert_eq!(lines(&prints, decisions), (vec![1, 2, 3], vec![(Folded::OutOfFocus, 3)], 3));
    // Where nothing is printed, what is stored is all there is to go by.
    let silent = report(findings, 0);
    assert_eq!(lines(&silent, usual), (vec![1, 2, 3, 4], vec![residuals], 6));
    // A run that fails says why.
    let only_folded = report(silent.findings.iter().skip(3).cloned().collect(), 3);
    assert_eq!(lines(&only_folded, usual), (vec![4, 5, 6], vec![], 3));
    let on_purpose = |line| classed(line, ObservedAt::Store, Class::OnPurpose);
    let only_classed = report((1..=5).map(on_purpose).collect(), 3);
    assert_eq!(lines(&only_classed, usual), (vec![], vec![(Folded::Class(Class::OnPurpose), 5)], 5));
    let named: Vec<u32> = arrange(&only_classed, usual).named.iter().map(|f| f.location.line).collect();
    assert_eq!(named, [1, 2, 3]);
}

#[test]
fn a_symptom_that_does_no_harm_does_not_make_a_decision_of_its_root() {
    let flip = |class| Finding { class, kind: Kind::BranchFlip, ..finding(9, ObservedAt::Branch, 20.0, 1) };
    let of = |class| Finding { symptoms: vec![Symptom::of(&flip(class))], ..finding(2, ObservedAt::Store, 20.0, 1) };
    let shown = |class| {
        let report = report(vec![finding(1, ObservedAt::Output, 20.0, 1), of(class)], 3);
        let decisions = Selection { focus: Focus::Decisions, all: false };
        (arrange(&report, Selection::default()).shown.len(), failing(&report, decisions))
    };
    assert_eq!(shown(None), (2, 2));
    assert_eq!(shown(Some(Class::Choice)), (1, 2), "folded, and it counts");
}

#[test]
fn a_class_holds_for_all_or_none() {
    let classed = |class| Finding { class, ..finding(3, ObservedAt::Store, 20.0, 1) };
    let of = |a, b| merge([classed(a), classed(b)])[0].class;
    assert_eq!(of(Some(Class::Residual), Some(Class::Residual)), Some(Class::Residual));
    assert_eq!((of(Some(Class::Residual), None), of(None, Some(Class::Residual))), (None, None));
}

#[test]
fn callers_are_united() {
    let caller = |line| Location::new("main.c", line, 1, "main");
    let called = |bits, line| Finding { callers: vec![caller(line)], ..finding(3, ObservedAt::Store, bits, 1) };
    let merged = merge([called(20.0, 8), called(40.0, 9), called(10.0, 7), called(5.0, 8)]);
    assert_eq!(merged[0].callers, [caller(9), caller(7), caller(8)]);
}

#[test]
fn numbers_json_lacks_survive_it() {
    let worst = Worst::new(f64::NAN, -0.0, Precision::Quad)
        .with_error(f64::INFINITY, f64::NEG_INFINITY, 113.0)
        .with_operands(&[Operand::new(f64::INFINITY, 1e308), Operand::new(0.1, 5e-324)]);
    let text = serde_json::to_string(&worst).unwrap();
    assert!(text.contains(r#""value":"nan""#) && text.contains(r#""ulps":"-inf""#), "{text}");
    assert_eq!(serde_json::from_str::<Worst>(&text).unwrap(), worst);
    assert!(serde_json::from_str::<Worst>(&text.replace("\"nan\"", "\"huge\"")).is_err());
}

#[test]
fn words_read_back() {
    for kind in Kind::ALL {
        assert_eq!(kind.as_str().parse::<Kind>(), Ok(*kind));
        assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{kind}\""));
    }
    let unknown = "loss".parse::<Kind>().unwrap_err().to_string();
    assert!(unknown.starts_with("'loss' is not a finding kind; one of: precision-loss, branch-flip,"), "{unknown}");
}

#[test]
fn digits_left_stay_in_range() {
    for (bits_lost, low, high) in
        [(0.0, 15.9, 16.0), (53.0, 0.0, 0.0), (1e300, 0.0, 0.0), (f64::NAN, 15.9, 16.0), (-3.0, 15.9, 16.0)]
    {
        let left = Worst::new(1.0, 1.0, Precision::Double).with_error(0.0, 0.0, bits_lost).digits_left();
        assert!((low..=high).contains(&left), "{bits_lost} bits lost leave {left} digits");
    }
}

#[test]
fn suppressions_match_the_operation_or_any_frame() {
    let frame = |function: &str, module: &str| Frame {
        function: function.into(),
        file: "/src/main.c".into(),
        module: module.into(),
        ..Frame::default()
    };
    let mut seen = finding(3, ObservedAt::Store, 20.0, 4);
    seen.observed_location = Some(Location::new("/src/print.c", 1, 1, "show"));
    seen.stack =
        vec![frame("show", "/usr/lib/libshow.so.1"), frame("f", "/usr/lib/libf.so.1"), frame("main", "/usr/bin/prog")];
    seen.id = "68f40ab8840f-2".to_owned();
    let table = [
        ("precision-loss:function=f # r", true),
        ("nan:function=f # r", false),
        ("*:file=a.c # r", true),
        ("*:file=build/* # r", true),
        ("*:at=a.c:3 # r", true),
        ("*:at=*:3 # r", true),
        ("*:at=a.c:4 # r", false),
        ("*:at=b.c:3 # r", false),
        ("*:id=68f40ab8840f-2 # r", true),
        ("*:id=68f40ab8840f # r", false),
        ("nan:id=68f40ab8840f-2 # r", false),
        ("*:module=libf.so* # r", true),
        ("*:module=libm.so* # r", false),
        // Who prints the value, and who calls.
        ("*:function=main # r", false),
        ("*:file=print.c # r", false),
        ("*:file=main.c # r", false),
        ("*:module=libshow.so* # r", false),
        ("*:frame=main # r", true),
        ("*:frame=sho # r", false),
        ("nan:frame=main # r", false),
        ("*:frame=print.c # r", true),
        ("*:frame=src/* # r", true),
        ("*:frame=libshow.so* # r", true),
        ("*:frame=build/a.c # r", true),
    ];
    for (line, covered) in table {
        let applied = Suppressions::parse(line, "s").unwrap().apply(vec![seen.clone()]);
        assert_eq!(applied.suppressed == 1, covered, "{line}");
        assert_eq!(applied.remaining.is_empty(), covered, "{line}");
        let records = if covered { &applied.used } else { &applied.unused };
        assert_eq!(records.len(), 1, "{line}");
        assert_eq!(records[0].count, if covered { 4 } else { 0 }, "{line}");
    }
}

#[test]
fn findings_are_counted_not_where_they_were_seen() {
    let all = Suppressions::parse("*:function=f # a", "s").unwrap();
    let sightings = [(3, ObservedAt::Store), (3, ObservedAt::Output), (4, ObservedAt::Store)];
    let applied = all.apply(sightings.map(|(line, at)| finding(line, at, 20.0, 1)).into());
    assert_eq!((applied.suppressed, applied.used[0].count), (2, 3));
}

#[test]
fn the_first_entry_that_covers_is_the_one_used() {
    let mut all = Suppressions::parse("nan:function=f # a", "one").unwrap();
    all.append(Suppressions::parse("*:function=f # b\n*:file=a.c # c", "two").unwrap());
    let applied = all.apply(vec![finding(3, ObservedAt::Store, 20.0, 1)]);
    let lines = |records: &[SuppressionRecord]| {
        records.iter().map(|r| format!("{}:{} {}", r.file, r.line, r.reason)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&applied.used), ["two:1 b"]);
    assert_eq!(lines(&applied.unused), ["one:1 a", "two:2 c"]);
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let bits = prop_oneof![Just(f64::NAN), (0..4u8).prop_map(f64::from)];
    let observed_at = proptest::sample::select(ObservedAt::ALL);
    let kind = proptest::sample::select(&Kind::ALL[..2]);
    (0..3u32, observed_at, bits, 1..5u64, 0..3u64, kind).prop_map(|(line, at, bits_lost, count, thread, kind)| {
        let base = finding(line, at, bits_lost, count);
        let cause = Cause { description: thread.to_string(), ..Cause::default() };
        Finding { kind, thread, causes: vec![cause], ..base }
    })
}

fn ranked(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged = merge(findings);
    rank(&mut merged);
    merged
}

/// Causes in one order: what was merged in steps may list them in another.
fn with_sorted_causes(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.iter_mut().for_each(|f| f.causes.sort());
    findings
}

proptest! {
    #[test]
    fn order_of_arrival_does_not_matter(
        (findings, shuffled) in proptest::collection::vec(any_finding(), 0..12)
            .prop_flat_map(|v| (Just(v.clone()), Just(v).prop_shuffle()))
    ) {
        let merged = ranked(findings.clone());
        prop_assert_eq!(&merged, &ranked(shuffled.clone()));
        prop_assert_eq!(merged.iter().map(|f| f.count).sum::<u64>(), findings.iter().map(|f| f.count).sum::<u64>());
        // Merging in two steps is merging at once.
        let (left, right) = shuffled.split_at(shuffled.len() / 2);
        let steps = [merge(left.to_vec()), merge(right.to_vec())].concat();
        prop_assert_eq!(with_sorted_causes(merged), with_sorted_causes(ranked(steps)));
    }

    #[test]
    fn ranking_is_a_total_order(a in any_finding(), b in any_finding(), c in any_finding()) {
        prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        prop_assert_eq!(compare(&a, &b).is_eq(), a == b);
        if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
            prop_assert!(compare(&a, &c).is_le());
        }
    }
}
