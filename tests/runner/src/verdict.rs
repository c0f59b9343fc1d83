//! Compares what was found with what is annotated, and says in words where they differ.

use crate::annotation::Annotation;
use crate::corpus::Case;
use crate::report::{Finding, Location, Report};
use crate::run::Outcome;

/// One line for each difference at `level`; empty if the findings are the annotated ones.
///
/// Every root needs an annotation on the line of its operation, and every decision that is among symptoms one on its own
/// line. An annotation may answer for several findings of its line, as an unrolled or vectorized loop has several
/// operations there; and a symptom on its line answers it too.
pub fn compare_findings(case: &Case, level: &str, findings: &[Finding]) -> Vec<String> {
    let wanted: Vec<&Annotation> = case.annotations.iter().filter(|a| a.applies_to(level)).collect();
    let mut seen = vec![false; wanted.len()];
    let mut differences = Vec::new();
    let decisions = findings.iter().flat_map(Finding::decisions);
    for finding in findings.iter().cloned().chain(decisions) {
        let mut complaints = Vec::new();
        let mut matched = false;
        for (annotation, seen) in wanted.iter().zip(&mut seen).filter(|(a, _)| same_place_and_kind(a, &finding)) {
            match mismatch(annotation, &finding) {
                None => {
                    *seen = true;
                    matched = true;
                }
                Some(complaint) => {
                    // Found, only otherwise than expected: one complaint is enough.
                    *seen = true;
                    complaints.push(complaint);
                }
            }
        }
        if !matched {
            differences.push(unexpected(case, &finding, complaints.first()));
        }
        for (annotation, seen) in wanted.iter().zip(&mut seen) {
            *seen |= sightings(&finding).any(|s| is_on_line(annotation, s.location) && fits(annotation, &s));
        }
    }
    for (annotation, _) in wanted.iter().zip(&seen).filter(|(a, seen)| !**seen && !a.optional) {
        let Annotation { file, line, .. } = annotation;
        let source = case.line(file, *line);
        differences.push(format!("missing     {file}:{line}: {}\n{line:>8} | {source}", annotation.text()));
    }
    differences
}

/// A place where a finding's error was seen.
struct Sighting<'a> {
    kind: &'a str,
    location: &'a Location,
    observed_at: &'a str,
    bits_lost: f64,
}

fn sightings(finding: &Finding) -> impl Iterator<Item = Sighting<'_>> {
    let shown = Sighting {
        kind: &finding.kind,
        location: finding.observed_location.as_ref().unwrap_or(&finding.location),
        observed_at: &finding.observed_at,
        bits_lost: finding.bits_lost(),
    };
    std::iter::once(shown).chain(finding.symptoms.iter().map(|s| Sighting {
        kind: &s.kind,
        location: &s.location,
        observed_at: &s.observed_at,
        bits_lost: s.worst.bits_lost(),
    }))
}

fn same_place_and_kind(annotation: &Annotation, finding: &Finding) -> bool {
    annotation.kind == finding.kind && is_on_line(annotation, &finding.location)
}

fn is_on_line(annotation: &Annotation, location: &Location) -> bool {
    annotation.line == location.line && annotation.file == location.file_name()
}

/// Whether a sighting is of the annotated kind, at the annotated place, within the annotated range.
fn fits(annotation: &Annotation, sighting: &Sighting) -> bool {
    annotation.kind == sighting.kind
        && annotation.place.as_ref().is_none_or(|place| place == sighting.observed_at)
        && annotation.bits_lost.as_ref().is_none_or(|bits| bits.contains(&sighting.bits_lost))
}

/// What no sighting of the finding has that is annotated.
fn mismatch(annotation: &Annotation, finding: &Finding) -> Option<String> {
    let class = finding.class.as_deref().unwrap_or("none");
    if let Some(expected) = annotation.class.as_deref().filter(|expected| *expected != class) {
        return Some(format!("expected the class {expected}, not {class}"));
    }
    if sightings(finding).any(|sighting| fits(annotation, &sighting)) {
        return None;
    }
    let place = annotation.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let bits = annotation.bits_lost.as_ref().map(|b| format!(" {}..{} bits lost", b.start(), b.end()));
    Some(format!("expected{}{place}", bits.unwrap_or_default()))
}

fn unexpected(case: &Case, finding: &Finding, complaint: Option<&String>) -> String {
    let Finding { kind, location, observed_at, operation, count, worst, .. } = finding;
    let (file, line) = (location.file_name(), location.line);
    let head = complaint.map_or_else(|| "unexpected".to_owned(), |c| format!("otherwise   ({c})"));
    format!(
        "{head:<11} {file}:{line}:{}: {kind} of {operation} in `{}`, at {observed_at}, {:.1} bits lost, \
         value {}, ideal {}, seen {count} times\n{line:>8} | {}",
        location.column,
        location.function,
        finding.bits_lost(),
        worst.value,
        worst.shadow,
        case.line(file, line),
    )
}

