//! What names and expressions are, by their words.

use crate::ast::{Measure, Term};
use crate::lexer::{TokenKind, tokens};

/// A built-in that gives two numbers: the measure of either.
pub(crate) type Pair = fn(bool) -> Measure;

pub(crate) fn pair_by_name(word: &str) -> Option<Pair> {
    Some(match word {
        "accuracy_get_ferr" | "accuracy_get_derr" => |upper| Measure::Error { upper },
        "accuracy_get_frelerr" | "accuracy_get_drelerr" => |upper| Measure::RelativeError { upper },
        "accuracy_get_freal" | "accuracy_get_dreal" => |upper| Measure::Real { upper },
        _ => return None,
    })
}

pub(crate) fn size(term: &Term) -> usize {
    match term {
        Term::Negative(x) | Term::Abs(x) => 1 + size(x),
        Term::Binary(_, x, y) => 1 + size(x) + size(y),
        _ => 1,
    }
}

pub(crate) fn negative(term: Term) -> Term {
    match term {
        Term::Integer { small: Some(value), .. } => Term::integer(-value),
        term => Term::Negative(term.into()),
    }
}

/// Whether an expression has a name in it.
pub(crate) fn mentions(expression: &str, name: &str) -> bool {
    tokens(expression).iter().any(|t| t.kind == TokenKind::Name && &expression[t.start..t.end] == name)
}

/// An expression as a reader would write it: words were joined by blanks.
pub(crate) fn spaced(text: &str) -> String {
    let mut out = String::new();
    for token in tokens(text) {
        let word = &text[token.start..token.end];
        let both_names = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let needs = out.bytes().last().is_some_and(both_names) && word.bytes().next().is_some_and(both_names);
        let after = out.ends_with([',', '+', '/', '%', '?']) || out.ends_with(" -");
        let before = matches!(word, "+" | "/" | "%" | "?");
        if (needs || after || before) && !out.is_empty() {
            out.push(' ');
        }
        out += word;
    }
    out
}
