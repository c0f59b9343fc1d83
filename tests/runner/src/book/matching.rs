//! Whether a text is what a page says it is.

/// Stands for anything within a line.
const ANYTHING: &str = "[..]";
/// A line that stands for any number of lines.
const ANY_LINES: &str = "[...]";

/// Lines as they are told, against those that were printed. Blanks at their ends do not count.
pub fn matches(told: &[&str], printed: &[&str]) -> bool {
    match (told.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first.trim() == ANY_LINES => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        (Some((first, rest)), Some((line, others))) => line_matches(first, line) && matches(rest, others),
        _ => false,
    }
}

fn line_matches(told: &str, printed: &str) -> bool {
    let (told, printed) = (told.trim_end(), printed.trim_end());
    let mut parts = told.split(ANYTHING);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_stand_for_what_they_say() {
        assert!(matches(&["a", "b"], &["a  ", "b"]) && !matches(&["a"], &["a", "b"]) && !matches(&["a", "b"], &["a"]));
        assert!(matches(&["a", "[...]", "z"], &["a", "z"]) && matches(&["a", "[...]", "z"], &["a", "b", "c", "z"]));
        assert!(!matches(&["a", "[...]", "z"], &["a", "b", "c"]));
        assert!(line_matches("took [..] s", "took 1.2 s") && !line_matches("took [..] s", "took 1.2 ms!"));
        assert!(line_matches("[..]b[..]", "abc") && !line_matches("[..]b[..]", "ac") && line_matches("x[..]", "x"));
        assert!(!line_matches("plain", "plainer") && !line_matches("aa[..]aa", "aaa"));
    }
}
