//! Breaks lines that are wider than a terminal, so that what belongs together stays in one column.

/// Below this a terminal is not worth the trouble.
const LEAST: usize = 40;

/// `text` with every line within `width` columns, broken at blanks. What follows a break stands below the words of its line,
/// behind `= note: ` and the like. Lines of source, which have a `|` before them, are left alone.
pub fn fit(text: &str, width: usize) -> String {
    let width = width.max(LEAST);
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        match columns(content) > width && !is_source(content) {
            true => break_line(content, width, &mut fitted),
            false => fitted += content,
        }
        fitted += end;
    }
    fitted
}

fn break_line(line: &str, width: usize, fitted: &mut String) {
    let indent = indent_of(line).min(width / 2);
    let mut column = 0;
    let mut blanks = 0;
    for word in words(line) {
        let wide = columns(word);
        if word.starts_with(' ') {
            blanks = wide;
            continue;
        }
        let is_first = column <= indent;
        if column + blanks + wide > width && !is_first {
            *fitted += "\n";
            *fitted += &" ".repeat(indent);
            column = indent;
        } else {
            blanks = blanks.min(width / 2);
            *fitted += &" ".repeat(blanks);
            column += blanks;
        }
        blanks = 0;
        column = put(word, column, indent, width, fitted);
    }
}

/// A word, in pieces if it is wider than a line; gives the column behind it.
fn put(word: &str, mut column: usize, indent: usize, width: usize, fitted: &mut String) -> usize {
    for (letter, is_visible) in letters(word) {
        if is_visible && column >= width {
            *fitted += "\n";
            *fitted += &" ".repeat(indent);
            column = indent;
        }
        fitted.push(letter);
        column += usize::from(is_visible);
    }
    column
}

/// Runs of blanks, and what is between them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.char_indices().filter(|&(at, c)| at == 0 || (c == ' ') != line[..at].ends_with(' ')).map(|(at, _)| at).scan(
        line,
        move |_, at| {
            let rest = &line[at..];
            let is_blank = rest.starts_with(' ');
            let end = rest.find(|c: char| (c == ' ') != is_blank).unwrap_or(rest.len());
            Some(&rest[..end])
        },
    )
}

/// Where the words of a line begin: behind `= note: `, `= help: ` and `nonius: `, in the second column of a list of two
/// (`  key      what it does`); of others two columns further in, unless they are prose from the first column on.
fn indent_of(line: &str) -> usize {
    let plain: String = letters(line).filter(|(_, is_visible)| *is_visible).map(|(letter, _)| letter).collect();
    let blanks = plain.chars().take_while(|c| *c == ' ').count();
    let label = ["= note: ", "= help: ", "nonius: "].iter().find(|label| plain[blanks..].starts_with(**label));
    let second = || {
        let word = plain[blanks..].split_once("  ").filter(|(word, _)| blanks > 0 && !word.contains(' '))?;
        Some(word.0.chars().count() + 2 + word.1.chars().take_while(|c| *c == ' ').count())
    };
    let is_prose = blanks == 0 && !["error", "warning", "note"].iter().any(|level| plain.starts_with(level));
    blanks + label.map(|label| label.len()).or_else(second).unwrap_or(if is_prose { 0 } else { 2 })
}

/// Whether a line belongs to an excerpt: ` 12 | return x;` or `   |  ^^ here`.
fn is_source(line: &str) -> bool {
    let mut plain = letters(line).filter(|(_, is_visible)| *is_visible).map(|(letter, _)| letter);
    plain.find(|c| *c != ' ' && !c.is_ascii_digit()) == Some('|')
}

fn columns(text: &str) -> usize {
    letters(text).filter(|(_, is_visible)| *is_visible).count()
}

/// The letters of a text, and whether they take a column: those of escape sequences for color do not.
fn letters(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut in_escape = false;
    text.chars().map(move |letter| {
        let was_in_escape = in_escape;
        match letter {
            '\u{1b}' => in_escape = true,
            letter if in_escape && letter.is_ascii_alphabetic() => in_escape = false,
            _ => {}
        }
        (letter, !was_in_escape && letter != '\u{1b}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notes_stay_in_their_column() {
        let text = "   = note: the error was amplified here, and again there\nshort\n";
        let expected = "   = note: the error was amplified here,\n           and again there\nshort\n";
        assert_eq!(fit(text, 43), expected);
        let closing = "nonius: 1 finding, 12 operations at 6 sites in 2 functions\n";
        assert_eq!(fit(closing, 40), "nonius: 1 finding, 12 operations at 6\n        sites in 2 functions\n");
        let options = "  halt            stop at the first finding, with exitcode\n";
        assert_eq!(fit(options, 44), "  halt            stop at the first finding,\n                  with exitcode\n");
        let list = "             0: main at examples/quadratic.c:15:5 and more\n";
        assert_eq!(
            fit(list, 40),
            "             0: main at\n               examples/quadratic.c:15:5\n               and more\n"
        );
    }

    #[test]
    fn source_and_colors_are_left_alone() {
        let source = format!("12 |     return {};\n", "x + ".repeat(40));
        assert_eq!(fit(&source, 80), source);
        let colored = "\u{1b}[1m= note\u{1b}[0m: ".to_owned() + &"word ".repeat(6);
        assert_eq!(fit(&colored, 40), colored);
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut_up() {
        let text = format!("nonius: {}\n", "x".repeat(100));
        assert!(fit(&text, 40).lines().all(|line| line.chars().count() <= 40));
        assert_eq!(fit(&text, 40).replace(['\n', ' '], ""), text.replace(['\n', ' '], ""));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_sticks_out(text in "[a-z =:\n]{0,300}", width in 40usize..100) {
            let fitted = fit(&text, width);
            let bare = |text: &str| text.replace(['\n', ' '], "");
            prop_assert_eq!(bare(&fitted), bare(&text));
            prop_assert!(fitted.lines().all(|line| line.trim_end().chars().count() <= width), "{}", fitted);
        }
    }
}
