//! Command-line words, and what response files hold.
//!
//! Clang expands `@file` itself, so nothing here changes what it is given: the expansion is only
//! looked at. The rules are clang's: GNU quoting, nested files relative to the working directory,
//! and a file that cannot be read stands for itself.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Files that name themselves would never end; clang gives up on them as well.
const MAX_DEPTH: usize = 20;
/// Build systems pass some ten thousand objects at most. More words than this are left unread.
const MAX_WORDS: usize = 1 << 20;

/// A word of the command line after expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Lossy: only for looking at, clang gets the original bytes.
    pub text: String,
    /// Whether it came out of a response file, so that it cannot be taken away from clang.
    pub from_file: bool,
}

/// `args` with the contents of response files in place of their names.
pub(crate) fn expand(args: &[OsString]) -> Vec<Word> {
    let mut words = Vec::with_capacity(args.len());
    for arg in args {
        expand_one(arg, 0, &mut words);
    }
    words
}

fn expand_one(arg: &OsStr, depth: usize, words: &mut Vec<Word>) {
    if words.len() >= MAX_WORDS {
        return;
    }
    let named = arg.as_bytes().strip_prefix(b"@").filter(|_| depth < MAX_DEPTH);
    let Some(text) = named.and_then(|path| fs::read(OsStr::from_bytes(path)).ok()) else {
        words.push(Word { text: arg.to_string_lossy().into_owned(), from_file: depth > 0 });
        return;
    };
    for inner in split(&text) {
        expand_one(&inner, depth + 1, words);
    }
}

/// Splits as a shell would, without expansions: blanks separate, quotes keep them, and a
/// backslash keeps any character, inside of either quote too.
pub fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote: Option<u8> = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                // A backslash at the end of the text stands for itself.
                word.get_or_insert_default().push(bytes.next().unwrap_or(b'\\'));
            }
            _ if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            _ if byte.is_ascii_whitespace() && quote.is_none() => {
                words.extend(word.take().map(OsString::from_vec));
            }
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: Vec<Word>) -> Vec<String> {
        words.into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn splits_as_clang_does() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  \n\t ", &[]),
            ("-c a.c\n-O2", &["-c", "a.c", "-O2"]),
            (r#""a b.c" 'c d.c'"#, &["a b.c", "c d.c"]),
            (r"a\ b.c", &["a b.c"]),
            (r#"-DX=\"y\""#, &["-DX=\"y\""]),
            (r#"pre"mid dle"post"#, &["premid dlepost"]),
            (r#""it's" '"'"#, &["it's", "\""]),
            (r#"'a\'b'"#, &["a'b"]),
            (r#""""#, &[""]),
            (r#""open"#, &["open"]),
            ("end\\", &["end\\"]),
        ];
        for (text, expected) in cases {
            assert_eq!(&split(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn looks_inside_nested_response_files() {
        let dir = tempfile::tempdir().unwrap();
        let (outer, inner) = (dir.path().join("outer"), dir.path().join("inner"));
        fs::write(&inner, "-shared 'b c.o'").unwrap();
        fs::write(&outer, format!("a.o @{}", inner.display())).unwrap();
        let words = expand(&["-o".into(), "x".into(), format!("@{}", outer.display()).into()]);
        assert_eq!(words.iter().map(|w| w.from_file).collect::<Vec<_>>(), [false, false, true, true, true]);
        assert_eq!(texts(words), ["-o", "x", "a.o", "-shared", "b c.o"]);
    }

    #[test]
    fn a_missing_file_stands_for_itself() {
        assert_eq!(texts(expand(&["@/no/such/file".into(), "@".into()])), ["@/no/such/file", "@"]);
    }

    #[test]
    fn a_file_that_names_itself_ends() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("self");
        fs::write(&file, format!("-c @{}", file.display())).unwrap();
        let words = expand(&[format!("@{}", file.display()).into()]);
        assert_eq!(words.len(), MAX_DEPTH + 1);
    }

    #[test]
    fn a_word_that_is_not_utf8_is_looked_at_all_the_same() {
        let words = expand(&[OsString::from_vec(b"caf\xe9.c".to_vec())]);
        assert!(words[0].text.ends_with(".c"));
    }
}
