//! Formulas as trees, and how they are read.
//!
//! A formula is a few steps and a result, `s = (a + b + c) / 2; sqrt(s * (s - a) * (s - b) * (s - c))`. Both the C
//! source and the exact value are made from the tree. Operators are `+ - * /` and `^` with a small whole number, which
//! stands for products from left to right. An operation on constants alone is refused: the compiler would fold it.

use anyhow::{Context, Result, bail, ensure};
use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
}

impl Binary {
    pub fn symbol(self) -> char {
        match self {
            Binary::Add => '+',
            Binary::Sub => '-',
            Binary::Mul => '*',
            Binary::Div => '/',
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// As a double; a program in float has it rounded.
    Constant(f64),
    Variable(usize),
    /// The value of an earlier step.
    Step(usize),
    Negate(Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    Call(&'static Function, Vec<Expression>),
}

/// A function of C's library, by its name for doubles.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    pub name: &'static str,
    pub arguments: usize,
}

const fn of(name: &'static str, arguments: usize) -> Function {
    Function { name, arguments }
}

/// Every function that `exact` knows.
pub const FUNCTIONS: &[Function] = &[
    of("acos", 1),
    of("acosh", 1),
    of("asin", 1),
    of("asinh", 1),
    of("atan", 1),
    of("atan2", 2),
    of("atanh", 1),
    of("cbrt", 1),
    of("cos", 1),
    of("cosh", 1),
    of("erf", 1),
    of("erfc", 1),
    of("exp", 1),
    of("exp2", 1),
    of("expm1", 1),
    of("fabs", 1),
    of("fma", 3),
    of("fmax", 2),
    of("fmin", 2),
    of("hypot", 2),
    of("lgamma", 1),
    of("log", 1),
    of("log10", 1),
    of("log1p", 1),
    of("log2", 1),
    of("pow", 2),
    of("sin", 1),
    of("sinh", 1),
    of("sqrt", 1),
    of("tan", 1),
    of("tanh", 1),
    of("tgamma", 1),
];

/// Steps, each of which may use those before it, and the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub steps: Vec<(String, Expression)>,
    pub result: Expression,
}

impl Body {
    pub fn parse(text: &str, variables: &[String]) -> Result<Body> {
        let mut steps: Vec<(String, Expression)> = Vec::new();
        let mut parts: Vec<&str> = text.split(';').map(str::trim).collect();
        let result = parts.pop().context("an empty formula")?;
        for part in parts {
            let (name, value) = part.split_once('=').with_context(|| format!("'{part}' is not NAME = VALUE"))?;
            let name = name.trim();
            let taken = variables.iter().any(|v| v == name) || steps.iter().any(|(s, _)| s == name);
            ensure!(!taken, "'{name}' has a meaning already");
            let value = Parser::read(value, variables, &steps)?;
            steps.push((name.to_owned(), value));
        }
        let result = Parser::read(result, variables, &steps)?;
        Ok(Body { steps, result })
    }

    /// Every constant in it, as a double.
    pub fn constants(&self) -> Vec<f64> {
        let mut found = Vec::new();
        for expression in self.steps.iter().map(|(_, e)| e).chain([&self.result]) {
            expression.constants(&mut found);
        }
        found
    }
}

impl Expression {
    fn constants(&self, found: &mut Vec<f64>) {
        match self {
            Expression::Constant(value) => found.push(*value),
            Expression::Variable(_) | Expression::Step(_) => {}
            Expression::Negate(inner) => inner.constants(found),
            Expression::Binary(_, left, right) => {
                left.constants(found);
                right.constants(found);
            }
            Expression::Call(_, arguments) => arguments.iter().for_each(|a| a.constants(found)),
        }
    }

    fn is_constant(&self) -> bool {
        matches!(self, Expression::Constant(_))
    }
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    text: &'a str,
    variables: &'a [String],
    steps: &'a [(String, Expression)],
}

impl<'a> Parser<'a> {
    fn read(text: &'a str, variables: &'a [String], steps: &'a [(String, Expression)]) -> Result<Expression> {
        let mut parser = Parser { rest: text.chars().peekable(), text, variables, steps };
        let expression = parser.sum().with_context(|| format!("in '{}'", text.trim()))?;
        match parser.next() {
            None => Ok(expression),
            Some(c) => bail!("'{c}' is not expected in '{}'", text.trim()),
        }
    }

    /// The next character that is no blank, without taking it.
    fn next(&mut self) -> Option<char> {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
        self.rest.peek().copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        if found {
            self.rest.next();
        }
        found
    }

    fn sum(&mut self) -> Result<Expression> {
        let mut left = self.product()?;
        loop {
            let op = match self.next() {
                Some('+') => Binary::Add,
                Some('-') => Binary::Sub,
                _ => return Ok(left),
            };
            self.rest.next();
            left = self.binary(op, left, Self::product)?;
        }
    }

    fn product(&mut self) -> Result<Expression> {
        let mut left = self.negation()?;
        loop {
            let op = match self.next() {
                Some('*') => Binary::Mul,
                Some('/') => Binary::Div,
                _ => return Ok(left),
            };
            self.rest.next();
            left = self.binary(op, left, Self::negation)?;
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        left: Expression,
        right: fn(&mut Self) -> Result<Expression>,
    ) -> Result<Expression> {
        let right = right(self)?;
        ensure!(!(left.is_constant() && right.is_constant()), "the compiler folds an operation on two constants");
        Ok(Expression::Binary(op, left.into(), right.into()))
    }

    fn negation(&mut self) -> Result<Expression> {
        if !self.takes('-') {
            return self.power();
        }
        Ok(match self.negation()? {
            Expression::Constant(value) => Expression::Constant(-value),
            other => Expression::Negate(other.into()),
        })
    }

    fn power(&mut self) -> Result<Expression> {
        let base = self.atom()?;
        if !self.takes('^') {
            return Ok(base);
        }
        let digits = self.word(|c| c.is_ascii_digit());
        let power: u32 = digits.parse().with_context(|| format!("'^{digits}' is not a power"))?;
        ensure!((2..=9).contains(&power) && !base.is_constant(), "powers are of a variable, from 2 to 9");
        let times = |left, _| Expression::Binary(Binary::Mul, Box::new(left), Box::new(base.clone()));
        Ok((1..power).fold(base.clone(), times))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        self.next();
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| belongs(*c)) {
            word.push(c);
        }
        word
    }

    fn atom(&mut self) -> Result<Expression> {
        match self.next() {
            Some('(') => {
                self.rest.next();
                let inner = self.sum()?;
                ensure!(self.takes(')'), "')' is missing");
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            Some(c) => bail!("'{c}' is not expected"),
            None => bail!("'{}' ends too early", self.text.trim()),
        }
    }

    fn number(&mut self) -> Result<Expression> {
        let mut digits = self.word(|c| c.is_ascii_digit() || c == '.');
        if self.rest.next_if_eq(&'e').is_some() {
            digits.push('e');
            digits.extend(self.rest.next_if(|c| *c == '-' || *c == '+'));
            digits += &self.word(|c| c.is_ascii_digit());
        }
        Ok(Expression::Constant(digits.parse().with_context(|| format!("'{digits}' is not a number"))?))
    }

    fn name(&mut self) -> Result<Expression> {
        let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.takes('(') {
            return self.call(&name);
        }
        let variable = self.variables.iter().position(|v| *v == name).map(Expression::Variable);
        let step = || self.steps.iter().position(|(s, _)| *s == name).map(Expression::Step);
        variable.or_else(step).with_context(|| format!("nothing is called '{name}'"))
    }

    fn call(&mut self, name: &str) -> Result<Expression> {
        let function = FUNCTIONS.iter().find(|f| f.name == name);
        let function = function.with_context(|| format!("there is no function '{name}'"))?;
        let mut arguments = vec![self.sum()?];
        while self.takes(',') {
            arguments.push(self.sum()?);
        }
        ensure!(self.takes(')'), "')' is missing after the arguments of {name}");
        ensure!(arguments.len() == function.arguments, "{name} takes {} arguments", function.arguments);
        ensure!(!arguments.iter().all(Expression::is_constant), "the compiler folds {name} of constants");
        Ok(Expression::Call(function, arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Body> {
        Body::parse(text, &["x".to_owned(), "y".to_owned()])
    }

    #[test]
    fn operators_bind_as_in_c() {
        let x = || Box::new(Expression::Variable(0));
        let y = || Box::new(Expression::Variable(1));
        let product = Expression::Binary(Binary::Mul, x(), y());
        assert_eq!(parse("x - x*y").unwrap().result, Expression::Binary(Binary::Sub, x(), product.clone().into()));
        assert_eq!(parse("-x*y").unwrap().result, Expression::Binary(Binary::Mul, Expression::Negate(x()).into(), y()));
        let square = Expression::Binary(Binary::Mul, x(), x());
        assert_eq!(parse("x^3").unwrap().result, Expression::Binary(Binary::Mul, square.into(), x()));
        assert_eq!(parse("s = x*y; s").unwrap().result, Expression::Step(0));
        assert_eq!(parse("1.5e-3*x - 2").unwrap().constants(), [1.5e-3, 2.0]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in ["", "x +", "z", "foo(x)", "pow(x)", "sin(1)", "2/3*x", "x y", "x = y; x", "(x", "x^12", "s = ; x"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
