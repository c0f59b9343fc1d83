//! From words to a predicate.
//!
//! A local binding (`\let`) is replaced by what it stands for: terms have no effects, so that nothing changes but the text.

use crate::ast::{Atom, Builtin, Comparison, Dialect, Place, Predicate, Quantified, Term};
use crate::lexer::{Token, TokenKind, tokens};
use names::{Pair, mentions, pair_by_name, size};
use std::fmt;
use std::ops::Range;

/// What cannot be read, and where, in bytes from the start of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub at: Range<usize>,
    /// Whether it is ACSL that is not understood, and no mistake.
    pub is_unsupported: bool,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// An assertion, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub predicate: Predicate,
    pub atoms: Vec<Atom>,
    pub places: Vec<Place>,
    /// Where the predicate ends.
    pub end: usize,
}

/// Nesting that is followed; deeper is refused, so that no text can exhaust the stack.
const MOST_DEPTH: usize = 100;
/// Atoms of an assertion, once local bindings are replaced.
const MOST_ATOMS: usize = 1000;

/// Reads one predicate; what follows is for the caller.
pub fn predicate(text: &str, dialect: Dialect) -> Result<Parsed, SyntaxError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text),
        at: 0,
        dialect,
        atoms: Vec::new(),
        places: Vec::new(),
        locals: Vec::new(),
        bound: Vec::new(),
        is_old: false,
        depth: 0,
    };
    let predicate = parser.predicate()?;
    let end = parser.peek().start;
    Ok(Parsed { predicate, atoms: parser.atoms, places: parser.places, end })
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    dialect: Dialect,
    atoms: Vec<Atom>,
    places: Vec<Place>,
    /// Names that `\let` binds, innermost last.
    locals: Vec<(String, Term)>,
    /// Variables of quantifiers, innermost last.
    bound: Vec<String>,
    is_old: bool,
    depth: usize,
}

