//! Tests: which outcomes are possible, for floats and for reals, and what each one says of the symbols.

use crate::form::Form;
use crate::interval::Interval;
use crate::space::Space;
use crate::value::Value;

/// A test's outcome.
pub type Outcome = i64;

/// Whose outcome it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Float and real go together.
    Both,
    /// The float goes this way and the real another: here only the float counts.
    Float,
    /// Here only the real does.
    Real,
}

/// A way through a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub float: Outcome,
    pub real: Outcome,
}

/// The relation of two numbers: bits of LLVM's predicates, where 1 is equal, 2 greater, 4 less.
pub const EQUAL: u32 = 1;
pub const GREATER: u32 = 2;
pub const LESS: u32 = 4;

/// x - y of floats, or of reals.
fn difference(x: &Value, y: &Value, of_floats: bool) -> Form {
    match of_floats {
        true => x.float_form().plus(-1.0, &y.float_form()),
        false => x.real.form.plus(-1.0, &y.real.form),
    }
}

impl Space {
    fn range_of_difference(&self, x: &Value, y: &Value, of_floats: bool) -> Interval {
        let (p, q) = if of_floats { (x.float, y.float) } else { (x.real.range, y.real.range) };
        // Floats and reals are compared exactly.
        let by_ends =
            Interval { lo: sign_of(p.lo, q.hi) * f64::MIN_POSITIVE, hi: sign_of(p.hi, q.lo) * f64::MIN_POSITIVE };
        let form = difference(x, y, of_floats);
        let range = if form.is_finite() { self.range(&form) } else { Interval::ENTIRE };
        // Only the signs count.
        Interval {
            lo: if by_ends.lo >= 0.0 { range.lo.max(by_ends.lo) } else { range.lo },
            hi: if by_ends.hi <= 0.0 { range.hi.min(by_ends.hi) } else { range.hi },
        }
    }

    /// Whether the predicate can hold, and whether it can fail: of floats, or of reals.
    pub fn outcomes(&self, predicate: u32, x: &Value, y: &Value, of_floats: bool) -> (bool, bool) {
        let range = self.range_of_difference(x, y, of_floats);
        let can = |relation: u32| match relation {
            LESS => range.lo < 0.0,
            GREATER => range.hi > 0.0,
            _ => range.contains(0.0),
        };
        let any = |holds: bool| [LESS, EQUAL, GREATER].into_iter().any(|r| (predicate & r != 0) == holds && can(r));
        (any(true), any(false))
    }

    /// Learns that the predicate holds, or that it does not. Says whether that is possible.
    pub fn learn(&mut self, predicate: u32, holds: bool, x: &Value, y: &Value, of_floats: bool) -> bool {
        let relations = if holds { predicate & 7 } else { !predicate & 7 };
        let form = difference(x, y, of_floats);
        if !form.is_finite() {
            return true;
        }
        // What is known of floats alone, beside their form, is in their ranges.
        match relations {
            r if r == LESS | EQUAL || r == LESS => self.constrain(form.negated()),
            r if r == GREATER | EQUAL || r == GREATER => self.constrain(form),
            EQUAL => self.constrain(form.negated()) && self.constrain(form),
            _ => true,
        }
    }

    /// Learns that a number, the float or the real, is in a range.
    pub fn learn_range(&mut self, x: &Value, range: Interval, of_floats: bool) -> bool {
        let form = if of_floats { x.float_form() } else { x.real.form.clone() };
        if !form.is_finite() {
            return true;
        }
        let above = !range.lo.is_finite() || self.constrain(form.clone().shifted(-range.lo));
        above && (!range.hi.is_finite() || self.constrain(form.negated().shifted(range.hi)))
    }
}

fn sign_of(a: f64, b: f64) -> f64 {
    if a < b {
        -1.0
    } else if a > b {
        1.0
    } else {
        0.0
    }
}