/// Where one engine has found what another calls clear: each finding of `one` whose place `other` has looked at, without a
/// finding of that kind and without an open verdict. Values on their way are not judged until they end up somewhere, and
/// the inline engine lists the places of open verdicts alone, so that its silence contradicts nothing.
pub fn contradictions(one: &Report, other: &Report) -> Vec<String> {
    let seen = |f: &Finding| (f.observed_location.clone().unwrap_or_else(|| f.location.clone()), f.observed_at.clone());
    let is_closed = |f: &&Finding| matches!(f.observed_at.as_str(), "output" | "branch" | "cast" | "api");
    let is_contradicted = |f: &&Finding| {
        let (location, at) = seen(f);
        let mut looks = other.observables.iter().filter(|o| o.location == location && o.observed_at == at).peekable();
        let is_here = |s: Sighting| s.kind == f.kind && *s.location == location && s.observed_at == at;
        let is_found = other.findings.iter().flat_map(sightings).any(is_here);
        looks.peek().is_some() && looks.all(|o| o.open + o.open_by_constants + o.not_followed == 0) && !is_found
    };
    let judged = one.findings.iter().filter(is_closed).filter(is_contradicted);
    judged
        .map(|f| {
            format!("contradicted  {}:{}: {} at {}", f.location.file_name(), f.location.line, f.kind, f.observed_at)
        })
        .collect()
}

/// What must not change when all inputs are scaled by a power of two.
pub fn scale_free(findings: &[Finding]) -> Vec<String> {
    let key = |f: &Finding| {
        let at = &f.location;
        format!("{}:{}:{} {} at {}, {} times", at.file_name(), at.line, at.column, f.kind, f.observed_at, f.count)
    };
    let mut keys: Vec<String> = findings.iter().map(key).collect();
    keys.sort();
    keys
}

/// Where two runs of a transparent test differ; empty if nowhere.
pub fn compare_outcomes(plain: &Outcome, shadowed: &Outcome) -> Vec<String> {
    let mut differences = Vec::new();
    if plain.status != shadowed.status {
        differences.push(format!("exit status: {} with clang, {} with Nonius", plain.status, shadowed.status));
    }
    if plain.stdout != shadowed.stdout {
        let (a, b) = (String::from_utf8_lossy(&plain.stdout), String::from_utf8_lossy(&shadowed.stdout));
        let (a, b): (Vec<_>, Vec<_>) = (a.lines().collect(), b.lines().collect());
        let at = (0..).find(|&i| a.get(i) != b.get(i)).unwrap_or_default();
        let shown = |lines: &[&str]| lines.get(at).map_or("(no more output)".to_owned(), |l| (*l).to_owned());
        differences.push(format!("output line {}:\n   clang  {}\n   Nonius {}", at + 1, shown(&a), shown(&b)));
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Kind;
    use crate::{annotation, directive::Directives};

    fn case(source: &str) -> Case {
        Case {
            name: "fire/x".into(),
            kind: Kind::Fire,
            main: "x.c".into(),
            directives: Directives::default(),
            annotations: annotation::parse("x.c", source).unwrap(),
            levels: Vec::new(),
            sources: vec![("x.c".into(), source.into())],
        }
    }

    fn finding(kind: &str, line: u32, bits_lost: f64) -> Finding {
        serde_json::from_value(serde_json::json!({
            "kind": kind, "observed_at": "return", "operation": "subtraction", "count": 1,
            "location": {"file": "/a/b/x.c", "line": line, "column": 3},
            "worst": {"value": 1.0, "shadow": "NaN", "bits_lost": bits_lost},
        }))
        .unwrap()
    }

    #[test]
    fn a_match_needs_line_kind_range_and_level() {
        let case = case("a\nb //~ precision-loss: 40..50 bits lost [O2]\n");
        assert!(compare_findings(&case, "O2", &[finding("precision-loss", 2, 45.0)]).is_empty());
        let differences = |level, findings: &[Finding]| compare_findings(&case, level, findings).len();
        assert_eq!(differences("O2", &[]), 1);
        assert_eq!(differences("O2", &[finding("precision-loss", 2, 39.0)]), 1);
        assert_eq!(differences("O2", &[finding("precision-loss", 1, 45.0)]), 2);
        assert_eq!(differences("O2", &[finding("nan", 2, 45.0)]), 2);
        assert_eq!(differences("O0", &[finding("precision-loss", 2, 45.0)]), 1);
        assert_eq!(differences("O0", &[]), 0);
    }

    #[test]
    fn found_and_clear_contradict_each_other_unless_open() {
        let report = |found: bool, open: u64| -> Report {
            let location = serde_json::json!({"file": "/a/b/x.c", "line": 2, "column": 3});
            let findings = serde_json::json!([{
                "kind": "precision-loss", "observed_at": "output", "operation": "subtraction", "count": 1,
                "location": location, "worst": {"value": 1.0, "shadow": 2.0, "bits_lost": 52.0},
            }]);
            let observables = serde_json::json!([{ "location": location, "observed_at": "output", "open": open }]);
            serde_json::from_value(serde_json::json!({
                "schema": "nonius-report/2",
                "summary": {"findings": u8::from(found), "coverage": {"functions_run": 1}},
                "findings": if found { findings } else { serde_json::json!([]) },
                "observables": observables,
            }))
            .unwrap()
        };
        assert_eq!(contradictions(&report(true, 0), &report(false, 0)).len(), 1);
        assert!(contradictions(&report(true, 0), &report(false, 1)).is_empty());
        assert!(contradictions(&report(true, 0), &report(true, 0)).is_empty());
        assert!(contradictions(&report(false, 0), &report(true, 0)).is_empty());
        let unseen = Report { observables: Vec::new(), ..report(false, 0) };
        assert!(contradictions(&report(true, 0), &unseen).is_empty());
    }

    #[test]
    fn places_and_options_count() {
        let at_output = case("//~ nan @output");
        assert_eq!(compare_findings(&at_output, "O0", &[finding("nan", 1, 0.0)]).len(), 1);
        let optional = case("//~? nan");
        assert!(compare_findings(&optional, "O0", &[]).is_empty());
        assert!(compare_findings(&optional, "O0", &[finding("nan", 1, 0.0), finding("nan", 1, 0.0)]).is_empty());
    }
}
