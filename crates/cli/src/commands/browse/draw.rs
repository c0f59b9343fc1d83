//! The state on the screen.

use super::source;
use super::state::{State, View};
use nonius_finding::{Finding, Location, Severity, Tier};
use nonius_report::{clean, headline, position};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{List, ListItem, ListState, Paragraph, Wrap};

const KEYS: [(&str, &str); 8] = [
    ("j k", "next and previous finding; in the source, step of its path"),
    ("arrows, Page", "up and down"),
    ("Enter", "open a finding; from there, its source"),
    ("s", "the source of the chosen finding"),
    ("u Esc", "back"),
    ("/", "search: all words must be there; Esc ends it"),
    ("g G", "first and last"),
    ("q", "leave"),
];

pub(super) fn all(frame: &mut Frame, state: &mut State) {
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)]).areas(frame.area());
    state.height = usize::from(body.height);
    frame.render_widget(title(state), head);
    match state.view.clone() {
        View::List => list(frame, body, state),
        View::Finding => finding(frame, body, state),
        View::Source { step } => source_view(frame, body, state, step),
        View::Help => frame.render_widget(help(), body),
    }
    frame.render_widget(status(state), foot);
}

fn title(state: &State) -> Line<'static> {
    let found = state.report.findings.len();
    let shown = state.fitting.len();
    let plural = if found == 1 { "" } else { "s" };
    let of = if shown < found { format!("{shown} of {found} findings") } else { format!("{found} finding{plural}") };
    let program = clean(&state.report.program.name());
    Line::from(vec![Span::from("nonius ").bold(), Span::from(format!("{program}: {of}"))])
}

fn status(state: &State) -> Line<'static> {
    if state.is_typing {
        return Line::from(format!("/{}_", clean(&state.search)));
    }
    let keys = match state.view {
        View::List => "j/k choose  Enter open  s source  / search  ? keys  q leave",
        View::Finding => "j/k next finding  arrows scroll  Enter source  u back  q leave",
        View::Source { .. } => "j/k next step  u back  q leave",
        View::Help => "u back  q leave",
    };
    Line::from(keys).dim()
}

fn tone(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Note => Color::Blue,
    }
}

fn list(frame: &mut Frame, area: Rect, state: &mut State) {
    if state.fitting.is_empty() {
        let text = if state.report.findings.is_empty() { "Nothing was found." } else { "No finding fits the search." };
        return frame.render_widget(Paragraph::new(text), area);
    }
    // Of thousands only what is on the screen is made.
    let height = usize::from(area.height).max(1);
    let first = state.chosen.saturating_sub(height / 2).min(state.fitting.len().saturating_sub(height));
    let shown = state.fitting.iter().skip(first).take(height);
    let items = shown.map(|n| ListItem::new(row(&state.report.findings[*n], state)));
    let list = List::new(items.collect::<Vec<_>>()).highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut chosen = ListState::default().with_selected(Some(state.chosen - first));
    frame.render_stateful_widget(list, area, &mut chosen);
}

fn row(f: &Finding, state: &State) -> Line<'static> {
    let reach = match Tier::of(f) {
        Tier::Output => "output  ",
        Tier::Decision => "decision",
        Tier::Stored => "stored  ",
    };
    let place = position(&f.location, &state.sources);
    Line::from(vec![
        Span::from(format!("{:<15}", f.kind.as_str())).fg(tone(f.severity)),
        Span::from(format!("{reach} ")).dim(),
        Span::from(format!("{place:<28} ")).cyan(),
        Span::from(headline(f)),
    ])
}

fn finding(frame: &mut Frame, area: Rect, state: &mut State) {
    let words = state.words();
    let height = usize::from(area.height);
    state.scroll = state.scroll.min(words.len().saturating_sub(height.min(words.len())));
    let line = |text: &String| match text.strip_prefix("* ") {
        Some(_) => Line::from(text.clone()).bold(),
        None => Line::from(text.clone()),
    };
    let shown: Vec<Line> = words.iter().skip(state.scroll).take(height).map(line).collect();
    frame.render_widget(Paragraph::new(shown).wrap(Wrap { trim: false }), area);
}

fn source_view(frame: &mut Frame, area: Rect, state: &mut State, step: usize) {
    let path = state.path();
    let Some((at, what)) = path.get(step) else {
        return frame
            .render_widget(Paragraph::new("There is no line to show: the program was built without -g."), area);
    };
    let [head, body] = Layout::vertical([Constraint::Length(2), Constraint::Min(1)]).areas(area);
    let place = position(at, &state.sources);
    let title = format!("step {} of {}: {} at {place}", step + 1, path.len(), clean(what));
    frame.render_widget(Paragraph::new(title).bold().wrap(Wrap { trim: false }), head);
    let lines = source::lines(&state.report, at, usize::from(body.height), &mut state.sources);
    if lines.is_empty() {
        return frame.render_widget(Paragraph::new("The file cannot be read from here."), body);
    }
    let steps = |number: u32| path.iter().position(|(l, _)| l.file == at.file && l.line == number);
    let rows: Vec<Line> = lines.iter().map(|line| source_line(line, at, steps(line.number))).collect();
    frame.render_widget(Paragraph::new(rows), body);
}

