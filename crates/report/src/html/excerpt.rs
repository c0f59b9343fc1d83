//! Source excerpts of the HTML page.

use crate::source::{MarkedLine, Sources};
use crate::words;
use maud::{Markup, html};
use nonius_finding::{Finding, Location};
use std::ops::Range;

/// Lines shown before and after the one that is meant.
const CONTEXT_LINES: u32 = 3;
/// Characters kept on each side of the marked part: generated sources have endless lines.
const CONTEXT_CHARS: usize = 300;

/// The source of the operation, and of the observable where that is elsewhere.
pub(super) fn of(f: &Finding, sources: &mut Sources) -> Markup {
    // Produced and seen on one line is one excerpt.
    let is_elsewhere = |l: &&Location| l.file != f.location.file || l.line != f.location.line;
    let seen = f.observed_location.as_ref().filter(is_elsewhere);
    let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
    html! {
        (excerpt(&f.location, &f.operation, if seen.is_some() { "produced at " } else { "" }, "", sources))
        @if let Some(seen) = seen { (excerpt(seen, "", "seen at ", &observable, sources)) }
    }
}

fn excerpt(location: &Location, operation: &str, before: &str, after: &str, sources: &mut Sources) -> Markup {
    let caption = format!("{before}{}{after}", super::plain::place_text(location, sources));
    let lines = sources.marked_line(location, operation).map(|marked| lines(location, &marked, sources));
    html! {
        figure {
            figcaption { (caption) }
            @if let Some(lines) = lines { pre { (lines) } }
        }
    }
}

fn lines(location: &Location, marked: &MarkedLine, sources: &mut Sources) -> Markup {
    let first = marked.number.saturating_sub(CONTEXT_LINES).max(1);
    let end = marked.number.saturating_add(CONTEXT_LINES + 1);
    let lines = sources.lines(&location.file, first..end);
    html! {
        @for (number, line) in (first..).zip(&lines) {
            @if number == marked.number {
                (row(number, &marked.text, marked.span.clone(), true))
            } @else {
                (row(number, line, 0..0, false))
            }
        }
    }
}

fn row(number: u32, text: &str, span: Range<usize>, hit: bool) -> Markup {
    let [before, middle, after] = around(text, span);
    html! {
        span.line.hit[hit] {
            span.number { (number) }
            span.code { (before) @if !middle.is_empty() { mark { (middle) } } (after) }
        }
    }
}

/// The text before, in and after a span, cut where it goes on for too long.
fn around(text: &str, span: Range<usize>) -> [String; 3] {
    let head: Vec<char> = text[..span.start].chars().rev().take(CONTEXT_CHARS + 1).collect();
    let mut before: String = head.iter().take(CONTEXT_CHARS).rev().collect();
    if head.len() > CONTEXT_CHARS {
        before.insert(0, '…');
    }
    [before, start_of(&text[span.clone()]), start_of(&text[span.end..])].map(|part| super::data::printable(&part))
}

fn start_of(text: &str) -> String {
    let mut start: String = text.chars().take(CONTEXT_CHARS).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
