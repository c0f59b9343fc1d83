//! Assertions whose places are all looked at before anything is decided: those of Rust and Fortran.
//!
//! `i < n && v[i] > 0` must not be one: where the left side says that the right has a meaning, the right would be looked at anyway.

use crate::ast::{Place, Predicate};
use crate::lexer::{TokenKind, tokens};
use crate::parser::Parsed;

/// Why an assertion cannot be evaluated at once.
pub fn refusal(parsed: &Parsed) -> Option<String> {
    of(&parsed.predicate, parsed)
}

fn of(predicate: &Predicate, parsed: &Parsed) -> Option<String> {
    match predicate {
        Predicate::True | Predicate::False | Predicate::Atom(_) => None,
        Predicate::Not(p) => of(p, parsed),
        Predicate::Iff(p, q) => of(p, parsed).or_else(|| of(q, parsed)),
        Predicate::And(p, q) | Predicate::Or(p, q) | Predicate::Implies(p, q) => {
            of(p, parsed).or_else(|| of(q, parsed)).or_else(|| guarded(p, q, parsed))
        }
        Predicate::If(c, p, q) => [c, p, q]
            .into_iter()
            .find_map(|part| of(part, parsed))
            .or_else(|| guarded(c, p, parsed))
            .or_else(|| guarded(c, q, parsed)),
        Predicate::ForAll(_) | Predicate::Exists(_) => {
            Some("quantifiers are not understood here: loop over the elements".to_owned())
        }
    }
}

/// Whether one side speaks of what the other looks up something by.
fn guarded(guard: &Predicate, body: &Predicate, parsed: &Parsed) -> Option<String> {
    let mut guards = Vec::new();
    places(guard, parsed, &mut |place| guards.extend(names(&place.text)));
    let mut found = None;
    places(body, parsed, &mut |place| {
        let depends = place.is_memory && lookups(&place.text).iter().any(|name| guards.contains(name));
        if depends && found.is_none() {
            found = Some(format!(
                "'{}' is looked at whatever the other side says: put the assertion where it has a value, on its own",
                place.text
            ));
        }
    });
    found
}

fn places(predicate: &Predicate, parsed: &Parsed, f: &mut dyn FnMut(&Place)) {
    match predicate {
        Predicate::True | Predicate::False | Predicate::ForAll(_) | Predicate::Exists(_) => {}
        Predicate::Atom(number) => parsed.atoms[*number].places().into_iter().for_each(|p| f(&parsed.places[p])),
        Predicate::Not(p) => places(p, parsed, f),
        Predicate::And(p, q) | Predicate::Or(p, q) | Predicate::Implies(p, q) | Predicate::Iff(p, q) => {
            places(p, parsed, f);
            places(q, parsed, f);
        }
        Predicate::If(c, p, q) => [c, p, q].into_iter().for_each(|part| places(part, parsed, f)),
    }
}

/// The names that decide what a place is: those in brackets, and pointers.
fn lookups(text: &str) -> Vec<String> {
    let bracket = text.find(['[', '(']).map_or("", |at| &text[at..]);
    let is_pointer = text.starts_with('*') || text.contains("->");
    names(if is_pointer { text } else { bracket })
}

fn names(text: &str) -> Vec<String> {
    let all = tokens(text);
    all.iter().filter(|t| t.kind == TokenKind::Name).map(|t| text[t.start..t.end].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Dialect;

    #[test]
    fn what_a_guard_protects_is_refused() {
        let refused = |text: &str| refusal(&crate::predicate(text, Dialect::Plain).unwrap()).is_some();
        for text in [
            "i < n && v[i] > 0",
            "i >= n || a(i) > 0",
            "p != 0 ==> p->x > 0",
            "forall integer i; 0 <= i < 3 ==> v[i] > 0",
        ] {
            assert!(refused(text), "{text}");
        }
        for text in ["v[0] > 0 && v[1] > 0", "x > 0 && y > 0", "a(1) < a(2)", "n > 0 && x < n"] {
            assert!(!refused(text), "{text}");
        }
    }
}
