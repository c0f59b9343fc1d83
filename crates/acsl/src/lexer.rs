//! Words of an assertion, with where they stand.

/// A word and its place, in bytes from the start of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, with its backslash if it has one.
    Name,
    Number,
    /// An operator or a bracket.
    Symbol,
    /// A string or a character.
    Quoted,
    /// Nothing that the language has.
    Unknown,
    End,
}

/// Longest first.
const SYMBOLS: &[&str] = &[
    "<==>", "==>", "<<=", ">>=", "...", "->", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "^^", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[", "]", "{",
    "}", ",", ";", ":", ".", "?", "&", "|", "=", "^", "~",
];

/// All words of the text; the last is its end.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            // In an annotation of several lines, each may begin with an @.
            b'@' => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'"' | b'\'' => {
                at = quoted(bytes, at);
                TokenKind::Quoted
            }
            b'0'..=b'9' => {
                at = number(bytes, at);
                TokenKind::Number
            }
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at = number(bytes, at);
                TokenKind::Number
            }
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {
                at = name(bytes, at + 1);
                TokenKind::Name
            }
            b if b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80 => {
                at = name(bytes, at);
                TokenKind::Name
            }
            _ => match SYMBOLS.iter().find(|s| text[at..].starts_with(**s)) {
                Some(symbol) => {
                    at += symbol.len();
                    TokenKind::Symbol
                }
                None => {
                    at += 1;
                    TokenKind::Unknown
                }
            },
        };
        tokens.push(Token { kind, start, end: at });
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    tokens
}

fn name(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80) {
        at += 1;
    }
    at
}

/// As C's preprocessor has numbers: a sign belongs to it behind an exponent's letter.
fn number(bytes: &[u8], mut at: usize) -> usize {
    let is_hex = bytes[at] == b'0' && matches!(bytes.get(at + 1), Some(b'x' | b'X'));
    while let Some(&b) = bytes.get(at) {
        let is_exponent = if is_hex { matches!(b, b'p' | b'P') } else { matches!(b, b'e' | b'E') };
        if is_exponent && matches!(bytes.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if b.is_ascii_alphanumeric() || b == b'.' && bytes.get(at + 1) != Some(&b'.') {
            at += 1;
        } else {
            break;
        }
    }
    at
}

fn quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => at += 2,
            _ if b == bytes[start] => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let text = "a->b[1]<=0x1.8p-3 ==> \\forall x; .5e+3!=y @ z";
        let words: Vec<&str> = tokens(text).iter().map(|t| &text[t.start..t.end]).collect();
        let expected =
            ["a", "->", "b", "[", "1", "]", "<=", "0x1.8p-3", "==>", "\\forall", "x", ";", ".5e+3", "!=", "y", "z", ""];
        assert_eq!(words, expected);
    }

    #[test]
    fn anything_has_words_and_they_cover_it_in_order() {
        for text in ["", "é€", "\"open", "'\\", "\\", "1e+", "0x", "a\u{0}b", "…"] {
            let mut end = 0;
            for token in tokens(text) {
                assert!(token.start >= end && token.end <= text.len(), "{text}");
                end = token.end;
            }
        }
    }
}
