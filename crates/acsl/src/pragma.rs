//! `#pragma nonius task("name")` before a statement of C or C++: the statement is a task.

const MISTAKE: &str = "a task has a name: #pragma nonius task(\"name\")";
const UNKNOWN: &str = "there is no such '#pragma nonius': 'task' is the one that there is";

/// The name of the task that a directive of the preprocessor marks, as a literal of C; or what is wrong with it.
pub(crate) fn task(directive: &str) -> Option<Result<String, &'static str>> {
    let text = without_comments(directive.strip_prefix('#')?);
    let rest = after_word(after_word(&text, "pragma")?, "nonius")?;
    let Some(rest) = after_word(rest, "task") else { return Some(Err(UNKNOWN)) };
    let rest = rest.trim();
    let name = rest.strip_prefix('(').map_or(Some(rest), |inner| inner.strip_suffix(')').map(str::trim));
    Some(name.and_then(literal).ok_or(MISTAKE))
}

/// What follows a word.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(word)?;
    let is_longer = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (!is_longer).then_some(rest)
}

/// `"name"` as it is, `name` as a literal.
fn literal(name: &str) -> Option<String> {
    let inner = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) => (!inner.is_empty() && !inner.contains(['"', '\\'])).then(|| name.to_owned()),
        None => {
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_name.then(|| format!("\"{name}\""))
        }
    }
}

/// A directive in one line, with a blank for each comment.
fn without_comments(directive: &str) -> String {
    let joined = directive.replace("\\\r\n", "").replace("\\\n", "");
    let mut out = String::new();
    let mut rest = joined.as_str();
    while let Some(at) = rest.find(['"', '/']) {
        out += &rest[..at];
        rest = &rest[at..];
        let (kept, length) = match rest.as_bytes() {
            [b'"', ..] => {
                let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                (&rest[..length], length)
            }
            [b'/', b'/', ..] => ("", rest.len()),
            [b'/', b'*', ..] => (" ", rest[2..].find("*/").map_or(rest.len(), |end| end + 4)),
            _ => ("/", 1),
        };
        out += kept;
        rest = &rest[length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_literals_or_words() {
        for directive in [
            "#pragma nonius task(\"solve\")",
            "# pragma\tnonius  task \"solve\" // of a step",
            "#pragma nonius task ( solve )",
            "#pragma nonius \\\n task /* named */ solve",
        ] {
            assert_eq!(task(directive), Some(Ok("\"solve\"".to_owned())), "{directive}");
        }
        assert_eq!(task("#pragma nonius task(\"a // b\")"), Some(Ok("\"a // b\"".to_owned())));
    }

    #[test]
    fn other_directives_are_left_alone() {
        for directive in ["#", "#pragma once", "#pragma omp task", "#define task nonius", "#pragma noniusly task(a)"] {
            assert_eq!(task(directive), None, "{directive}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for directive in [
            "#pragma nonius task",
            "#pragma nonius task()",
            "#pragma nonius task(a b)",
            "#pragma nonius task(\"a\"",
            "#pragma nonius task(\"\")",
            "#pragma nonius task(\"a\" \"b\")",
            "#pragma nonius task(f(1))",
        ] {
            assert_eq!(task(directive), Some(Err(MISTAKE)), "{directive}");
        }
        assert_eq!(task("#pragma nonius tasks(a)"), Some(Err(UNKNOWN)));
        assert_eq!(task("#pragma nonius"), Some(Err(UNKNOWN)));
    }
}
