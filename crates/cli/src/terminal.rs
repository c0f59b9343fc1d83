//! How text is to look: what the terminal can show, and what the options of a run ask for.

use nonius_driver::RuntimeOptions;
use nonius_finding::Selection;
use nonius_report::ColorChoice;
use nonius_report::text::TextOptions;
use std::env;
use std::io::IsTerminal;
use std::os::fd::AsFd;

/// Columns for a file or a pipe, which have no width of their own.
const WIDTH_ELSEWHERE: usize = 120;
/// The runtime's own default for `max_findings`.
const FINDINGS_PRINTED: usize = 20;

/// Text options that fit a stream: colors and width only for terminals.
pub fn text_options(stream: &(impl IsTerminal + AsFd)) -> TextOptions {
    let terminal = stream.is_terminal();
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = terminal_size::terminal_size_of(stream).map_or(WIDTH_ELSEWHERE, |(width, _)| usize::from(width.0));
    let color = if terminal && !no_color && !dumb { ColorChoice::Always } else { ColorChoice::Never };
    TextOptions { color, width, ..TextOptions::default() }
}

/// Text in lines that fit the stream, if it is a terminal. Files and pipes have what is written for programs to read.
pub fn fitted(text: String, stream: &(impl IsTerminal + AsFd)) -> String {
    let size = terminal_size::terminal_size_of(stream).filter(|_| stream.is_terminal());
    match size {
        Some((width, _)) => nonius_report::wrap::fit(&text, usize::from(width.0)),
        None => text,
    }
}

/// The keys of `NONIUS_OPTIONS` that speak of the text. A value that makes no sense has been
/// told by the runtime.
pub fn apply(style: &mut TextOptions, options: &RuntimeOptions) {
    let text = |key| options.get(key).and_then(|value| value.into_string().ok());
    style.limit = Some(text("max_findings").and_then(|n| n.parse().ok()).unwrap_or(FINDINGS_PRINTED));
    style.stats = options.is_on("stats");
    style.selection = selection(options);
    match text("color").as_deref() {
        Some("always") => style.color = ColorChoice::Always,
        Some("never") => style.color = ColorChoice::Never,
        _ => {}
    }
}

/// Which findings are shown, and count.
pub fn selection(options: &RuntimeOptions) -> Selection {
    let text = options.get("focus").and_then(|value| value.into_string().ok());
    let focus = text.and_then(|text| text.parse().ok()).unwrap_or_default();
    Selection { focus, all: options.is_on("all") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_shape_the_text() {
        let mut style = TextOptions::default();
        apply(&mut style, &RuntimeOptions::default());
        assert_eq!((style.limit, style.stats, style.color), (Some(20), false, ColorChoice::Never));
        apply(&mut style, &RuntimeOptions::inherit(Some("color=always:max_findings=0:stats=1".into())));
        assert_eq!((style.limit, style.stats, style.color), (Some(0), true, ColorChoice::Always));
        assert_eq!(style.selection, Selection::default());
        apply(&mut style, &RuntimeOptions::inherit(Some("focus=output:all=1".into())));
        assert_eq!(style.selection, Selection { focus: nonius_finding::Focus::Output, all: true });
    }
}
