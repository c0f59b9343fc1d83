//! Patterns of suppression files.

/// `*` stands for any run of characters (also none, also `/`), `?` for any one character,
/// everything else for itself. There is no escape: `?` matches a literal `*` or `?` well enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    pattern: Vec<char>,
}

impl Glob {
    pub fn new(pattern: &str) -> Self {
        Self { pattern: pattern.chars().collect() }
    }

    /// Whether the pattern covers all of `text`. Takes at most length times length steps.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.matches_chars(&text)
    }

    /// Whether the pattern covers a path, or what is left of it after any `/`:
    /// `la/dot.c` covers `/home/me/la/dot.c`.
    pub fn matches_path_tail(&self, path: &str) -> bool {
        let path: Vec<char> = path.chars().collect();
        let after_slash = |start: usize| start == 0 || path[start - 1] == '/';
        (0..path.len()).filter(|&start| after_slash(start)).any(|start| self.matches_chars(&path[start..]))
    }

    /// Walks both from the left. After a mismatch only the latest `*` need take one more
    /// character: an earlier one taking more could not help, as the latest can take the same.
    fn matches_chars(&self, text: &[char]) -> bool {
        let (mut p, mut t) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        while t < text.len() {
            match self.pattern.get(p) {
                Some('*') => {
                    p += 1;
                    retry = Some((p, t));
                }
                Some(&c) if c == '?' || c == text[t] => {
                    p += 1;
                    t += 1;
                }
                _ => {
                    let Some((after_star, taken)) = retry else { return false };
                    p = after_star;
                    t = taken + 1;
                    retry = Some((p, t));
                }
            }
        }
        self.pattern[p..].iter().all(|&c| c == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, slow but plain.
    fn reference(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some(('*', rest)), None) => reference(rest, text),
            (Some(('*', rest)), Some((_, tail))) => reference(rest, text) || reference(pattern, tail),
            (Some((p, rest)), Some((t, tail))) => (*p == '?' || p == t) && reference(rest, tail),
            _ => false,
        }
    }

    #[test]
    fn whole_text_is_covered() {
        let cases = [
            ("dot", "dot", true),
            ("dot", "dots", false),
            ("d?t", "dot", true),
            ("d?t", "dt", false),
            ("*", "", true),
            ("ns::*(double*)", "ns::f(double, double)", true),
            ("a*b*c", "axxbyybzzc", true),
            ("a*b*c", "axxbyyczz", false),
            ("größe?", "größe1", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(Glob::new(pattern).matches(text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn paths_match_from_any_slash() {
        let cases = [
            ("dot.c", "/home/me/la/dot.c", true),
            ("la/dot.c", "/home/me/la/dot.c", true),
            ("la/*.c", "la/dot.c", true),
            ("/home/*", "/home/me/la/dot.c", true),
            ("ot.c", "/home/me/la/dot.c", false),
            ("dot.c", "", false),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(Glob::new(pattern).matches_path_tail(path), expected, "{pattern} on {path}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(pattern in "[ab*?]{0,8}", text in "[ab]{0,10}") {
            let chars = |s: &str| s.chars().collect::<Vec<_>>();
            prop_assert_eq!(Glob::new(&pattern).matches(&text), reference(&chars(&pattern), &chars(&text)));
        }
    }
}
