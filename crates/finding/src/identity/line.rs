//! What the source says where a finding is.

use super::Source;
use super::function;
use crate::location::Location;

/// So many lines above a place are looked at for equal ones, and for where its function begins.
const MOST_LINES: u32 = 2000;

/// A line, as an id has it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Without blanks and comments.
    pub text: String,
    /// Letters of the text before the operation; `u32::MAX` if the compiler did not keep the column.
    pub position: u32,
    /// How many lines say the same between the beginning of the function and this one.
    pub repeats: u32,
}

impl Line {
    pub fn read(location: &Location, source: Source) -> Option<Line> {
        if !location.has_line() {
            return None;
        }
        let file = &location.file;
        let own = source(file, location.line)?;
        let comments = Comments::of(file);
        let text = comments.without(&own, own.len());
        let before = (location.column as usize).checked_sub(1).map(|at| comments.without(&own, at).chars().count());
        let position = before.map_or(u32::MAX, |letters| letters as u32);
        let name = function::word(&location.function);
        let mut repeats = 0;
        let first = location.line.saturating_sub(MOST_LINES).max(1);
        for number in (first..location.line).rev() {
            let Some(line) = source(file, number) else { break };
            let other = comments.without(&line, line.len());
            repeats += u32::from(other == text);
            if has_word(&line, name) {
                break;
            }
        }
        Some(Line { text, position, repeats })
    }
}

/// Whether a line has a name, and not as a part of another.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && line.match_indices(word).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            !before.chars().next_back().is_some_and(is_part) && !after.chars().next().is_some_and(is_part)
        })
}

/// How a language writes comments. What looks like one within a text counts as one too: an id only has to say the same
/// each time.
#[derive(Clone, Copy)]
enum Comments {
    /// `// to the end` and `/* within */`.
    Slashes,
    /// `! to the end`.
    Exclamation,
}

impl Comments {
    fn of(file: &str) -> Comments {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
            "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" | "f18" | "fpp" | "ftn" => Comments::Exclamation,
            _ => Comments::Slashes,
        }
    }

    /// What begins before byte `end` of a line, without blanks and comments.
    fn without(self, line: &str, end: usize) -> String {
        let mut text = String::with_capacity(line.len());
        let mut rest = line.char_indices();
        while let Some((at, letter)) = rest.next() {
            let after = &line[at..];
            match self {
                _ if at >= end => break,
                Comments::Exclamation if letter == '!' => break,
                Comments::Slashes if after.starts_with("//") => break,
                Comments::Slashes if after.starts_with("/*") => match after[2..].find("*/") {
                    Some(length) => rest = skipped(line, at + 2 + length + 2),
                    None => break,
                },
                _ if letter.is_whitespace() => {}
                _ => text.push(letter),
            }
        }
        text
    }
}

/// From byte `at` on, with offsets in the whole line.
fn skipped(line: &str, at: usize) -> std::str::CharIndices<'_> {
    let mut rest = line.char_indices();
    while rest.offset() < at && rest.next().is_some() {}
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(source: &[&str], file: &str, line: u32, column: u32, function: &str) -> Option<Line> {
        let mut lines = |_: &str, number: u32| source.get(number as usize - 1).map(|l| (*l).to_owned());
        Line::read(&Location::new(file, line, column, function), &mut lines)
    }

    #[test]
    fn blanks_and_comments_are_left_out() {
        let line = read(&["  x = a /* é */ -  b; // near 1"], "a.c", 1, 18, "f").unwrap();
        assert_eq!((line.text.as_str(), line.position, line.repeats), ("x=a-b;", 3, 0));
        assert_eq!(line, read(&["x=a-b;"], "a.c", 1, 4, "f").unwrap());
        assert_eq!(read(&["x = a - b ! near 1"], "a.F90", 1, 0, "f").unwrap().text, "x=a-b");
        assert_eq!(read(&["if (!x) a /* open"], "a.cpp", 1, 0, "f").unwrap().text, "if(!x)a");
        assert_eq!(read(&["x"], "a.c", 2, 1, "f"), None);
        assert_eq!(read(&["x"], "", 1, 1, "f"), None);
    }

    #[test]
    fn equal_lines_are_counted_within_the_function() {
        let source = ["double f() {", " s += x;", "}", "double gf() { f2();", "s += x; // 1", "y;", "  s  += x;", "}"];
        assert_eq!(read(&source, "a.c", 2, 1, "f").unwrap().repeats, 0);
        assert_eq!(read(&source, "a.c", 5, 1, "gf").unwrap().repeats, 0);
        assert_eq!(read(&source, "a.c", 7, 1, "ns::gf(double)").unwrap().repeats, 1);
        // Of a function that is not found, from the first line on.
        assert_eq!(read(&source, "a.c", 7, 1, "f2_").unwrap().repeats, 2);
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in r"[a/*! é\t-]{0,12}", column in 0u32..20, name in r"[f(<>:{.#é]{0,6}") {
            for file in ["a.c", "a.f90"] {
                let read = read(&["f", &line], file, 2, column, &name).unwrap();
                prop_assert!(!read.text.contains(char::is_whitespace));
            }
        }
    }
}
