//! Terms: numbers, places, and what is computed of them.

use super::names::{mentions, negative, pair_by_name, spaced};
use super::{Parser, Read, SyntaxError};
use crate::ast::{Dialect, Measure, Operator, Place, Role, Term};
use crate::lexer::TokenKind;
use crate::literal::literal;

impl Parser<'_> {
    pub(super) fn term(&mut self) -> Read<Term> {
        self.deeper()?;
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.take("+") => Operator::Add,
                () if self.take("-") => Operator::Sub,
                () => break,
            };
            left = Term::Binary(operator, left.into(), self.product()?.into());
        }
        const BITS: &[&str] = &["&", "|", "^", "<<", ">>", "=", "++", "--", "+=", "-=", "*=", "/="];
        if let Some(symbol) = BITS.iter().find(|s| self.is(s)) {
            let what = if symbol.len() > 1 && symbol.ends_with('=') || *symbol == "=" || matches!(*symbol, "++" | "--")
            {
                "an assertion changes nothing; did you mean '=='?"
            } else {
                "operators on bits are not understood"
            };
            return match what.starts_with("an") {
                true => self.fail(what.to_owned()),
                false => self.unsupported(what.to_owned()),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Read<Term> {
        let mut left = self.factor()?;
        loop {
            let operator = match () {
                () if self.take("*") => Operator::Mul,
                () if self.take("/") => Operator::Div,
                () if self.take("%") => Operator::Rem,
                () => return Ok(left),
            };
            left = Term::Binary(operator, left.into(), self.factor()?.into());
        }
    }

    fn factor(&mut self) -> Read<Term> {
        self.deeper()?;
        let read = match () {
            () if self.take("-") => self.factor().map(negative),
            () if self.take("+") => self.factor(),
            () if self.kind() == TokenKind::Number => self.number(),
            () if self.is("(") => self.bracketed(),
            () if self.is("*") || self.is("&") => self.c_expression(),
            () if self.kind() == TokenKind::Name => self.named(),
            () if self.kind() == TokenKind::End => self.fail("expected a number, and there is nothing more".to_owned()),
            () => self.fail("expected a number".to_owned()),
        };
        self.depth -= 1;
        read
    }

    /// A term in parentheses; `(*p).x` is a place.
    fn bracketed(&mut self) -> Read<Term> {
        let (start, places) = (self.at, self.places.len());
        self.expect("(")?;
        let inner = self.term()?;
        if !self.is(")") {
            return self.fail("expected ')'".to_owned());
        }
        self.step();
        if self.is(".") || self.is("->") || self.is("[") {
            self.at = start;
            self.places.truncate(places);
            return self.c_expression();
        }
        Ok(inner)
    }

    fn named(&mut self) -> Read<Term> {
        if self.dialect == Dialect::C || self.tokens.get(self.at + 1).is_some_and(|t| &self.text[t.start..t.end] == "(")
        {
            match self.logic().map(str::to_owned).as_deref() {
                Some("abs") => return self.abs(),
                Some("min") => return self.choice(Operator::Min),
                Some("max") => return self.choice(Operator::Max),
                Some("exact") => return self.measure(Measure::Exact),
                Some("round_error") => return self.measure(Measure::RoundError),
                Some("old") => return self.old(),
                Some("at") => return self.at_label(),
                _ => {}
            }
        }
        if self.logic() == Some("result") && self.dialect == Dialect::C {
            self.step();
            return Ok(self.place("\\result".to_owned(), Role::Result, false, false));
        }
        if self.word().starts_with('\\') {
            return self.unsupported(format!("{} is not understood", self.word()));
        }
        // As figure 1 writes them.
        let is_call = self.tokens.get(self.at + 1).is_some_and(|t| &self.text[t.start..t.end] == "(");
        match self.word() {
            "min" if is_call => return self.choice(Operator::Min),
            "max" if is_call => return self.choice(Operator::Max),
            word if pair_by_name(word).is_some() && is_call => {
                return self.fail("this gives two numbers: \\let (low, high) = ...".to_owned());
            }
            _ => {}
        }
        if let Some((_, value)) = self.locals.iter().rev().find(|(name, _)| *name == self.word()) {
            let value = value.clone();
            self.step();
            return Ok(value);
        }
        self.c_expression()
    }

    fn abs(&mut self) -> Read<Term> {
        self.step();
        self.expect("(")?;
        let x = self.term()?;
        self.expect(")")?;
        Ok(Term::Abs(x.into()))
    }

    fn choice(&mut self, operator: Operator) -> Read<Term> {
        self.step();
        self.expect("(")?;
        let x = self.term()?;
        self.expect(",")?;
        let y = self.term()?;
        self.expect(")")?;
        Ok(Term::Binary(operator, x.into(), y.into()))
    }

    fn measure(&mut self, measure: Measure) -> Read<Term> {
        self.step();
        self.expect("(")?;
        let place = self.whole_place()?;
        self.expect(")")?;
        Ok(Term::Measure(measure, place))
    }

    fn old(&mut self) -> Read<Term> {
        self.step();
        self.expect("(")?;
        let before = std::mem::replace(&mut self.is_old, true);
        let term = self.term();
        self.is_old = before;
        let term = term?;
        self.expect(")")?;
        Ok(term)
    }

    /// `\at(x, Pre)` is `\old(x)`.
    fn at_label(&mut self) -> Read<Term> {
        let start = self.at;
        self.step();
        self.expect("(")?;
        let before = std::mem::replace(&mut self.is_old, true);
        let term = self.term();
        self.is_old = before;
        let term = term?;
        self.expect(",")?;
        let label = self.word().to_owned();
        if label != "Pre" && label != "Old" {
            self.at = start;
            return self.unsupported(format!("\\at with the label '{label}' is not understood, only Pre and Old"));
        }
        self.step();
        self.expect(")")?;
        Ok(term)
    }

    fn place(&mut self, text: String, role: Role, is_memory: bool, is_left_value: bool) -> Term {
        let place = Place { text, role, is_memory, is_left_value };
        let number = self.places.iter().position(|p| *p == place).unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        });
        Term::Place(number)
    }

    /// A place or a call of the program's own language, as it is written.
    fn c_expression(&mut self) -> Read<Term> {
        let first = self.at;
        let (mut is_memory, mut is_left_value) = (false, true);
        while self.take("*") {
            is_memory = true;
        }
        if self.take("&") {
            is_left_value = false;
        }
        if self.is("(") {
            self.brackets("(", ")")?;
        } else {
            if self.kind() != TokenKind::Name || self.word().starts_with('\\') {
                return self.fail("expected a variable".to_owned());
            }
            self.step();
        }
        loop {
            match () {
                () if self.is("[") => {
                    self.brackets("[", "]")?;
                    is_memory = true;
                }
                () if self.is("(") => {
                    self.brackets("(", ")")?;
                    (is_left_value, is_memory) = (false, true);
                }
                // In Rust, a member may be a number: `x.0`.
                () if self.dialect == Dialect::Plain
                    && self.kind() == TokenKind::Number
                    && self.word().starts_with('.') =>
                {
                    self.step();
                }
                () if self.is("->") || self.is(".") || self.is("::") => {
                    is_memory |= self.is("->");
                    self.step();
                    if self.kind() != TokenKind::Name {
                        return self.fail("expected a member's name".to_owned());
                    }
                    self.step();
                }
                () => break,
            }
        }
        let range = self.tokens[first].start..self.tokens[self.at - 1].end;
        let words = self.tokens[first..self.at].iter().map(|t| &self.text[t.start..t.end]);
        let text = words.collect::<Vec<_>>().join(" ");
        if let Some((name, _)) = self.locals.iter().find(|(name, _)| mentions(&text, name)) {
            let message = format!("'{name}' is a local binding of this assertion, which C cannot see");
            return Err(SyntaxError { message, at: range, is_unsupported: false });
        }
        let is_bound = self.bound.contains(&text);
        let role = match (is_bound, self.is_old) {
            (true, _) => Role::Bound,
            (_, true) => Role::Old,
            _ => Role::Now,
        };
        let depends = self.bound.iter().find(|b| !is_bound && mentions(&text, b));
        if let (Role::Old, Some(variable)) = (role, depends) {
            let message = format!("\\old of what depends on '{variable}' is not understood");
            return Err(SyntaxError { message, at: range, is_unsupported: true });
        }
        Ok(self.place(spaced(&text), role, is_memory, is_left_value && !is_bound))
    }

    /// Skips what is in brackets, which is the program's own.
    fn brackets(&mut self, open: &str, close: &str) -> Read<()> {
        let start = self.at;
        self.expect(open)?;
        loop {
            if self.take(close) {
                return Ok(());
            }
            match () {
                () if self.is("(") => self.deep(|p| p.brackets("(", ")"))?,
                () if self.is("[") => self.deep(|p| p.brackets("[", "]"))?,
                () if self.kind() == TokenKind::End || self.is(";") => {
                    self.at = start;
                    return self.fail(format!("this '{open}' is not closed"));
                }
                () if ["=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]
                    .iter()
                    .any(|s| self.is(s)) =>
                {
                    return self.fail("an assertion changes nothing".to_owned());
                }
                () if self.word().starts_with('\\') || self.kind() == TokenKind::Unknown => {
                    return self.unsupported(format!("{} is not understood here", self.word()));
                }
                () => {
                    self.step();
                }
            }
        }
    }

    fn deep(&mut self, read: impl FnOnce(&mut Self) -> Read<()>) -> Read<()> {
        self.deeper()?;
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn number(&mut self) -> Read<Term> {
        let Some(term) = literal(self.word(), self.dialect) else {
            return self.fail(format!("'{}' is no number", self.word()));
        };
        self.step();
        Ok(term)
    }
}
