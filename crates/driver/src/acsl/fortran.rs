//! Annotations in Fortran: a line `!@ assert PREDICATE` becomes a block that captures the places of the predicate by their types.
//!
//! The predicate is in the language of C's annotations without backslashes; what Fortran writes otherwise (`.and.`, `/=`, `%`,
//! `1d0`, `1.0_8`) is understood too. All values are looked at before anything is decided. Free form only.

use nonius_acsl::eager;
use nonius_acsl::lexer::{TokenKind, tokens};
use nonius_acsl::source::line_and_column;
use nonius_acsl::weave::{Placed, Woven};
use nonius_acsl::{Clause, ClauseKind, Dialect, clauses};
use std::fmt::Write;

/// Puts checks into a source of Fortran.
pub(super) fn weave(source: &str) -> Woven {
    let mut woven = Woven { text: String::with_capacity(source.len()), checks: 0, tasks: 0, problems: Vec::new() };
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        match annotation(line) {
            Some(at) => woven.annotation(source, start + at, line),
            None => woven.text += line,
        }
        start += line.len();
    }
    woven
}

/// Where the text of an annotation begins in its line.
fn annotation(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    trimmed.starts_with("!@").then(|| line.len() - trimmed.len() + 2)
}

trait Weaving {
    fn annotation(&mut self, source: &str, at: usize, line: &str);
}

impl Weaving for Woven {
    fn annotation(&mut self, source: &str, at: usize, line: &str) {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let text = as_c(without_comment(source[at..].lines().next().unwrap_or_default()));
        let (found, problems) = clauses(&text, Dialect::Plain);
        let mut problem = |message: &str, from: usize, to: usize, is_unsupported: bool| {
            let (line, column) = line_and_column(source, at + from);
            let at = at + from..at + to;
            let message = message.to_owned();
            self.problems.push(Placed { message, at, line, column, is_unsupported, in_pragma: false });
        };
        for p in problems {
            problem(&p.message, p.at.start, p.at.end, p.is_unsupported);
        }
        let mut checks = String::new();
        let mut count = 0;
        for clause in &found {
            if !matches!(clause.kind, ClauseKind::Assert | ClauseKind::Check) {
                let message = format!("'{}' is not understood in Fortran", clause.kind.as_str());
                problem(&message, clause.at, clause.at + 1, true);
            } else if let Some(refusal) = eager::refusal(&clause.parsed) {
                problem(&refusal, clause.at, clause.at + 1, true);
            } else {
                let (line, column) = line_and_column(source, at + clause.at);
                checks += &check(clause, line, column);
                count += 1;
            }
        }
        self.checks += count;
        self.text += if checks.is_empty() { line.trim_end_matches('\n') } else { &checks };
        self.text += end;
    }
}

/// An annotation without a comment behind it.
fn without_comment(text: &str) -> &str {
    text.find(" !").map_or(text, |at| &text[..at])
}

/// What Fortran writes otherwise than C, in as many letters.
fn as_c(text: &str) -> String {
    let mut lower = text.to_owned();
    for (fortran, c) in [(".and.", " &&  "), (".or.", " || "), (".not.", "  !  "), ("/=", "!="), ("%", ".")] {
        while let Some(at) = lower.to_ascii_lowercase().find(fortran) {
            lower.replace_range(at..at + fortran.len(), c);
        }
    }
    let mut out = lower.clone();
    for token in tokens(&lower).into_iter().filter(|t| t.kind == TokenKind::Number) {
        let digits = lower[token.start..token.end].replace(['d', 'D'], "e");
        out.replace_range(token.start..token.end, &digits);
        // The kind of a number, as in `1.0_8`.
        if lower[token.end..].starts_with('_') {
            let is_kind = |c: char| c == '_' || c.is_ascii_alphanumeric();
            let length = lower[token.end..].find(|c| !is_kind(c)).unwrap_or(lower.len() - token.end);
            out.replace_range(token.end..token.end + length, &" ".repeat(length));
        }
    }
    out
}

/// Stands for the source's name, for whoever knows it.
pub(super) const FILE: &str = "nonius_this_file";

/// The generic that captures numbers by their types. A name is local to its block.
const INTERFACES: &str = "interface nonius_capture; \
    subroutine nonius_capture_f(x, v) bind(C, name=\"__nonius_api_capture_f\"); real(4), value :: x; integer(8) :: v(*); end subroutine; \
    subroutine nonius_capture_d(x, v) bind(C, name=\"__nonius_api_capture_d\"); real(8), value :: x; integer(8) :: v(*); end subroutine; \
    subroutine nonius_capture_s(x, v) bind(C, name=\"__nonius_api_acsl_fortran_int\"); integer(4), value :: x; integer(8) :: v(*); end subroutine; \
    subroutine nonius_capture_i(x, v) bind(C, name=\"__nonius_api_acsl_fortran_integer\"); integer(8), value :: x; integer(8) :: v(*); end subroutine; \
    end interface; interface; \
    subroutine nonius_assert(text, file, line, column, n, v) bind(C, name=\"__nonius_api_acsl_fortran\"); \
    character(1) :: text(*), file(*); integer(4), value :: line, column, n; integer(8) :: v(*); end subroutine; end interface; ";

fn check(clause: &Clause, line: u32, column: u32) -> String {
    let places = &clause.parsed.places;
    let mut out = format!("block; {INTERFACES}integer(8) :: nonius_v(24, {}); ", places.len().max(1));
    for (n, place) in places.iter().enumerate() {
        let text = as_fortran(&place.text);
        let _ = write!(out, "call nonius_capture(({text}), nonius_v(:, {})); ", n + 1);
    }
    let text = clause.text.replace('"', "'");
    let _ = write!(
        out,
        "call nonius_assert(\"{text}\"//achar(0), {FILE}//achar(0), {line}, {column}, {}, nonius_v(:, 1)); end block; ",
        places.len()
    );
    out
}

/// A place, with Fortran's sign for a member.
fn as_fortran(text: &str) -> String {
    let mut out = String::new();
    for token in tokens(text) {
        let word = &text[token.start..token.end];
        out += if word == "." && token.kind == TokenKind::Symbol { "%" } else { word };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_fortran_is_understood() {
        let source = "program p\n  !@ assert s%y >= 1.0d0 .and. a(2) /= 3_8 ! why\n  !@ requires x > 0\n  ! @ no\n  !@ assert x <\nend\n";
        let woven = weave(source);
        assert_eq!((woven.checks, woven.text.matches('\n').count()), (1, source.matches('\n').count()));
        assert!(woven.text.contains("call nonius_capture((s%y), nonius_v(:, 1))"), "{}", woven.text);
        assert!(woven.text.contains("s.y >= 1.0e0 && a(2) != 3"), "{}", woven.text);
        assert_eq!(
            woven.problems.iter().map(|p| (p.line, p.is_unsupported)).collect::<Vec<_>>(),
            [(3, true), (5, false)]
        );
    }
}
