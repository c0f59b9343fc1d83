//! Diagnostics for the terminal, in the form rustc gives them.

use crate::numbers::{counted, grouped, percent};
use crate::source::{MarkedLine, Sources};
use crate::words::{self, clean};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Message, Origin, Renderer, Snippet};
use nonius_finding::{Arranged, Finding, Frame, Location, ObservedAt, Report, Selection, Severity, arrange};

/// Frames printed of one stack.
const MAX_FRAMES: usize = 16;
/// Causes printed of one finding.
const MAX_CAUSES: usize = 5;
/// The same where each comes with its source; 'nonius explain' has the rest.
const MAX_MEASURED: usize = 3;
/// Symptoms printed of one finding; 'nonius explain' has the rest.
const MAX_SYMPTOMS: usize = 5;
/// The same where they are outputs.
const MAX_OUTPUTS: usize = 20;
/// Callers of a small function that are named.
const MAX_CALLERS: usize = 5;
/// Refuted findings that are named.
const MAX_REFUTED: usize = 10;
/// Two places this many lines apart or less share one excerpt.
const NEAR_LINES: u32 = 6;

/// Whether to print escape sequences. The caller knows the terminal and `NO_COLOR`; nothing is guessed here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColorChoice {
    #[default]
    Never,
    Always,
}

/// How to print a report.
#[derive(Debug, Clone)]
pub struct TextOptions {
    pub color: ColorChoice,
    /// Columns of the terminal; longer source lines are cut.
    pub width: usize,
    /// Which findings to show, and which to fold.
    pub selection: Selection,
    /// Findings to print in full; `None` for all.
    pub limit: Option<usize>,
    /// Print the run in numbers, even if nothing was found.
    pub stats: bool,
    /// Where the whole report is, for those that are not printed.
    pub report_path: Option<String>,
}

impl Default for TextOptions {
    fn default() -> Self {
        let selection = Selection::default();
        Self { color: ColorChoice::Never, width: 120, selection, limit: None, stats: false, report_path: None }
    }
}

/// The report as text. Empty if there is nothing to say, so that a compiler wrapped by Nonius
/// stays silent under `configure`.
pub fn render(report: &Report, sources: &mut Sources, options: &TextOptions) -> String {
    let is_open = report.is_open() || report.is_open_by_constants();
    let is_kept_back = report.summary.suppressed > 0 || report.baseline.is_some();
    let is_silent = report.findings.is_empty()
        && report.refuted.is_empty()
        && report.stopped.is_none()
        && report.bounds.is_empty()
        && report.assertions.is_empty()
        && !is_open
        && !is_kept_back;
    if is_silent && !options.stats {
        return String::new();
    }
    let renderer = match options.color {
        ColorChoice::Never => Renderer::plain(),
        ColorChoice::Always => Renderer::styled(),
    };
    let renderer = renderer.term_width(options.width.max(40));
    sources.fit(options.width.max(40));
    let limit = options.limit.unwrap_or(usize::MAX);
    let mut text = String::new();
    let arranged = arrange(report, options.selection);
    for finding in arranged.shown.iter().take(limit) {
        text += &renderer.render(&[diagnostic(finding, sources)]);
        text += "\n\n";
    }
    for line in crate::bounds::lines(report) {
        text += &format!("nonius: {line}\n");
    }
    for line in crate::assertions::lines(report) {
        text += &format!("nonius: {line}\n");
    }
    for line in closing_lines(report, &arranged, sources, options) {
        text += &format!("nonius: {line}\n");
    }
    text
}

fn diagnostic(f: &Finding, sources: &mut Sources) -> Group<'static> {
    let level = match f.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(words::headline(f)).id(f.kind.as_str());
    Group::with_title(title)
        .elements(excerpts(f, sources))
        .elements(words::facts(f).into_iter().map(note))
        .elements(callers(f, sources).map(note))
        .elements(symptoms(f, sources).map(note))
        .elements(causes(f, sources).map(note))
        .elements(stack(&f.stack, sources).map(note))
        .element(Level::HELP.message(words::advice(f)))
}

fn note(text: String) -> Message<'static> {
    Level::NOTE.message(text)
}

/// The source of the operation, and of the observable where that is elsewhere.
fn excerpts(f: &Finding, sources: &mut Sources) -> Vec<Element<'static>> {
    let origin = place(&f.location, &f.operation, sources);
    if let Some(caller) = f.callers.first() {
        return excerpts_with_caller(f, &origin, caller, sources);
    }
    let Some(seen) = f.observed_location.as_ref().filter(|l| **l != f.location) else {
        return vec![origin.element(AnnotationKind::Primary, "")];
    };
    let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
    let (here, there) = ("produced here", format!("seen here{observable}"));
    let seen = place(seen, "", sources);
    if let Some(both) = join(&origin, &seen, here, &there, sources) {
        return vec![both.into()];
    }
    let seen = match seen.line {
        Some(_) => seen.element(AnnotationKind::Context, &there),
        None => note(format!("seen at {}{observable}", words::position(&seen.location, sources))).into(),
    };
    vec![origin.element(AnnotationKind::Primary, here), seen]
}

