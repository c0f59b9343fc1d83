//! The report as one HTML page that needs nothing else: no network, no other file.
//!
//! Everything from the report goes through maud, which escapes it. The page states by its
//! content policy that it loads nothing, and it is complete without its script, which only sorts
//! and filters.

mod excerpt;

use crate::numbers::{counted, grouped, percent};
use crate::source::Sources;
use crate::words::{self, clean};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use nonius_finding::{Finding, Frame, Kind, Location, Report, SuppressionRecord};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The report as an HTML page.
pub fn write(report: &Report, sources: &mut Sources) -> String {
    let program = Location::new(&report.program.path, 0, 0, "");
    let title = format!("Nonius: {}", clean(program.file_name()));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(report))
                main {
                    (tiles(report))
                    (notes(report, sources))
                    (findings(report, sources))
                    (coverage(report))
                    (suppressions(report))
                }
                footer { "Written by " (clean(&report.tool.name)) " " (clean(&report.tool.version)) "." }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

fn header(report: &Report) -> Markup {
    let program = &report.program;
    let command: Vec<_> = std::iter::once(&program.path).chain(&program.args).map(|word| clean(word)).collect();
    html! {
        header {
            h1 { "Nonius" }
            p.command { code { (command.join(" ")) } }
            p.dim {
                "Oracle " (clean(&report.oracle)) ", process " (program.pid)
                @if let Some(exit) = program.exit { ", exit status " (exit) }
            }
        }
    }
}

fn tiles(report: &Report) -> Markup {
    let total = report.findings.len() as u64;
    let in_output = report.findings.iter().filter(|f| f.in_output()).count() as u64;
    let c = &report.summary.coverage;
    html! {
        section.tiles {
            (tile(&grouped(total), if total == 1 { "finding" } else { "findings" }, total > 0))
            (tile(&grouped(in_output), "in output", in_output > 0))
            @if report.baseline.is_some() { (tile(&grouped(report.known.len() as u64), "in the baseline", false)) }
            (tile(&grouped(report.summary.suppressed), "suppressed", false))
            @if c.operations == 0 { (tile("0", "operations to shadow", true)) }
            @else { (tile(&percent(c.operations_shadowed, c.operations), "of operations shadowed", false)) }
            (tile(&grouped(c.values_lost()), "values from code without shadows", false))
        }
    }
}

fn tile(number: &str, label: &str, bad: bool) -> Markup {
    html! { div.tile.bad[bad] { strong { (number) } span { (label) } } }
}

fn notes(report: &Report, sources: &Sources) -> Markup {
    html! {
        @for doubt in words::doubts(report, sources) { p.remark { (doubt) } }
        @for note in report.notes.iter().chain(&report.stopped) { p.remark { (clean(note)) } }
    }
}

fn findings(report: &Report, sources: &mut Sources) -> Markup {
    html! {
        section {
            h2 { "Findings" }
            @if report.findings.is_empty() {
                p { "Nothing was found." }
            } @else {
                (controls(report))
                div #findings {
                    @for (rank, finding) in report.findings.iter().enumerate() {
                        (card(rank, finding, sources))
                    }
                }
                p.dim #none hidden { "No finding fits the filter." }
            }
        }
    }
}

/// Hidden until the script runs: without it they would do nothing.
fn controls(report: &Report) -> Markup {
    let orders =
        [("rank", "worst first"), ("bits", "bits lost"), ("count", "count"), ("place", "place"), ("kind", "kind")];
    html! {
        div.controls #controls hidden {
            label { "Sort by " select #order { @for (key, name) in orders { option value=(key) { (name) } } } }
            label { "Kind " select #kind {
                option value="" { "all" }
                @for kind in Kind::ALL.iter().filter(|k| report.findings.iter().any(|f| f.kind == **k)) {
                    option { (kind.as_str()) }
                }
            } }
            label.grow { "Find " input #filter type="search" placeholder="function, file, words"; }
            button #expand type="button" { "Open all" }
        }
    }
}

fn card(rank: usize, f: &Finding, sources: &mut Sources) -> Markup {
    let place = place_text(&f.location, sources);
    let bits = f64::from(f.worst.precision.bits()) - f.worst.bits_left();
    html! {
        details.finding.(f.severity.as_str()) open[rank == 0] data-rank=(rank) data-bits=(bits) data-count=(f.count)
            data-place=(sort_key(&f.location)) data-kind=(f.kind.as_str()) {
            summary {
                span.badge { (f.kind.as_str()) }
                span.headline { (words::headline(f)) }
                span.place { (place) @if !f.location.function.is_empty() && f.location.has_line() { " in " (clean(&f.location.function)) } }
                span.count { "\u{d7}" (grouped(f.count)) }
                @if measured(f.kind) { (digits_bar(f)) }
            }
            div.body {
                (excerpt::of(f, sources))
                ul.facts { @for fact in words::facts(f) { li { (fact) } } }
                p.advice { (words::advice(f)) }
                (symptoms(f, sources))
                (causes(f, sources))
                (stack(&f.stack, sources))
            }
        }
    }
}

/// Kinds for which bits lost mean something.
fn measured(kind: Kind) -> bool {
    matches!(kind, Kind::PrecisionLoss | Kind::Stage)
}

/// How much of the significand is still right, as a bar and in digits.
fn digits_bar(f: &Finding) -> Markup {
    let w = &f.worst;
    let share = w.bits_left() / f64::from(w.precision.bits()) * 100.0;
    html! {
        span.bar title=(crate::numbers::digits_left(w)) { span style=(format!("width:{share:.1}%")) {} }
        span.digits { (w.digits_left().round()) " of " (w.precision.digits().round()) " digits left" }
    }
}

/// Sorts files by name and lines by number, compared as text.
fn sort_key(location: &Location) -> String {
    format!("{}:{:010}:{:010}", clean(&location.file), location.line, location.column)
}

fn place_text(location: &Location, sources: &Sources) -> String {
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
            details.symptoms open[count <= 8] {
                summary { "The same error in " (counted(count, "more place")) ", outputs and decisions first" }
                ul { @for symptom in &f.symptoms { li { (words::symptom(symptom, sources)) } } }
            }
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
                thead { tr { th { "" } th.number { "shadowed" } th.number { "of" } th.number { "share" } } }
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
                        span.dim { " (" (clean(&s.file)) ":" (s.line) @if s.count > 0 { ", " (crate::numbers::times(s.count)) } ")" } }
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