type Read<T> = Result<T, SyntaxError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn word(&self) -> &str {
        let token = self.peek();
        &self.text[token.start..token.end]
    }

    fn kind(&self) -> TokenKind {
        self.peek().kind
    }

    fn step(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn is(&self, symbol: &str) -> bool {
        self.kind() == TokenKind::Symbol && self.word() == symbol
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Read<()> {
        match self.take(symbol) {
            true => Ok(()),
            false => self.fail(format!("expected '{symbol}'")),
        }
    }

    fn error(&self, message: String) -> SyntaxError {
        let Token { start, end, .. } = *self.peek();
        SyntaxError { message, at: start..end, is_unsupported: false }
    }

    fn fail<T>(&self, message: String) -> Read<T> {
        Err(self.error(message))
    }

    fn unsupported<T>(&self, message: String) -> Read<T> {
        Err(SyntaxError { is_unsupported: true, ..self.error(message) })
    }

    /// A logic name without its backslash, if the word is one.
    fn logic(&self) -> Option<&str> {
        let word = self.word();
        match (self.kind(), self.dialect) {
            (TokenKind::Name, _) if word.starts_with('\\') => Some(&word[1..]),
            (TokenKind::Name, Dialect::Plain) => Some(word),
            _ => None,
        }
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return self.fail("this is nested too deeply".to_owned());
        }
        Ok(())
    }

    fn atom(&mut self, atom: Atom) -> Read<Predicate> {
        if self.atoms.len() >= MOST_ATOMS {
            return self.fail("this says too much for one assertion".to_owned());
        }
        self.atoms.push(atom);
        Ok(Predicate::Atom(self.atoms.len() - 1))
    }

    fn predicate(&mut self) -> Read<Predicate> {
        self.deeper()?;
        // A name that is no more than that: `assert small: x < 1`.
        while self.kind() == TokenKind::Name
            && self.tokens.get(self.at + 1).is_some_and(|t| &self.text[t.start..t.end] == ":")
        {
            self.at += 2;
        }
        let mut left = self.implication()?;
        loop {
            if self.take("<==>") {
                left = Predicate::Iff(left.into(), self.implication()?.into());
            } else if self.take("?") {
                let yes = self.predicate()?;
                self.expect(":")?;
                left = Predicate::If(left.into(), yes.into(), self.predicate()?.into());
            } else {
                self.depth -= 1;
                return Ok(left);
            }
        }
    }

    fn implication(&mut self) -> Read<Predicate> {
        let left = self.disjunction()?;
        if !self.take("==>") {
            return Ok(left);
        }
        self.deeper()?;
        let right = self.implication()?;
        self.depth -= 1;
        Ok(Predicate::Implies(left.into(), right.into()))
    }

    fn disjunction(&mut self) -> Read<Predicate> {
        let mut left = self.exclusive()?;
        while self.take("||") {
            left = Predicate::Or(left.into(), self.exclusive()?.into());
        }
        Ok(left)
    }

    fn exclusive(&mut self) -> Read<Predicate> {
        let mut left = self.conjunction()?;
        while self.take("^^") {
            left = Predicate::Not(Predicate::Iff(left.into(), self.conjunction()?.into()).into());
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Predicate> {
        let mut left = self.negation()?;
        while self.take("&&") {
            left = Predicate::And(left.into(), self.negation()?.into());
        }
        Ok(left)
    }

    fn negation(&mut self) -> Read<Predicate> {
        self.deeper()?;
        let read = match self.take("!") {
            true => self.negation().map(|p| Predicate::Not(p.into())),
            false => self.primary(),
        };
        self.depth -= 1;
        read
    }

    fn primary(&mut self) -> Read<Predicate> {
        match self.logic().map(str::to_owned).as_deref() {
            Some("true") => {
                self.step();
                return Ok(Predicate::True);
            }
            Some("false") => {
                self.step();
                return Ok(Predicate::False);
            }
            Some("let") => return self.binding(),
            Some("forall") => return self.quantifier(true),
            Some("exists") => return self.quantifier(false),
            _ => {}
        }
        if let Some(builtin) = self.builtin() {
            return self.call(builtin);
        }
        if !self.is("(") {
            return self.comparison();
        }
        match self.attempt(Self::parenthesized) {
            Ok(inner) => Ok(inner),
            // Of what either reading stumbles over, the reader wants to see the latter.
            Err(error) => {
                self.comparison().map_err(|other| if error.at.start > other.at.start { error } else { other })
            }
        }
    }

    /// A predicate in parentheses; what looks like one and goes on as a term is none.
    fn parenthesized(&mut self) -> Read<Predicate> {
        self.expect("(")?;
        let inner = self.predicate()?;
        self.expect(")")?;
        const GOES_ON: &[&str] = &["<", "<=", "==", "!=", ">=", ">", "+", "-", "*", "/", "%", "[", ".", "->"];
        if GOES_ON.iter().any(|s| self.is(s)) {
            return self.fail("a number was expected".to_owned());
        }
        Ok(inner)
    }

    /// What `read` makes of the words that follow; if it cannot, nothing was read.
    fn attempt<T>(&mut self, read: fn(&mut Self) -> Read<T>) -> Read<T> {
        let (at, depth, atoms, places) = (self.at, self.depth, self.atoms.len(), self.places.len());
        let result = read(self);
        if result.is_err() {
            (self.at, self.depth) = (at, depth);
            self.atoms.truncate(atoms);
            self.places.truncate(places);
        }
        result
    }

    fn comparison(&mut self) -> Read<Predicate> {
        let mut left = self.term()?;
        let mut all: Option<Predicate> = None;
        while let Some(comparison) = self.compares() {
            self.step();
            let right = self.term()?;
            let atom = self.atom(Atom::Compare(comparison, left, right.clone()))?;
            all = Some(match all {
                Some(before) => Predicate::And(before.into(), atom.into()),
                None => atom,
            });
            left = right;
        }
        match all {
            Some(all) => Ok(all),
            // As in C, a number that is not 0 is true.
            None if matches!(left, Term::Place(_)) => self.atom(Atom::Compare(Comparison::Ne, left, Term::integer(0))),
            None => self.fail("expected a comparison: <, <=, ==, !=, >= or >".to_owned()),
        }
    }

    fn compares(&self) -> Option<Comparison> {
        if self.kind() != TokenKind::Symbol {
            return None;
        }
        Some(match self.word() {
            "<" => Comparison::Lt,
            "<=" => Comparison::Le,
            "==" => Comparison::Eq,
            "!=" => Comparison::Ne,
            ">=" => Comparison::Ge,
            ">" => Comparison::Gt,
            _ => return None,
        })
    }

    /// `\let x = term; predicate`, or `\let (low, high) = accuracy_get_...(x); predicate`.
    fn binding(&mut self) -> Read<Predicate> {
        self.step();
        let before = self.locals.len();
        if self.take("(") {
            let low = self.name()?;
            self.expect(",")?;
            let high = self.name()?;
            self.expect(")")?;
            self.expect("=")?;
            let (measure, place) = self.pair()?;
            self.locals.push((low, Term::Measure(measure(false), place)));
            self.locals.push((high, Term::Measure(measure(true), place)));
        } else {
            let name = self.name()?;
            self.expect("=")?;
            let value = self.term()?;
            if size(&value) > MOST_ATOMS {
                return self.fail("this stands for too much".to_owned());
            }
            self.locals.push((name, value));
        }
        self.expect(";")?;
        let body = self.predicate()?;
        self.locals.truncate(before);
        Ok(body)
    }

    fn pair(&mut self) -> Read<(Pair, usize)> {
        let measure: Pair = match pair_by_name(self.word()) {
            Some(measure) => measure,
            None => {
                return self
                    .fail("expected accuracy_get_ferr(x) or another built-in that gives two numbers".to_owned());
            }
        };
        self.step();
        self.expect("(")?;
        let place = self.whole_place()?;
        self.expect(")")?;
        Ok((measure, place))
    }

    fn name(&mut self) -> Read<String> {
        if self.kind() != TokenKind::Name || self.word().starts_with('\\') {
            return self.fail("expected a name".to_owned());
        }
        let token = self.step();
        Ok(self.text[token.start..token.end].to_owned())
    }

    /// `\forall integer i, j; lo <= i < hi && lo <= j < hi ==> predicate`, `\exists integer i; lo <= i < hi && predicate`.
    fn quantifier(&mut self, all: bool) -> Read<Predicate> {
        self.step();
        // The type: one word or more, of which only integers are understood.
        const INTEGERS: &[&str] = &["integer", "int", "unsigned", "signed", "long", "short", "char", "size_t"];
        if !INTEGERS.contains(&self.word()) {
            return self.unsupported(format!(
                "\\{} over '{}' is not understood, only over integers",
                if all { "forall" } else { "exists" },
                self.word()
            ));
        }
        while INTEGERS.contains(&self.word()) {
            self.step();
        }
        let mut variables = vec![self.name()?];
        while self.take(",") {
            variables.push(self.name()?);
        }
        self.expect(";")?;
        for variable in &variables {
            let uses_it = |term: &Term| {
                let mut uses = false;
                term.each_place(&mut |p| uses |= mentions(&self.places[p].text, variable));
                uses
            };
            if self.locals.iter().any(|(_, term)| uses_it(term)) {
                return self
                    .fail(format!("a \\let outside speaks of another '{variable}': give this one another name"));
            }
        }
        let before = self.bound.len();
        self.bound.extend(variables.iter().cloned());
        let mut ranges = Vec::new();
        for (n, variable) in variables.iter().enumerate() {
            if n > 0 {
                self.expect("&&")?;
            }
            ranges.push(self.range(variable)?);
        }
        self.expect(if all { "==>" } else { "&&" })?;
        let mut body = self.predicate()?;
        self.bound.truncate(before);
        for (variable, (least, above_least, greatest, below_greatest)) in variables.into_iter().zip(ranges).rev() {
            let quantified = Quantified { variable, least, above_least, greatest, below_greatest, body };
            let make = if all { Predicate::ForAll } else { Predicate::Exists };
            body = make(Box::new(quantified));
        }
        Ok(body)
    }

    /// `term <= variable < term`.
    fn range(&mut self, variable: &str) -> Read<(Term, bool, Term, bool)> {
        const FORM: &str = "a quantifier needs bounds, as in 'lo <= i < hi'";
        let is_open = |comparison| match comparison {
            Some(Comparison::Lt) => Some(true),
            Some(Comparison::Le) => Some(false),
            _ => None,
        };
        let least = self.term()?;
        let Some(above) = is_open(self.compares()) else { return self.unsupported(FORM.to_owned()) };
        self.step();
        if self.word() != variable {
            return self.unsupported(format!("{FORM}; expected '{variable}'"));
        }
        self.step();
        let Some(below) = is_open(self.compares()) else { return self.unsupported(FORM.to_owned()) };
        self.step();
        Ok((least, above, self.term()?, below))
    }

    fn builtin(&self) -> Option<Builtin> {
        if self.kind() != TokenKind::Name || self.locals.iter().any(|(n, _)| n == self.word()) {
            return None;
        }
        Some(match self.word() {
            "accuracy_enlarge_fval_err" | "accuracy_enlarge_dval_err" => Builtin::Enlarge,
            "accuracy_assert_ferr" | "accuracy_assert_derr" => Builtin::AssertError,
            "accuracy_assert_frelerr" | "accuracy_assert_drelerr" => Builtin::AssertRelativeError,
            "fprint" | "dprint" => Builtin::Print,
            _ => return None,
        })
    }

    fn call(&mut self, builtin: Builtin) -> Read<Predicate> {
        self.step();
        self.expect("(")?;
        let place = self.whole_place()?;
        let count = match builtin {
            Builtin::Enlarge => 4,
            Builtin::AssertError | Builtin::AssertRelativeError => 2,
            Builtin::Print => 0,
        };
        let mut terms = Vec::new();
        for _ in 0..count {
            self.expect(",")?;
            terms.push(self.term()?);
        }
        self.expect(")")?;
        self.atom(Atom::Builtin(builtin, place, terms))
    }

    /// A place that is an argument by itself.
    fn whole_place(&mut self) -> Read<usize> {
        match self.term()? {
            Term::Place(place) => Ok(place),
            _ => self.fail("expected a variable, or a place in memory".to_owned()),
        }
    }
}

mod names;
mod terms;
#[cfg(test)]
mod tests;
