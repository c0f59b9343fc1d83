//! Statements and functions, found by their words: where a loop's test is, where a function begins and returns.
//!
//! Limits: this is no compiler. Macros are not expanded, so that a `return` in one is not seen.

use std::ops::Range;

/// The words of a source.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    pub source: &'a str,
    pub words: &'a [Range<usize>],
}

/// A function, by the numbers of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub is_void: bool,
    /// Its braces.
    pub body: Range<usize>,
    /// Each `return`, and the semicolon that ends it.
    pub returns: Vec<(usize, usize)>,
}

/// A loop, by the numbers of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loop {
    /// The words of its test, which may be none; the check goes before them.
    Tested(Range<usize>),
    /// The check goes before its body.
    Body(Range<usize>),
}

impl Words<'_> {
    pub fn get(&self, number: usize) -> &str {
        self.words.get(number).map_or("", |w| &self.source[w.clone()])
    }

    fn is_name(&self, number: usize) -> bool {
        self.get(number).starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
    }

    /// The bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for number in open..self.words.len() {
            match self.get(number) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(number);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The word behind the statement that begins at `at`.
    pub fn statement_end(&self, at: usize) -> Option<usize> {
        self.statement(at, 0)
    }

    fn statement(&self, at: usize, depth: usize) -> Option<usize> {
        const MOST_DEPTH: usize = 200;
        if depth > MOST_DEPTH || at >= self.words.len() {
            return None;
        }
        match self.get(at) {
            "{" => self.closing(at).map(|end| end + 1),
            "if" | "for" | "while" | "switch" => {
                let open = (at + 1..at + 3).find(|n| self.get(*n) == "(")?;
                let end = self.statement(self.closing(open)? + 1, depth + 1)?;
                match self.get(at) == "if" && self.get(end) == "else" {
                    true => self.statement(end + 1, depth + 1),
                    false => Some(end),
                }
            }
            "do" => {
                let end = self.statement(at + 1, depth + 1)?;
                let close = self.closing(end + 1).filter(|_| self.get(end) == "while")?;
                Some(close + 2).filter(|end| self.get(end - 1) == ";")
            }
            "case" | "default" => {
                let colon = (at..self.words.len()).find(|n| self.get(*n) == ":")?;
                self.statement(colon + 1, depth + 1)
            }
            _ if self.is_name(at) && self.get(at + 1) == ":" => self.statement(at + 2, depth + 1),
            _ => self.semicolon(at).map(|n| n + 1),
        }
    }

    /// The semicolon that ends an expression.
    fn semicolon(&self, mut at: usize) -> Option<usize> {
        while at < self.words.len() {
            match self.get(at) {
                ";" => return Some(at),
                "(" | "[" | "{" => at = self.closing(at)? + 1,
                ")" | "]" | "}" => return None,
                _ => at += 1,
            }
        }
        None
    }

    /// The loop that begins at `at`.
    pub fn find_loop(&self, at: usize) -> Option<Loop> {
        if self.get(at) == "do" {
            return Some(Loop::Body(at + 1..self.statement(at + 1, 0)?));
        }
        if !matches!(self.get(at), "for" | "while") || self.get(at + 1) != "(" {
            return None;
        }
        let close = self.closing(at + 1)?;
        let body = || Some(Loop::Body(close + 1..self.statement(close + 1, 0)?));
        let test = if self.get(at) == "while" {
            at + 2..close
        } else {
            let Some(first) = self.semicolon(at + 2) else { return body() };
            first + 1..self.semicolon(first + 1)?
        };
        // A test that declares a variable is no expression.
        let declares = self.is_name(test.start)
            && (test.start + 1..test.end).take(2).any(|n| self.is_name(n))
            && test.clone().any(|n| self.get(n) == "=");
        if declares { body() } else { Some(Loop::Tested(test)) }
    }

    /// The function whose definition begins at `at`; `Err(true)`: it is a declaration.
    pub fn function(&self, at: usize) -> Result<Function, bool> {
        const NO_NAMES: &[&str] =
            &["__attribute__", "__declspec", "alignas", "_Alignas", "decltype", "__typeof__", "typeof", "noexcept"];
        let mut number = at;
        let mut found: Option<(usize, usize, usize)> = None;
        while number < self.words.len() {
            match self.get(number) {
                "(" => {
                    let close = self.closing(number).ok_or(false)?;
                    let is_it = found.is_none()
                        && number > at
                        && self.is_name(number - 1)
                        && !NO_NAMES.contains(&self.get(number - 1));
                    if is_it {
                        found = Some((number - 1, number, close));
                    }
                    number = close + 1;
                }
                "[" => number = self.closing(number).ok_or(false)? + 1,
                ";" => return Err(found.is_some()),
                "=" | "}" => return Err(false),
                "{" => break,
                _ => number += 1,
            }
        }
        let (name, open, close) = found.ok_or(false)?;
        let end = self.closing(number).ok_or(false)?;
        let before: Vec<&str> = (at..name).map(|n| self.get(n)).collect();
        let is_void = before.contains(&"void") && !before.contains(&"*");
        let returns = self.returns(number, end);
        Ok(Function {
            name: self.get(name).to_owned(),
            parameters: self.parameters(open, close),
            is_void,
            body: number..end,
            returns,
        })
    }

    fn parameters(&self, open: usize, close: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut start = open + 1;
        let mut number = start;
        while number <= close {
            if number == close || self.get(number) == "," {
                names.extend(self.parameter(start..number));
                start = number + 1;
            }
            number = match self.get(number) {
                "(" | "[" | "{" if number < close => self.closing(number).map_or(close, |n| n + 1),
                _ => number + 1,
            };
        }
        names
    }

    /// `double (*f)(int)`, `const double *x`, `int a[3]`, `int n = 3`.
    fn parameter(&self, words: Range<usize>) -> Option<String> {
        let end = words.clone().find(|n| self.get(*n) == "=" || self.get(*n) == "[").unwrap_or(words.end);
        let pointer = (words.start..end).find(|n| self.get(*n) == "(" && self.get(n + 1) == "*");
        if let Some(open) = pointer {
            return self.is_name(open + 2).then(|| self.get(open + 2).to_owned());
        }
        let last = end.checked_sub(1).filter(|last| *last > words.start && self.is_name(*last))?;
        const TYPES: &[&str] =
            &["int", "long", "short", "char", "double", "float", "unsigned", "signed", "void", "const"];
        Some(self.get(last).to_owned()).filter(|name| !TYPES.contains(&name.as_str()))
    }

    /// The returns of a body, but for those of functions and classes in it.
    fn returns(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let mut number = open + 1;
        while number < close {
            match self.get(number) {
                "return" => {
                    if let Some(end) = self.semicolon(number).filter(|end| *end < close) {
                        all.push((number, end));
                        // What a lambda in it returns is its own.
                        number = end;
                    }
                }
                // A subscript stands behind a name or a bracket, a lambda elsewhere.
                "[" if !(self.is_name(number - 1) && self.get(number - 1) != "return"
                    || matches!(self.get(number - 1), ")" | "]")) =>
                {
                    let behind = self.closing(number).map_or(close, |n| n + 1);
                    let brace = (behind..close).find(|n| matches!(self.get(*n), "{" | ";" | "," | "="));
                    number = match brace {
                        Some(brace) if self.get(brace) == "{" => self.closing(brace).unwrap_or(close),
                        _ => behind,
                    };
                }
                "class" | "struct" if self.get(number + 2) == "{" => {
                    number = self.closing(number + 2).unwrap_or(close);
                }
                _ => {}
            }
            number += 1;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::scan;

    fn with<T>(source: &str, f: impl FnOnce(Words<'_>) -> T) -> T {
        let scanned = scan(source);
        f(Words { source, words: &scanned.words })
    }

    #[test]
    fn statements_end_where_they_end() {
        for (source, end) in [
            ("x = f(a, b[1]); y", 12),
            ("if (a) b; else c; d", 9),
            ("for (;;) if (a) { b; } c", 13),
            ("do { a; } while (b); c", 10),
            ("l: case 1: a; b", 7),
            ("{ a; { b; } } c", 8),
        ] {
            assert_eq!(with(source, |w| w.statement_end(0)), Some(end), "{source}");
        }
        assert_eq!(with("if (a", |w| w.statement_end(0)), None);
        assert_eq!(with(&"if (a) ".repeat(1000), |w| w.statement_end(0)), None);
    }

    #[test]
    fn functions_are_found_by_their_words() {
        let f = with(
            "static double *const f(const double *x, int n, double (*g)(int), int a[3]) { if (n) return x; { return 0; } }",
            |w| w.function(0).unwrap(),
        );
        assert_eq!(
            (f.name.as_str(), f.parameters.join(" "), f.is_void, f.returns.len()),
            ("f", "x n g a".to_owned(), false, 2)
        );
        let g = with(
            "__attribute__((noinline)) void g(void) { auto h = [&](int x) { return x; }; a[0] = 1; return; }",
            |w| w.function(0).unwrap(),
        );
        assert_eq!((g.name.as_str(), g.parameters.len(), g.is_void, g.returns.len()), ("g", 0, true, 1));
        assert_eq!(with("double f(double);", |w| w.function(0)), Err(true));
        assert_eq!(with("int x = 3;", |w| w.function(0)), Err(false));
        assert_eq!(with("", |w| w.function(0)), Err(false));
    }

    #[test]
    fn loops_have_tests_or_bodies() {
        assert_eq!(with("for (i = 0; i < n; i++) a;", |w| w.find_loop(0)), Some(Loop::Tested(6..9)));
        assert_eq!(with("for (;;) a;", |w| w.find_loop(0)), Some(Loop::Tested(3..3)));
        assert_eq!(with("while (a < b) c;", |w| w.find_loop(0)), Some(Loop::Tested(2..5)));
        assert_eq!(with("do a; while (b);", |w| w.find_loop(0)), Some(Loop::Body(1..3)));
        assert_eq!(with("for (auto x : v) a;", |w| w.find_loop(0)), Some(Loop::Body(7..9)));
        assert_eq!(with("while (int c = f()) a;", |w| w.find_loop(0)), Some(Loop::Body(9..11)));
        assert_eq!(with("x = 1;", |w| w.find_loop(0)), None);
    }
}
