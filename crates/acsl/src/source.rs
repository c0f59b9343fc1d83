//! A C or C++ source as far as annotations need it: its words, and the comments that are annotations.

use std::ops::Range;

/// A comment that begins with an `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The whole comment.
    pub at: Range<usize>,
    /// What it says.
    pub text: Range<usize>,
    /// The number of words before it.
    pub words_before: usize,
    /// It stands in a directive of the preprocessor, whose line must not end.
    pub in_directive: bool,
}

/// A source in words. Directives of the preprocessor have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    pub words: Vec<Range<usize>>,
    pub annotations: Vec<Annotation>,
    /// From the `#` to the end of the line, or of the last one that goes on.
    pub directives: Vec<Range<usize>>,
}

/// Where a byte is: line and column, both from 1; columns in bytes, as clang's.
pub fn line_and_column(source: &str, at: usize) -> (u32, u32) {
    let before = &source.as_bytes()[..at.min(source.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    (line, (before.len() - start) as u32 + 1)
}

pub fn scan(source: &str) -> Scanned {
    Scanner { bytes: source.as_bytes(), at: 0, found: Scanned::default(), is_line_start: true, in_directive: false }
        .run()
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    found: Scanned,
    /// Only blanks so far.
    is_line_start: bool,
    in_directive: bool,
}

impl Scanner<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(mut self) -> Scanned {
        while self.at < self.bytes.len() {
            match (self.byte(0), self.byte(1)) {
                (b'\n', _) => {
                    self.end_directive();
                    self.is_line_start = true;
                    self.at += 1;
                }
                // The line goes on.
                (b'\\', b'\n') => self.at += 2,
                (b'\\', b'\r') if self.byte(2) == b'\n' => self.at += 3,
                (b, _) if b.is_ascii_whitespace() => self.at += 1,
                (b'/', b'*') => self.block_comment(),
                (b'/', b'/') => self.line_comment(),
                (b'#', _) if self.is_line_start => {
                    self.found.directives.push(self.at..self.at);
                    (self.in_directive, self.is_line_start) = (true, false);
                    self.at += 1;
                }
                _ => self.word(),
            }
        }
        self.end_directive();
        self.found
    }

    fn end_directive(&mut self) {
        if let Some(directive) = self.found.directives.last_mut().filter(|_| self.in_directive) {
            directive.end = self.at.min(self.bytes.len());
        }
        self.in_directive = false;
    }

    fn annotation(&mut self, at: Range<usize>, text: Range<usize>) {
        let (words_before, in_directive) = (self.found.words.len(), self.in_directive);
        self.found.annotations.push(Annotation { at, text, words_before, in_directive });
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start + 2..];
        let Some(length) = rest.windows(2).position(|w| w == b"*/") else {
            self.at = self.bytes.len();
            return;
        };
        self.at = start + 2 + length + 2;
        if rest[..length].first() == Some(&b'@') {
            // `@*/` may end it, too.
            let end = start + 2 + length;
            let end = if length > 1 && self.bytes[end - 1] == b'@' { end - 1 } else { end };
            self.annotation(start..self.at, start + 3..end);
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += if self.byte(0) == b'\\' && self.byte(1) == b'\n' { 2 } else { 1 };
        }
        self.at = self.at.min(self.bytes.len());
        if self.bytes.get(start + 2) == Some(&b'@') {
            self.annotation(start..self.at, start + 3..self.at);
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
        self.is_line_start = false;
        match self.byte(0) {
            b'"' | b'\'' => self.quoted(),
            b'0'..=b'9' => {
                // Digits may be set apart by quotes.
                while is_name(self.byte(0)) || self.byte(0) == b'.' || self.byte(0) == b'\'' && is_name(self.byte(1)) {
                    self.at += 1;
                }
            }
            b if is_name(b) => {
                while is_name(self.byte(0)) {
                    self.at += 1;
                }
                let prefix = &self.bytes[start..self.at];
                match self.byte(0) {
                    b'"' if matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => self.raw_string(),
                    b'"' | b'\'' if matches!(prefix, b"L" | b"u" | b"U" | b"u8") => self.quoted(),
                    _ => {}
                }
            }
            b':' if self.byte(1) == b':' => self.at += 2,
            b'-' if self.byte(1) == b'>' => self.at += 2,
            _ => self.at += 1,
        }
        if !self.in_directive {
            self.found.words.push(start..self.at);
        }
    }

    fn quoted(&mut self) {
        let quote = self.byte(0);
        self.at += 1;
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            match self.byte(0) {
                b'\\' => self.at += 2,
                b if b == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// `R"mark(...)mark"`.
    fn raw_string(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let Some(open) = rest.iter().position(|b| *b == b'(') else { return self.quoted() };
        let end = [b")", &rest[..open], b"\""].concat();
        let length = rest[open..].windows(end.len()).position(|w| w == end);
        self.at = length.map_or(self.bytes.len(), |length| self.at + 1 + open + length + end.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        scan(source).annotations.iter().map(|a| &source[a.text.clone()]).collect()
    }

    #[test]
    fn annotations_are_found_and_nothing_else_is() {
        let source = "/*@ assert 1; */ //@ check 2;\n// @ no\n/* @ no */ \"/*@ no */\" '\"' /*@ a @*/ R\"x(/*@ no */)x\" //@ end";
        assert_eq!(texts(source), [" assert 1; ", " check 2;", " a ", " end"]);
        assert_eq!(texts("1'000 /*@ a */ '\\'' /*@ b */ \"open\n/*@ c */"), [" a ", " b ", " c "]);
        assert_eq!(texts("/*@"), Vec::<&str>::new());
        assert_eq!(texts("/*@*/ //@"), ["", ""]);
    }

    #[test]
    fn directives_have_no_words() {
        let source = "int a;\n# define F(x) \\\n  x + 1 /*@ assert 1; */\nb";
        let scanned = scan(source);
        let words: Vec<&str> = scanned.words.iter().map(|w| &source[w.clone()]).collect();
        assert_eq!(words, ["int", "a", ";", "b"]);
        assert!(scanned.annotations[0].in_directive && scanned.annotations[0].words_before == 3);
        assert_eq!((scanned.directives.len(), &scanned.directives[0]), (1, &(7..source.len() - 2)));
        let source = "/* # no */ # a \\\n b // c\n x # no\n\"\\\n# no\"\n#";
        let directives: Vec<&str> = scan(source).directives.into_iter().map(|d| &source[d]).collect();
        assert_eq!(directives, ["# a \\\n b // c", "#"]);
    }

    #[test]
    fn any_bytes_end() {
        for source in ["\\", "'", "\"\\", "R\"", "R\"(", "/", "/*", "//", "#", "é'", "L'"] {
            scan(source);
        }
    }

    #[test]
    fn places_are_lines_and_columns() {
        assert_eq!(line_and_column("ab\nc\n", 0), (1, 1));
        assert_eq!(line_and_column("ab\nc\n", 4), (2, 2));
        assert_eq!(line_and_column("ab", 9), (1, 3));
    }
}
