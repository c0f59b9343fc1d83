//! Where paths meet: a value that holds whichever path was taken.

use crate::form::Form;
use crate::interval::Interval;
use crate::part::Part;
use crate::space::{Origin, Space};
use crate::value::Value;
use nonius_abi::Precision;

/// A part as one path has it, with what that path knows.
pub(crate) struct Seen<'a> {
    pub part: &'a Part,
    pub space: &'a Space,
}

impl Space {
    /// One part for several. The line that the first has is kept as far as all have a coefficient of its sign: the least of
    /// them; what is left of each, bounded on its own path, goes to a new symbol.
    pub(crate) fn join_parts(&mut self, all: &[Seen<'_>], origin: Origin) -> Part {
        let range = all.iter().fold(Interval::EMPTY, |range, seen| range.hull(seen.part.range));
        let first = &all[0].part.form;
        if all.iter().all(|seen| seen.part.form == *first) {
            return Part { form: first.clone(), range };
        }
        if range.is_point() || all.iter().any(|seen| !seen.part.form.is_finite()) {
            return Part::fresh(self, range, origin);
        }
        let common = |&(symbol, c): &(u64, f64)| {
            let least = all.iter().fold(c, |least, seen| {
                let other = seen.part.form.coefficient(symbol);
                if other * c <= 0.0 {
                    0.0
                } else if other.abs() < least.abs() {
                    other
                } else {
                    least
                }
            });
            (least != 0.0).then_some((symbol, least))
        };
        let line = Form { center: 0.0, terms: first.terms.iter().filter_map(common).collect(), slack: 0.0 };
        let rest = all
            .iter()
            .fold(Interval::EMPTY, |rest, seen| rest.hull(seen.space.range(&seen.part.form.plus(-1.0, &line))));
        let by_line = line.clone().shifted(rest.mid()).with_term(self.symbol(origin), rest.rad());
        // A line that costs more than it keeps is left.
        let plain = Part::fresh(self, range, origin);
        if by_line.radius() <= 1.25 * plain.form.radius() { Part::new(self, by_line, range) } else { plain }
    }

    /// A value for several, each as its own path knows it.
    pub fn join(&mut self, all: &[(&Value, &Space)], format: Precision, origin: Origin) -> Value {
        if all.iter().any(|(value, _)| !value.is_known()) {
            return Value::unknown();
        }
        let refreshed: Vec<Value> = all.iter().map(|(value, space)| value.refreshed(space, format)).collect();
        let parts = |of: fn(&Value) -> &Part| -> Vec<Seen<'_>> {
            refreshed.iter().zip(all).map(|(value, (_, space))| Seen { part: of(value), space }).collect()
        };
        let (reals, errors) = (parts(|v| &v.real), parts(|v| &v.error));
        let (real, error) = (self.join_parts(&reals, origin), self.join_parts(&errors, origin));
        let hull = |of: fn(&Value) -> Interval| refreshed.iter().fold(Interval::EMPTY, |hull, v| hull.hull(of(v)));
        let (float, relative) = (hull(|v| v.float), hull(|v| v.relative));
        Value { float, real, error, relative, epoch: self.epoch }
    }

    /// The float of one path and the real of another, by what both know. `None` if no input takes both.
    pub fn apart(
        &mut self,
        (float, of_float): (&Value, &Space),
        (real, of_real): (&Value, &Space),
        format: Precision,
    ) -> Option<(Value, Space)> {
        let both = of_float.with_knowledge_of(of_real.ranges(), of_real.constraints());
        if both.is_infeasible {
            return None;
        }
        if !float.is_known() || !real.is_known() {
            return Some((Value::unknown(), both));
        }
        let form = float.float_form().plus(-1.0, &real.real.form);
        let floats = float.refreshed(of_float, format).float;
        let reals = real.refreshed(of_real, format).real;
        let mut space = both;
        space.continue_symbols_of(self);
        let error = Part::new(&mut space, form, floats - reals.range);
        self.continue_symbols_of(&space);
        let real = reals.refreshed(&space);
        if error.range.is_empty() || real.range.is_empty() {
            return None;
        }
        let value = Value { float: floats, real, error, relative: Interval::ENTIRE, epoch: space.epoch };
        Some((value.reduced(format), space))
    }
}
