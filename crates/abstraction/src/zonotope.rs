//! The domain of zonotopes.

use super::domain::{Domain, Input, Joined, Operation, Packed, Test, Ways, range};
use nonius_abi::Precision;
use nonius_finding::Bounds;
use nonius_zonotope::wire::{Sink, Source};
use nonius_zonotope::{EQUAL, Flow, GREATER, Interval, LESS, Part, Rounding, Side, Space, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Integers that a conversion is followed to.
const MOST_INTEGERS: f64 = 64.0;

/// Float and real that went apart may differ by so many times what they do together.
pub const MOST_CONTINUOUS: f64 = 4.0;

pub struct Zonotopes {
    pub space: Space,
    unknown: Arc<Value>,
}

impl Zonotopes {
    pub fn new(symbols: usize) -> Zonotopes {
        Zonotopes { space: Space::new(symbols), unknown: Arc::new(Value::unknown()) }
    }

    fn refreshed(&self, value: &Arc<Value>, format: Precision) -> Arc<Value> {
        if value.epoch == self.space.epoch || !value.is_known() || value.is_point() {
            return value.clone();
        }
        Arc::new(value.refreshed(&self.space, format))
    }

    fn comparison(&self, predicate: u32, x: &Value, y: &Value, side: Side) -> Ways {
        let (relations, is_always) = (predicate & 7, matches!(predicate & 7, 0 | 7));
        // ord and uno, and the two that do not compare.
        if is_always {
            let outcome = i64::from(relations != 0);
            return if x.is_known() && y.is_known() { Ways::One(Some(outcome)) } else { Ways::Unknown };
        }
        if !x.is_known() || !y.is_known() {
            return Ways::Unknown;
        }
        let of = |of_floats| {
            let (can, cannot) = self.space.outcomes(relations, x, y, of_floats);
            [(can, 1i64), (cannot, 0)].into_iter().filter(|o| o.0).map(|o| o.1).collect::<Vec<_>>()
        };
        flows(of(true), of(false), side)
    }
}

/// All pairs of outcomes that count.
fn flows(floats: Vec<i64>, reals: Vec<i64>, side: Side) -> Ways {
    let all: Vec<Flow> = match side {
        Side::Both => floats.iter().flat_map(|&float| reals.iter().map(move |&real| Flow { float, real })).collect(),
        Side::Float => floats.iter().map(|&float| Flow { float, real: float }).collect(),
        Side::Real => reals.iter().map(|&real| Flow { float: real, real }).collect(),
    };
    match all[..] {
        [] => Ways::One(None),
        [flow] if flow.float == flow.real => Ways::One(Some(flow.float)),
        _ => Ways::Several(all),
    }
}

impl Domain for Zonotopes {
    type Value = Arc<Value>;

    fn lift(&mut self, x: f64, low: f64) -> Arc<Value> {
        if !x.is_finite() {
            return self.unknown.clone();
        }
        let mut value = Value::exact(x);
        if low != 0.0 {
            value.real = Part::constant(x);
            value.real.form.slack = low.abs();
            value.real.range = Interval::around(x, low.abs());
            value.float = value.real.range;
        }
        Arc::new(value)
    }

    fn unknown(&self) -> Arc<Value> {
        self.unknown.clone()
    }

    fn is_known(&self, value: &Arc<Value>) -> bool {
        value.is_known()
    }

    fn is_one_number(&self, value: &Arc<Value>) -> bool {
        value.is_known() && value.is_point()
    }

    fn apply(&mut self, op: Operation, args: [&Arc<Value>; 3], _: f64, r: Rounding) -> Arc<Value> {
        // What is rounded to a shorter format is of a longer one.
        let format = if op == Operation::Narrow { Precision::Quad } else { r.format };
        let [x, y, z] = args.map(|a| self.refreshed(a, format));
        let space = &mut self.space;
        let value = match op {
            Operation::Add => space.add(&x, &y, r),
            Operation::Sub => space.sub(&x, &y, r),
            Operation::Mul => space.mul(&x, &y, r),
            Operation::Div => space.div(&x, &y, r),
            Operation::Rem => space.remainder(&x, &y, r),
            Operation::Sqrt => space.sqrt(&x, r),
            Operation::Fma => space.fma(&x, &y, &z, r),
            Operation::Neg => space.neg(&x),
            Operation::Abs => space.abs(&x, r.format),
            Operation::Min => space.pick(-1.0, &x, &y, r.format),
            Operation::Max => space.pick(1.0, &x, &y, r.format),
            Operation::Narrow => space.convert(&x, r),
            Operation::CopySign => {
                let magnitude = space.abs(&x, r.format);
                match y.float.hull(y.real.range) {
                    sign if sign.lo > 0.0 => magnitude,
                    sign if sign.hi < 0.0 => space.neg(&magnitude),
                    _ => Value::unknown(),
                }
            }
            Operation::Function(f, n) => space.function(f, &x, (f.arity() > 1).then_some(&*y), n, r),
        };
        Arc::new(value)
    }

    fn input(&mut self, input: Input, actual: f64, format: Precision, origins: [u32; 2]) -> Result<Arc<Value>, String> {
        let [real, error] = [input.real, input.error].map(|[lo, hi]| Interval { lo, hi });
        if !real.is_finite() || !error.is_finite() {
            return Err("a bound is not a finite number".to_owned());
        }
        if real.is_empty() || error.is_empty() {
            return Err("the range is empty: its lower bound is above its upper one".to_owned());
        }
        let value = Value::input(&mut self.space, real, error, format, origins).ok_or("no float is in the range")?;
        if !value.float.contains(actual) {
            return Err(format!("the program's own value, {actual:e}, is not in the range"));
        }
        Ok(Arc::new(value))
    }

    fn ways(&mut self, test: &Test<Arc<Value>>, side: Side) -> Ways {
        match *test {
            Test::Compare { predicate, x, y, .. } => {
                let [x, y] = [x, y].map(|v| self.refreshed(v, Precision::Double));
                self.comparison(predicate, &x, &y, side)
            }
            Test::ToInteger { how, x, .. } => {
                let x = self.refreshed(x, Precision::Double);
                if !x.is_known() {
                    return Ways::Unknown;
                }
                let ends = |i: Interval| (how.of(i.lo), how.of(i.hi));
                let (floats, reals) = (ends(x.float), ends(x.real.range));
                if floats.1 - floats.0 > MOST_INTEGERS
                    || reals.1 - reals.0 > MOST_INTEGERS
                    || floats.1.abs().max(floats.0.abs()) > 9e18
                {
                    return Ways::Unknown;
                }
                let all = |(lo, hi): (f64, f64)| (lo as i64..=hi as i64).collect::<Vec<_>>();
                let near = |f: &Flow| {
                    // Float and real differ by the error; their integers by up to one more, towards 0 from both sides
                    // by up to two.
                    let apart = (f.float - f.real) as f64;
                    let more = if how == super::domain::ToInteger::Truncate { 2.0 } else { 1.0 };
                    x.error.range.lo - more <= apart && apart <= x.error.range.hi + more
                };
                match flows(all(floats), all(reals), side) {
                    Ways::Several(all) => Ways::Several(all.into_iter().filter(near).collect()),
                    other => other,
                }
            }
        }
    }

    fn learn(&mut self, test: &Test<Arc<Value>>, flow: Flow, side: Side) -> bool {
        let sides = [(true, flow.float, Side::Real), (false, flow.real, Side::Float)];
        sides.into_iter().filter(|s| s.2 != side).all(|(of_floats, outcome, _)| match *test {
            Test::Compare { predicate, x, y, .. } if x.is_known() && y.is_known() => {
                self.space.learn(predicate & (LESS | EQUAL | GREATER), outcome != 0, x, y, of_floats)
            }
            Test::ToInteger { how, x, .. } if x.is_known() => {
                let n = outcome as f64;
                use super::domain::ToInteger::*;
                let range = match how {
                    Truncate if outcome > 0 => Interval { lo: n, hi: n + 1.0 },
                    Truncate if outcome < 0 => Interval { lo: n - 1.0, hi: n },
                    Truncate => Interval { lo: -1.0, hi: 1.0 },
                    Nearest | NearestEven => Interval { lo: n - 0.5, hi: n + 0.5 },
                };
                self.space.learn_range(x, range, of_floats)
            }
            _ => true,
        })
    }

    fn learn_range(&mut self, value: &Arc<Value>, [lo, hi]: [f64; 2]) {
        self.space.learn_range(value, Interval { lo, hi }, false);
    }

    fn bounds(&mut self, value: &Arc<Value>, actual: f64, format: Precision) -> (Bounds, Vec<(u32, f64)>) {
        let value = self.refreshed(value, format);
        let of = |i: Interval| range(i.lo, i.hi);
        let mut shares: BTreeMap<u32, f64> = BTreeMap::new();
        for &(symbol, c) in &value.error.form.terms {
            *shares.entry(self.space.origin(symbol).unwrap_or(u32::MAX)).or_default() += c.abs();
        }
        let bounds = Bounds {
            actual,
            value: of(value.float),
            real: of(value.real.range),
            error: of(value.error.range),
            relative_error: of(value.relative),
            is_known: value.is_known(),
            ..Bounds::default()
        };
        (bounds, shares.into_iter().collect())
    }

    const IS_ESTIMATE: bool = false;

    fn begin_path(&mut self, number: u64) {
        self.space.begin_path(number);
    }

    fn knowledge(&self) -> Vec<u8> {
        let mut sink = Sink::default();
        sink.knowledge(&self.space);
        sink.0
    }

    fn set_knowledge(&mut self, bytes: &[u8]) {
        let known = Source(bytes).knowledge(&self.space).map(|known| known.knowledge());
        self.space.set_knowledge(known.unwrap_or_default());
    }

    fn pack(&self, value: &Arc<Value>) -> Vec<u8> {
        let mut sink = Sink::default();
        sink.value(value);
        let symbols = value.real.form.terms.iter().chain(&value.error.form.terms);
        for &(symbol, _) in symbols {
            sink.word(symbol);
            sink.word(u64::from(self.space.origin(symbol).unwrap_or(u32::MAX)));
        }
        sink.0
    }

    fn is_same(&self, x: &Arc<Value>, y: &Arc<Value>) -> bool {
        Arc::ptr_eq(x, y)
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<Arc<Value>> {
        let mut source = Source(bytes);
        let value = source.value()?;
        while let (Some(symbol), Some(origin)) = (source.word(), source.word()) {
            self.space.adopt([(symbol, origin as u32)]);
        }
        Some(Arc::new(value))
    }

    fn join(&mut self, packed: &[Packed<'_>], format: Precision, origin: u32) -> Option<Joined<Arc<Value>>> {
        let mut all: Vec<Left> = Vec::new();
        for other in packed {
            let space = Source(other.knowledge).knowledge(&self.space)?;
            let mut source = Source(other.value);
            let value = source.value()?;
            while let (Some(symbol), Some(origin)) = (source.word(), source.word()) {
                self.space.adopt([(symbol, origin as u32)]);
            }
            all.push(Left { value, space, tag: other.tag });
        }
        let together = |v: &Value, s: &Space| v.refreshed(s, format).error.range.mag();
        let both = all.iter().filter(|a| a.tag.is_none());
        let mut joined: Vec<(Value, Space)> = both.clone().map(|a| (a.value.clone(), a.space.clone())).collect();
        let mut together = both.map(|a| together(&a.value, &a.space)).fold(0.0, f64::max);
        let (mut apart, mut is_partial) = (BTreeMap::new(), false);
        let sided = |side: Side| all.iter().filter(move |a| a.tag.is_some_and(|t| t.1 == side));
        for float in sided(Side::Float) {
            let test = float.tag.map_or(0, |t| t.0);
            let mut partners = sided(Side::Real).filter(|r| r.tag.is_some_and(|t| t.0 == test)).peekable();
            is_partial |= partners.peek().is_none();
            for real in partners {
                if let Some(pair) = self.space.apart((&float.value, &float.space), (&real.value, &real.space), format) {
                    let most: &mut f64 = apart.entry(test).or_default();
                    *most = most.max(pair.0.error.range.mag());
                    // What rounding the result does anyway is no jump.
                    together = together.max(rounding(pair.0.float.mag(), format));
                    joined.push(pair);
                }
            }
        }
        let has_partner = |test: u64| sided(Side::Float).any(|f| f.tag.is_some_and(|t| t.0 == test));
        is_partial |= sided(Side::Real).any(|r| !has_partner(r.tag.map_or(0, |t| t.0)));
        // Where no way leads to another result than the errors of either do, the test is continuous.
        let jumps = apart.values().copied().fold(0.0, f64::max) > MOST_CONTINUOUS * together;
        let refs: Vec<(&Value, &Space)> = joined.iter().map(|(v, s)| (v, s)).collect();
        let value = if refs.is_empty() {
            Value::unknown()
        } else {
            self.space.join(&refs, format, if jumps { origin } else { u32::MAX })
        };
        Some(Joined { value: Arc::new(value), apart: apart.into_iter().collect(), together, is_partial })
    }
}

/// Half an ulp of a number of that magnitude. What lies in a register may be a double.
fn rounding(magnitude: f64, format: Precision) -> f64 {
    let format = if format == Precision::Float { format } else { Precision::Double };
    if magnitude.is_finite() { 2f64.powi(format.ulp_exponent(magnitude) - 1) } else { 0.0 }
}

/// What a path left of a value.
struct Left {
    value: Value,
    space: Space,
    /// The test where float and real went apart, and which of them this is.
    tag: Option<(u64, Side)>,
}