/// Of an operation in a small function, the call of that comes first.
fn excerpts_with_caller(
    f: &Finding,
    origin: &Place,
    caller: &Location,
    sources: &mut Sources,
) -> Vec<Element<'static>> {
    let callee = clean(&f.location.function);
    let caller = place(caller, "", sources).element(AnnotationKind::Primary, &format!("by way of {callee}"));
    let mut elements = vec![caller, origin.element(AnnotationKind::Context, "produced here")];
    if let Some(seen) = f.observed_location.as_ref().filter(|l| **l != f.location && Some(*l) != f.callers.first()) {
        let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
        let seen = place(seen, "", sources);
        elements.push(match seen.line {
            Some(_) => seen.element(AnnotationKind::Context, &format!("seen here{observable}")),
            None => note(format!("seen at {}{observable}", words::position(&seen.location, sources))).into(),
        });
    }
    elements
}

/// Where else a small function was called with the same outcome.
fn callers(f: &Finding, sources: &Sources) -> Option<String> {
    let [_, others @ ..] = f.callers.as_slice() else { return None };
    let lines: Vec<_> = others.iter().take(MAX_CALLERS).map(|l| words::position(l, sources)).collect();
    (!lines.is_empty()).then(|| list("the same was seen in calls at:", lines, others.len()))
}

/// A location with its source line, if there is one.
struct Place {
    location: Location,
    path: String,
    line: Option<MarkedLine>,
}

fn place(location: &Location, operation: &str, sources: &mut Sources) -> Place {
    let path = clean(sources.short_path(&location.file));
    Place { path, line: sources.marked_line(location, operation), location: location.clone() }
}

impl Place {
    fn element(&self, kind: AnnotationKind, label: &str) -> Element<'static> {
        let Some(line) = &self.line else { return self.origin().into() };
        Snippet::source(line.text.clone())
            .line_start(line.number as usize)
            .path(self.path.clone())
            .annotation(labelled(kind, line.span.clone(), label))
            .into()
    }

    fn origin(&self) -> Origin<'static> {
        if !self.location.has_line() {
            let function = clean(&self.location.function);
            let function = if function.is_empty() { "an unknown function".to_owned() } else { function };
            let file = if self.path.is_empty() { String::new() } else { format!("{}, ", self.path) };
            return Origin::path(format!("{file}{function} (no debug information: build with -g)"));
        }
        let origin = Origin::path(self.path.clone()).line(self.location.line as usize);
        match self.location.column {
            0 => origin,
            column => origin.char_column(column as usize),
        }
    }
}

fn labelled(kind: AnnotationKind, span: std::ops::Range<usize>, label: &str) -> annotate_snippets::Annotation<'static> {
    let annotation = kind.span(span);
    if label.is_empty() { annotation } else { annotation.label(label.to_owned()) }
}

/// One excerpt for both places, if they are near each other.
fn join(
    origin: &Place,
    seen: &Place,
    born_label: &str,
    seen_label: &str,
    sources: &mut Sources,
) -> Option<Snippet<'static, annotate_snippets::Annotation<'static>>> {
    let (origin_line, seen_line) = (origin.line.as_ref()?, seen.line.as_ref()?);
    let (first, last) = (origin_line.number.min(seen_line.number), origin_line.number.max(seen_line.number));
    if origin.location.file != seen.location.file || last - first > NEAR_LINES {
        return None;
    }
    let lines = sources.lines(&origin.location.file, first..last.saturating_add(1));
    // A long line is cut around what is marked, which goes for one place only.
    if lines.iter().any(|line| sources.is_cut(line)) {
        return None;
    }
    let offset =
        |line: &MarkedLine| -> usize { lines.iter().take((line.number - first) as usize).map(|l| l.len() + 1).sum() };
    let shifted = |line: &MarkedLine| line.span.start + offset(line)..line.span.end + offset(line);
    Some(
        Snippet::source(lines.join("\n"))
            .line_start(first as usize)
            .path(origin.path.clone())
            .annotation(labelled(AnnotationKind::Primary, shifted(origin_line), born_label))
            .annotation(labelled(AnnotationKind::Context, shifted(seen_line), seen_label)),
    )
}

fn symptoms(f: &Finding, sources: &Sources) -> Option<String> {
    // What was printed is what counts: all of it is named.
    let outputs = f.symptoms.iter().filter(|s| s.observed_at == ObservedAt::Output).count();
    let most = MAX_SYMPTOMS.max(outputs.min(MAX_OUTPUTS));
    let lines: Vec<_> = f.symptoms.iter().take(most).map(|s| words::symptom(s, sources)).collect();
    (!lines.is_empty()).then(|| list(words::SYMPTOMS, lines, f.symptoms.len()))
}