/// `12 ●  3| text`: the step, whether there is a finding, digits left at worst, the line.
fn source_line(line: &source::Line, at: &Location, step: Option<usize>) -> Line<'static> {
    let digits = line.error.map(|e| if e > 0.0 { (-e.log10()).clamp(0.0, 16.0).floor() } else { 16.0 });
    let heat = match digits {
        Some(d) if d < 5.0 => Color::Red,
        Some(d) if d < 12.0 => Color::Yellow,
        _ => Color::Reset,
    };
    let step = step.map_or("   ".to_owned(), |n| format!("{:>2} ", n + 1));
    let dot = if line.findings > 0 { "● " } else { "  " };
    let left = digits.map_or("    ".to_owned(), |d| format!("{d:>2}d "));
    let text = clean(&line.text.replace('\t', "    "));
    let style = if line.number == at.line { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    Line::from(vec![
        Span::from(step).magenta(),
        Span::from(dot).fg(Color::Red),
        Span::from(left).fg(heat),
        Span::from(format!("{:>5} | ", line.number)).dim(),
        Span::styled(text, style),
    ])
}

fn help() -> Paragraph<'static> {
    let line = |(key, what): &(&'static str, &'static str)| {
        Line::from(vec![Span::from(format!("  {key:<14}")).bold(), Span::from(*what)])
    };
    let note =
        Line::from("  In the source: the step, a dot for a finding, decimal digits left at worst, the line.").dim();
    Paragraph::new(KEYS.iter().map(line).chain([Line::default(), note]).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Cause, Kind, Measured, ObservedAt, OperationStatistics, Precision, Program, Report, Worst};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};
    use std::path::Path;

    fn report(folder: &Path) -> Report {
        let text = (1..=60).map(|n| format!("x{n} = a{n} - b{n};\n")).collect::<String>();
        std::fs::write(folder.join("a.c"), text).unwrap();
        let mut report = Report::new(Program { path: "/bin/prog".into(), ..Program::default() }, "residue");
        let at = |line| Location::new("a.c", line, 7, "f");
        for line in [12, 30] {
            let worst = Worst::new(1.5, 1.0, Precision::Double).with_error(0.5, 1e15, 52.0);
            let mut f = Finding::new(Kind::PrecisionLoss, ObservedAt::Output, at(line), "subtraction", worst);
            f.observed_location = Some(at(line + 20));
            let measured = Measured {
                node: 1,
                value: 1.0,
                relative_error: 1e-16,
                count: 1,
                dominant: true,
                ..Measured::default()
            };
            f.causes = vec![Cause {
                location: at(line - 5),
                operation: "call sqrt".into(),
                measured: Some(measured),
                ..Cause::default()
            }];
            report.findings.push(f);
        }
        let operation = OperationStatistics {
            location: at(12),
            operation: "subtraction".into(),
            count: 3,
            mean_error: 0.1,
            max_error: 0.5,
            introduced_error: 0.5,
            mean_badness: 0.0,
            max_badness: 0,
            samples: None,
        };
        report.operations = vec![operation];
        report
    }

    fn screen(state: &mut State, keys: &str) -> String {
        for key in keys.chars() {
            let code = match key {
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                letter => KeyCode::Char(letter),
            };
            state.press(code, KeyModifiers::NONE);
        }
        let mut terminal = Terminal::new(TestBackend::new(90, 16)).unwrap();
        terminal.draw(|frame| all(frame, state)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        let row = |y| (0..90).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..16).map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_report_is_walked_through_by_keys() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::new(report(folder.path()), Some(folder.path().to_owned()));
        let list = screen(&mut state, "");
        assert!(
            list.contains("nonius prog: 2 findings") && list.contains("precision-loss output   a.c:12:7"),
            "{list}"
        );
        let second = screen(&mut state, "j\n");
        assert!(second.contains("at a.c:30:7") && second.contains("call sqrt"), "{second}");
        let source = screen(&mut state, "ks");
        assert!(source.contains("step 3 of 3: seen here, in output at a.c:32:7"), "{source}");
        let produced = screen(&mut state, "k");
        assert!(produced.contains(" 2 ●  0d    12 | x12 = a12 - b12;"), "{produced}");
        assert!(screen(&mut state, "k").contains("step 1 of 3: call sqrt, relative error 1.0e-16 at a.c:7:7"));
        assert!(screen(&mut state, "uu").contains("2 findings"));
        assert!(screen(&mut state, "/c:30").contains("/c:30_"));
        assert!(screen(&mut state, "\n").contains("1 of 2 findings"));
        assert!(screen(&mut state, "/x\u{1b}").contains("2 findings"));
        assert!(screen(&mut state, "?").contains("all words must be there"));
        screen(&mut state, "q");
        assert!(state.is_done);
    }

    #[test]
    fn an_empty_report_and_a_small_screen_break_nothing() {
        let mut state = State::new(Report::new(Program::default(), "residue"), None);
        for keys in ["", "j", "k", "\n", "s", "G", "g", "/zzz\n", "u", "?"] {
            screen(&mut state, keys);
        }
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::new(report(folder.path()), Some(folder.path().to_owned()));
        let mut terminal = Terminal::new(TestBackend::new(3, 2)).unwrap();
        for view in [View::List, View::Finding, View::Source { step: 99 }, View::Source { step: 0 }, View::Help] {
            state.view = view;
            terminal.draw(|frame| all(frame, &mut state)).unwrap();
        }
    }
}
