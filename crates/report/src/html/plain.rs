//! The page without a script: the whole list, the first findings with all that is said of them.

use super::data::{self, State, every, is_measured, reach};
use super::excerpt;
use crate::numbers::{counted, grouped, percent, times};
use crate::source::Sources;
use crate::words::{self, clean};
use maud::{Markup, html};
use nonius_finding::{Finding, Frame, Location, Report, SuppressionRecord};

/// Findings that are told in full; the rest has a line each, so that a page stays small.
const IN_FULL: usize = 50;
/// Findings that have a line.
const LISTED: usize = 2000;

pub(super) fn page(report: &Report, sources: &mut Sources) -> Markup {
    html! {
        header {
            h1 { "Nonius" }
            @let programs = data::programs(report);
            p.command { code { (data::command(report)) } }
            p.dim {
                "Oracle " (clean(&report.oracle)) ", process " (report.program.pid)
                @if let Some(exit) = report.program.exit { ", exit status " (exit) }
            }
            @if !programs.is_empty() {
                p.dim { "These programs have findings: " (programs.join("; ")) "." }
            }
            @if let Some(folder) = sources.folder() {
                p.dim { "Paths are below " code { (clean(&folder.display().to_string())) } "." }
            }
        }
        main {
            p.sentence { (data::sentence(report)) }
            p.dim { (words::totals(report)) }
            @for remark in data::remarks(report, sources) { p.remark { (remark) } }
            (findings(report, sources))
            (coverage(report))
            (suppressions(report))
        }
    }
}

fn findings(report: &Report, sources: &mut Sources) -> Markup {
    let all: Vec<(&Finding, State)> = every(report).collect();
    html! {
        section {
            h2 { "Findings" }
            @if all.is_empty() {
                p { "There are none." }
            } @else {
                ol #findings.plain {
                    @for (f, state) in all.iter().take(IN_FULL) { li.finding.(f.severity.as_str()) { (line(f, *state, sources)) (body(f, sources)) } }
                    @for (f, state) in all.iter().skip(IN_FULL).take(LISTED) { li { (line(f, *state, sources)) } }
                }
                @if all.len() > IN_FULL + LISTED {
                    p { (counted((all.len() - IN_FULL - LISTED) as u64, "more finding")) " are listed by the page's script, and by 'nonius report' as text." }
                }
            }
        }
    }
}

fn line(f: &Finding, state: State, sources: &Sources) -> Markup {
    html! {
        p {
            strong { (f.kind.as_str()) } " "
            @match state {
                State::Found => {}
                State::Known => "(in the baseline) "
                State::Refuted => "(does not count) "
            }
            (words::headline(f)) ", " code { (place_text(&f.location, sources)) }
            @if !f.location.function.is_empty() && f.location.has_line() { " in " code { (clean(&f.location.function)) } }
            ", " (times(f.count))
            @if is_measured(f.kind) { ", " (crate::numbers::digits_left(&f.worst)) }
            " (" (reach(f)) @if let Some(class) = f.class { ", " (class) } ")"
        }
    }
}

fn body(f: &Finding, sources: &mut Sources) -> Markup {
    html! {
        (excerpt::of(f, sources))
        ul.facts { @for fact in words::facts(f) { li { (fact) } } }
        p.advice { (words::advice(f)) }
        (symptoms(f, sources))
        (causes(f, sources))
        (stack(&f.stack, sources))
    }
}

pub(super) fn place_text(location: &Location, sources: &Sources) -> String {
    match (location.has_line(), location.function.is_empty()) {
        (true, _) => words::position(location, sources),
        (false, false) => format!("{} (no debug information)", clean(&location.function)),
        (false, true) => "unknown place".to_owned(),
    }
}

fn symptoms(f: &Finding, sources: &Sources) -> Markup {
    let count = f.symptoms.len() as u64;
    html! {
        @if count > 0 {
            h3 { "The same error in " (counted(count, "more place")) ", outputs and decisions first" }
            ul { @for symptom in &f.symptoms { li { (words::symptom(symptom, sources)) } } }
        }
    }
}

fn causes(f: &Finding, sources: &Sources) -> Markup {
    html! {
        @if !f.causes.is_empty() {
            h3 { "Where the error comes from" }
            ol { @for cause in &f.causes { li { (words::cause(cause)) " at " code { (words::position(&cause.location, sources)) } } } }
        }
    }
}

fn stack(frames: &[Frame], sources: &Sources) -> Markup {
    html! {
        @if !frames.is_empty() {
            h3 { "Stack, innermost first" }
            ol.stack start="0" { @for frame in frames { li { code { (words::frame(frame, sources)) } } } }
        }
    }
}

fn coverage(report: &Report) -> Markup {
    let c = &report.summary.coverage;
    let rows = [
        ("operations", c.operations_shadowed, c.operations),
        ("loads", c.loads_shadowed, c.loads),
        ("calls", c.calls_shadowed, c.calls),
    ];
    html! {
        section {
            h2 { "What was shadowed" }
            p { (counted(c.functions_run, "instrumented function")) " ran, " (counted(report.summary.checks, "check")) " were made. "
                "An error that passes through what is not shadowed is lost." }
            table {
                thead { tr { th scope="col" { "what" } th.number scope="col" { "shadowed" } th.number scope="col" { "of" } th.number scope="col" { "share" } } }
                tbody { @for (name, part, whole) in rows {
                    tr { td { (name) } td.number { (grouped(part)) } td.number { (grouped(whole)) }
                        td.number { @if whole == 0 { "none" } @else { (percent(part, whole)) } } }
                } }
            }
            @if !c.unknown.is_empty() {
                h3 { "What came from code without shadows, most first" }
                table { tbody { @for u in &c.unknown {
                    tr { td { code { (words::unshadowed(u)) } } td { (u.loss) } td.number { (grouped(u.count)) } }
                } } }
            }
            @for left in &c.left_alone {
                p { (counted(left.functions, "function")) " " (words::reason(left.reason)) ", left alone: " (clean(&left.names.join(", "))) }
            }
        }
    }
}

fn suppressions(report: &Report) -> Markup {
    let list = |title: &str, records: &[SuppressionRecord]| {
        html! {
            @if !records.is_empty() {
                h3 { (title) }
                ul { @for s in records {
                    li { code { (clean(&s.entry)) } " " (clean(&s.reason))
                        span.dim { " (" (clean(&s.file)) ":" (s.line) @if s.count > 0 { ", " (times(s.count)) } ")" } }
                } }
            }
        }
    };
    html! {
        @if !(report.suppressions_used.is_empty() && report.suppressions_unused.is_empty()) {
            section {
                h2 { "Suppressions" }
                (list("Used", &report.suppressions_used))
                (list("Unused: they can go", &report.suppressions_unused))
            }
        }
    }
}