fn causes(f: &Finding, sources: &mut Sources) -> Option<String> {
    let most = if f.causes.iter().any(|c| c.measured.is_some()) { MAX_MEASURED } else { MAX_CAUSES };
    let lines: Vec<_> = f
        .causes
        .iter()
        .take(most)
        .map(|cause| {
            let place = words::position(&cause.location, sources);
            let source = cause.measured.as_ref().and_then(|_| sources.marked_line(&cause.location, &cause.operation));
            let source = source.map(|line| format!(": {}", clean(&line.brief()))).unwrap_or_default();
            format!("{} at {place}{source}", words::cause(cause))
        })
        .collect();
    (!lines.is_empty()).then(|| list("where the error comes from, most to blame first:", lines, f.causes.len()))
}

fn stack(frames: &[Frame], sources: &Sources) -> Option<String> {
    let mut lines = Vec::new();
    let mut index = 0;
    for run in frames.chunk_by(|a, b| a.foreign && b.foreign) {
        let last = index + run.len() - 1;
        lines.push(match run {
            [first, .., _] if first.foreign => format!("{index}-{last}: {}", words::foreign_frames(run, sources)),
            _ => format!("{index}: {}", words::frame(&run[0], sources)),
        });
        index += run.len();
    }
    let total = lines.len();
    lines.truncate(MAX_FRAMES);
    (!lines.is_empty()).then(|| list("the stack, innermost first:", lines, total))
}

fn list(head: &str, mut lines: Vec<String>, total: usize) -> String {
    if total > lines.len() {
        lines.push(format!("and {} more", total - lines.len()));
    }
    std::iter::once(head.to_owned()).chain(lines.into_iter().map(|l| format!("  {l}"))).collect::<Vec<_>>().join("\n")
}

fn closing_lines(report: &Report, arranged: &Arranged, sources: &Sources, options: &TextOptions) -> Vec<String> {
    let mut lines = Vec::new();
    let hidden = arranged.shown.len().saturating_sub(options.limit.unwrap_or(usize::MAX));
    if hidden > 0 {
        let place = match &options.report_path {
            Some(path) => format!("see report={}", clean(path)),
            None => "set report=PATH to keep them all".to_owned(),
        };
        lines.push(format!("{} more, {place}", grouped(hidden as u64)));
    }
    lines.extend(words::folded(&arranged.folded));
    lines.extend(arranged.named.iter().map(|f| named(f, sources)));
    lines.extend(report.refuted.iter().take(MAX_REFUTED).map(|f| refuted(f, sources)));
    lines.extend(words::gone(report));
    lines.extend(words::doubts(report, sources));
    lines.extend(report.notes.iter().map(|n| clean(n)));
    lines.extend(report.stopped.iter().map(|why| format!("error: {}", clean(why))));
    if options.stats {
        lines.extend(stats(report));
        lines.extend(words::nothing_shadowed(report));
    }
    lines.push(words::totals(report));
    lines
}

/// A finding that is folded, in a line.
fn named(f: &Finding, sources: &Sources) -> String {
    let place = words::position(f.callers.first().unwrap_or(&f.location), sources);
    let class = words::class(f).map(|class| format!(": {class}")).unwrap_or_default();
    format!("folded: {} at {place}{class}; finding {}", words::headline(f), clean(&f.id))
}

/// A finding that counts for nothing, in a line.
fn refuted(f: &Finding, sources: &Sources) -> String {
    let place = words::position(f.observed_location.as_ref().unwrap_or(&f.location), sources);
    let why = f.confirmation.as_ref().map(words::confirmation).unwrap_or_default();
    format!("{} at {place} is {why}", f.kind)
}

/// The run in numbers, for those who ask why nothing was reported.
fn stats(report: &Report) -> Vec<String> {
    let s = &report.summary;
    let c = &s.coverage;
    let share = |part, whole, noun| match whole {
        0 => format!("no {noun}s"),
        _ => format!("{} of {}", percent(part, whole), counted(whole, noun)),
    };
    let shares = [
        share(c.operations_shadowed, c.operations, "operation"),
        share(c.loads_shadowed, c.loads, "load"),
        share(c.calls_shadowed, c.calls, "call"),
    ];
    let mut lines = vec![format!("oracle {}, {}", clean(&report.oracle), counted(s.checks, "check"))];
    lines.push(format!("shadowed: {}", shares.join(", ")));
    let unknown = c.unknown.iter().filter(|u| u.count > 0).take(10);
    lines.extend(unknown.map(|u| format!("not shadowed: {} ({} {})", words::unshadowed(u), grouped(u.count), u.loss)));
    lines.extend(
        report
            .suppressions_unused
            .iter()
            .map(|s| format!("suppression unused: {}:{}: {}", clean(&s.file), s.line, clean(&s.entry))),
    );
    lines
}
