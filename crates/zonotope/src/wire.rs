//! Values and what a path knows as bytes, for the process that waits for the path.

use crate::form::Form;
use crate::interval::Interval;
use crate::part::Part;
use crate::space::{Constraint, Space};
use crate::value::Value;

/// Appends numbers to bytes.
#[derive(Clone, Debug, Default)]
pub struct Sink(pub Vec<u8>);

/// Takes numbers off bytes; `None` where there are no more.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a>(pub &'a [u8]);

impl Sink {
    pub fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    pub fn double(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    pub fn interval(&mut self, i: Interval) {
        self.double(i.lo);
        self.double(i.hi);
    }

    pub fn form(&mut self, form: &Form) {
        self.double(form.center);
        self.double(form.slack);
        self.word(form.terms.len() as u64);
        for &(symbol, c) in &form.terms {
            self.word(symbol);
            self.double(c);
        }
    }

    pub fn value(&mut self, value: &Value) {
        self.interval(value.float);
        for part in [&value.real, &value.error] {
            self.form(&part.form);
            self.interval(part.range);
        }
        self.interval(value.relative);
    }

    pub fn knowledge(&mut self, space: &Space) {
        self.word(space.ranges().len() as u64);
        for &(symbol, range) in space.ranges() {
            self.word(symbol);
            self.interval(range);
        }
        self.word(space.constraints().len() as u64);
        for constraint in space.constraints() {
            self.form(&constraint.0);
        }
    }
}

impl Source<'_> {
    pub fn word(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    pub fn double(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    pub fn interval(&mut self) -> Option<Interval> {
        Some(Interval { lo: self.double()?, hi: self.double()? })
    }

    pub fn form(&mut self) -> Option<Form> {
        let (center, slack) = (self.double()?, self.double()?);
        let count = self.word()?;
        let terms = (0..count).map(|_| Some((self.word()?, self.double()?))).collect::<Option<Vec<_>>>()?;
        Some(Form { center, terms, slack })
    }

    fn part(&mut self) -> Option<Part> {
        Some(Part { form: self.form()?, range: self.interval()? })
    }

    pub fn value(&mut self) -> Option<Value> {
        let (float, real, error) = (self.interval()?, self.part()?, self.part()?);
        Some(Value { float, real, error, relative: self.interval()?, epoch: 0 })
    }

    /// What a path knew, beside the symbols of `space`.
    pub fn knowledge(&mut self, space: &Space) -> Option<Space> {
        let count = self.word()?;
        let ranges = (0..count).map(|_| Some((self.word()?, self.interval()?))).collect::<Option<Vec<_>>>()?;
        let count = self.word()?;
        let constraints = (0..count).map(|_| Some(Constraint(self.form()?))).collect::<Option<Vec<_>>>()?;
        let mut known = space.without_origins();
        known.set_knowledge((ranges, constraints));
        Some(known)
    }
}
