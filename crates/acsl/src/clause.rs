//! What an annotation consists of: `assert P;`, `requires P; ensures Q;`, `loop invariant P;` and what is left alone.

use crate::ast::Dialect;
use crate::lexer::{TokenKind, tokens};
use crate::parser::{Parsed, predicate};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    Assert,
    Check,
    Requires,
    Ensures,
    LoopInvariant,
}

impl ClauseKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ClauseKind::Assert => "assert",
            ClauseKind::Check => "check",
            ClauseKind::Requires => "requires",
            ClauseKind::Ensures => "ensures",
            ClauseKind::LoopInvariant => "loop invariant",
        }
    }
}

/// A predicate that is to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub kind: ClauseKind,
    pub parsed: Parsed,
    /// The predicate as it is written, blanks joined.
    pub text: String,
    /// Where the clause begins, in bytes from the start of the annotation's text.
    pub at: usize,
}

/// What is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    /// In bytes from the start of the annotation's text.
    pub at: Range<usize>,
    /// Other ACSL, which is left alone; else it is a mistake.
    pub is_unsupported: bool,
}

/// Takes an annotation apart. A mistake in one clause leaves the others as they are.
pub fn clauses(text: &str, dialect: Dialect) -> (Vec<Clause>, Vec<Problem>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let all = tokens(text);
    let mut at = 0;
    while all[at].kind != TokenKind::End {
        let word = |n: usize| all.get(at + n).map_or("", |t| &text[t.start..t.end]);
        let start = all[at].start;
        let (kind, words) = match (word(0), word(1)) {
            ("assert", _) => (ClauseKind::Assert, 1),
            ("check", "requires") => (ClauseKind::Requires, 2),
            ("check", "ensures") => (ClauseKind::Ensures, 2),
            ("check", "loop") => (ClauseKind::LoopInvariant, 3),
            ("check", _) => (ClauseKind::Check, 1),
            ("requires", _) => (ClauseKind::Requires, 1),
            ("ensures", _) => (ClauseKind::Ensures, 1),
            ("loop", "invariant") => (ClauseKind::LoopInvariant, 2),
            (first, _) => {
                let name = if first == "loop" { format!("loop {}", word(1)) } else { first.to_owned() };
                let message = format!("'{name}' is not understood, and left alone");
                problems.push(Problem { message, at: start..all[at].end, is_unsupported: true });
                at = behind(text, &all, at);
                continue;
            }
        };
        let from = all.get(at + words).map_or(text.len(), |t| t.start);
        match predicate(&text[from..], dialect) {
            Ok(parsed) => {
                let end = from + parsed.end;
                let next = all.iter().position(|t| t.start >= end).unwrap_or(all.len() - 1);
                let token = &all[next];
                // In Fortran and Rust the end of the line is enough.
                let is_end =
                    &text[token.start..token.end] == ";" || (token.kind == TokenKind::End && dialect == Dialect::Plain);
                if !is_end {
                    let message = "expected ';'".to_owned();
                    problems.push(Problem { message, at: token.start..token.end, is_unsupported: false });
                    at = behind(text, &all, next);
                    continue;
                }
                let words: Vec<&str> =
                    text[from..end].split(|c: char| c.is_whitespace() || c == '@').filter(|w| !w.is_empty()).collect();
                found.push(Clause { kind, parsed, text: words.join(" "), at: start });
                at = (next + 1).min(all.len() - 1);
            }
            Err(error) => {
                let place = from + error.at.start..from + error.at.end;
                problems.push(Problem { message: error.message, at: place, is_unsupported: error.is_unsupported });
                at = behind(text, &all, at);
            }
        }
    }
    (found, problems)
}

/// The first word behind the clause at `at`: it ends with a semicolon that no `\let` or quantifier asks for.
fn behind(text: &str, all: &[crate::lexer::Token], mut at: usize) -> usize {
    let mut inner = 0;
    while all[at].kind != TokenKind::End {
        match &text[all[at].start..all[at].end] {
            "\\let" | "\\forall" | "\\exists" => inner += 1,
            ";" if inner == 0 => return at + 1,
            ";" => inner -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(ClauseKind, String)> {
        clauses(text, Dialect::C).0.into_iter().map(|c| (c.kind, c.text)).collect()
    }

    #[test]
    fn clauses_are_told_apart() {
        let text = "requires n > 0;\n  @ requires \\let k = n; k < 10;\n  @ ensures \\result >= 0;";
        let expected = [
            (ClauseKind::Requires, "n > 0".to_owned()),
            (ClauseKind::Requires, "\\let k = n; k < 10".to_owned()),
            (ClauseKind::Ensures, "\\result >= 0".to_owned()),
        ];
        assert_eq!(kinds(text), expected);
        assert_eq!(kinds("loop invariant 0 <= i <= n;"), [(ClauseKind::LoopInvariant, "0 <= i <= n".to_owned())]);
        assert_eq!(kinds("check x < 1;"), [(ClauseKind::Check, "x < 1".to_owned())]);
    }

    #[test]
    fn what_is_not_understood_is_named_and_the_rest_is_read() {
        let (found, problems) =
            clauses("assigns a[0 .. n-1]; loop variant n - i; requires \\valid(p); requires n > 0;", Dialect::C);
        assert_eq!(found.len(), 1);
        let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
        let expected = [
            "'assigns' is not understood, and left alone",
            "'loop variant' is not understood, and left alone",
            "\\valid is not understood",
        ];
        assert_eq!(messages, expected);
        assert!(problems.iter().all(|p| p.is_unsupported));
    }

    #[test]
    fn mistakes_have_their_place() {
        let (found, problems) = clauses("assert x < ; assert y > 0;", Dialect::C);
        assert_eq!((found.len(), problems.len()), (1, 1));
        assert_eq!((problems[0].at.start, problems[0].is_unsupported), (11, false));
        let (_, problems) = clauses("assert x < 1", Dialect::C);
        assert_eq!((problems[0].message.as_str(), problems[0].at.start), ("expected ';'", 12));
    }
}
