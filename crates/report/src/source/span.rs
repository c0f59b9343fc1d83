//! How much of a line a column means.
//!
//! Debug information has one column: clang's is that of the operator or of the call, rustc's and
//! flang's that of the expression's first character. Where an operation has a symbol and it is
//! not at the column, the expression that starts there is marked.

use std::ops::Range;

/// Operators that operations of findings stand for, longest first.
const OPERATORS: &[&str] =
    &["**", "+=", "-=", "*=", "/=", "%=", "++", "--", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "="];

/// The line without the white space around it.
pub(super) fn whole(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

/// The operator, call, or expression that starts at byte `at`, which is a character boundary.
pub(super) fn at(line: &str, at: usize, operation: &str) -> Range<usize> {
    let rest = &line[at..];
    if rest.trim().is_empty() {
        return whole(line);
    }
    let length = match OPERATORS.iter().find(|op| rest.starts_with(**op)) {
        Some(operator) => operator.len(),
        None if has_symbol(operation) => expression_length(rest),
        None => call_length(rest),
    };
    at..at + length
}

/// Whether the operation is written with an operator between its operands.
fn has_symbol(operation: &str) -> bool {
    ["addition", "subtraction", "multiplication", "division", "comparison", "remainder"]
        .iter()
        .any(|word| operation.contains(word))
}

/// Up to where the expression cannot go on: `;`, `{`, a comma or closing bracket that is not its
/// own, or a comment.
fn expression_length(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        let ends = match c {
            '(' | '[' => {
                depth += 1;
                false
            }
            ')' | ']' if depth > 0 => {
                depth -= 1;
                false
            }
            ')' | ']' | ',' => depth == 0,
            ';' | '{' | '}' => true,
            // Fortran's comment, not the operator `!=`.
            '!' => !rest[at..].starts_with("!="),
            '/' => rest[at..].starts_with("//") || rest[at..].starts_with("/*"),
            _ => false,
        };
        if ends {
            end = at;
            break;
        }
    }
    at_least_one(rest, rest[..end].trim_end().len())
}

/// A name, and the arguments that follow it; else one character.
fn call_length(rest: &str) -> usize {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '$');
    let name = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
    let arguments = if rest[name..].starts_with('(') { bracketed_length(&rest[name..]) } else { 0 };
    at_least_one(rest, name + arguments)
}

/// Length up to the bracket that closes the first; 0 if the line does not close it.
fn bracketed_length(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return at + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    0
}

fn at_least_one(rest: &str, length: usize) -> usize {
    length.max(rest.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_marked_part_is_the_operation() {
        let cases = [
            // line, text at the column, operation, marked
            ("double r = sqrt(x + 1) - sqrt(x);", "- sqrt", "subtraction", "-"),
            ("double r = sqrt(x + 1) - sqrt(x);", "sqrt(x +", "sqrt", "sqrt(x + 1)"),
            ("s -= a[i];", "-=", "subtraction", "-="),
            ("if (a <= b) {", "<=", "comparison", "<="),
            ("let r = (x + 1.0).sqrt() - x.sqrt();", "(x +", "subtraction", "(x + 1.0).sqrt() - x.sqrt()"),
            ("a != b", "a", "comparison", "a != b"),
            ("print(a - b, c)", "a - b", "subtraction", "a - b"),
            ("if a < b { c } // no", "a < b", "comparison", "a < b"),
            ("  y = a - b  ! why", "a - b", "subtraction", "a - b"),
            ("f(sqrt(x", "sqrt", "sqrt", "sqrt"),
            ("return v.x;", "return", "load", "return"),
            ("é - b", "é", "load", "é"),
            ("  x  ", "x", "load", "x"),
        ];
        for (line, column_text, operation, marked) in cases {
            let column = line.find(column_text).unwrap();
            assert_eq!(&line[at(line, column, operation)], marked, "{line}");
        }
        assert_eq!(&"  a b  "[at("  a b  ", 5, "load")], "a b");
    }

    proptest! {
        #[test]
        fn any_span_lies_on_characters(line in any::<String>(), column in 0..40usize, operation in "(subtraction|sqrt)") {
            let column = line.floor_char_boundary(column.min(line.len()));
            let span = at(&line, column, &operation);
            prop_assert!(line.get(span).is_some());
            prop_assert!(line.get(whole(&line)).is_some());
        }

        #[test]
        fn brackets_never_confuse_it(line in r"[()\[\]{}a,;!/*é ]{0,20}", column in 0..20usize) {
            let column = line.floor_char_boundary(column.min(line.len()));
            prop_assert!(line.get(at(&line, column, "addition")).is_some());
            prop_assert!(line.get(at(&line, column, "sqrt")).is_some());
        }
    }
}
