//! The domain of zonotopes.

mod apart;
mod loss;

use super::domain::{Domain, Flip, Input, Joined, Judge, Loss, Operation, Packed, Test, Ways, range};
use super::samples::{Flows, OnPath, Sampler, Samples, flows};
use nonius_abi::Precision;
use nonius_abi::site::NONE;
use nonius_finding::Bounds;
use nonius_verdict::verdict::Limits;
use nonius_zonotope::wire::{Sink, Source};
use nonius_zonotope::{EQUAL, Flow, GREATER, Interval, LESS, Part, Rounding, Side, Space, Value};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// Integers that a conversion is followed to.
const MOST_INTEGERS: f64 = 64.0;

/// Paths whose knowledge is kept.
const MOST_READ_BEFORE: usize = 8;

/// Float and real that went apart may differ by so many times what they do together.
pub const MOST_CONTINUOUS: f64 = 4.0;

pub struct Zonotopes {
    pub space: Space,
    unknown: Arc<Known>,
    sampler: Sampler,
    limits: Limits,
    /// What other paths knew, as bytes, and read.
    read_before: Vec<(Vec<u8>, Space)>,
    /// The greatest relative error that an input came with, where it is as large as it gets.
    brought: f64,
}

/// What is known of a value: bounds, and a few samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub bounds: Value,
    pub samples: Samples,
    /// The operation that lost more digits than may be lost, if they are; `u32::MAX` else.
    pub blamed: u32,
}

impl Deref for Known {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.bounds
    }
}

impl Zonotopes {
    pub fn new(symbols: usize, limits: Limits) -> Zonotopes {
        let unknown = Known { bounds: Value::unknown(), samples: Samples::Unknown, blamed: NONE };
        let (space, sampler) = (Space::new(symbols), Sampler::default());
        Zonotopes { space, unknown: Arc::new(unknown), sampler, limits, read_before: Vec::new(), brought: 0.0 }
    }

    fn refreshed(&self, value: &Arc<Known>, format: Precision) -> Arc<Known> {
        if value.epoch == self.space.epoch || !value.is_known() || value.is_point() {
            return value.clone();
        }
        Arc::new(Known {
            bounds: value.bounds.refreshed(&self.space, format),
            samples: value.samples.clone(),
            ..**value
        })
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
        // Floats that are the reals go where these do.
        let are_exact = x.error.is_zero() && y.error.is_zero();
        let of = |of_floats| {
            let (can, cannot) = self.space.outcomes(relations, x, y, of_floats);
            [(can, 1i64), (cannot, 0)].into_iter().filter(|o| o.0).map(|o| o.1).collect::<Vec<_>>()
        };
        pairs(of(true), of(false), side, are_exact)
    }
}

/// All pairs of outcomes that count.
fn pairs(floats: Vec<i64>, reals: Vec<i64>, side: Side, are_exact: bool) -> Ways {
    let all: Vec<Flow> = match side {
        Side::Both if are_exact => {
            let both = floats.iter().filter(|&n| reals.contains(n));
            both.map(|&n| Flow { float: n, real: n }).collect()
        }
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

impl Zonotopes {
    /// What a path knew. All values of a path come with the same.
    fn space_of(&mut self, mut source: Source<'_>) -> Option<Space> {
        if let Some((_, space)) = self.read_before.iter().find(|(bytes, _)| bytes == source.0) {
            return Some(space.clone());
        }
        let bytes = source.0.to_vec();
        let space = source.knowledge(&self.space)?;
        if self.read_before.len() >= MOST_READ_BEFORE {
            self.read_before.remove(0);
        }
        self.read_before.push((bytes, space.clone()));
        Some(space)
    }

    /// What [`Domain::pack`] made.
    fn read(&mut self, bytes: &[u8]) -> Option<Known> {
        let mut source = Source(bytes);
        let samples = Samples::read(&mut source)?;
        let blamed = source.word()? as u32;
        let bounds = source.value()?;
        while let (Some(symbol), Some(origin)) = (source.word(), source.word()) {
            self.space.adopt([(symbol, origin as u32)]);
        }
        Some(Known { bounds, samples, blamed })
    }
}

impl Domain for Zonotopes {
    type Value = Arc<Known>;

    fn lift(&mut self, x: f64, low: f64) -> Arc<Known> {
        if !x.is_finite() {
            return self.unknown.clone();
        }
        let mut bounds = Value::exact(x);
        let mut samples = Samples::Same(x);
        if low != 0.0 {
            bounds.real = Part::constant(x);
            bounds.real.form.slack = low.abs();
            bounds.real.range = Interval::around(x, low.abs());
            bounds.float = bounds.real.range;
            samples = Samples::Unknown;
        }
        Arc::new(Known { bounds, samples, blamed: NONE })
    }

    fn unknown(&self) -> Arc<Known> {
        self.unknown.clone()
    }

    fn is_known(&self, value: &Arc<Known>) -> bool {
        value.is_known()
    }

    fn is_one_number(&self, value: &Arc<Known>) -> bool {
        value.is_known() && value.is_point()
    }

    fn apply(&mut self, op: Operation, args: [&Arc<Known>; 3], _: f64, r: Rounding) -> Arc<Known> {
        // What is rounded to a shorter format is of a longer one.
        let format = if op == Operation::Narrow { Precision::Quad } else { r.format };
        let [x, y, z] = args.map(|a| self.refreshed(a, format));
        let space = &mut self.space;
        let bounds = match op {
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
            Operation::Function(f, n) => space.function(f, &x, (f.arity() > 1).then_some(&y.bounds), n, r),
        };
        let samples = match bounds.is_known() {
            true => self.sampler.apply(op, [&x.samples, &y.samples, &z.samples], r),
            false => Samples::Unknown,
        };
        let mut value = Known { bounds, samples, blamed: NONE };
        self.blame(&mut value, &[&x, &y, &z][..op.arity().min(3)], r);
        Arc::new(value)
    }

    fn input(&mut self, input: Input, actual: f64, format: Precision, origins: [u32; 2]) -> Result<Arc<Known>, String> {
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
        self.brought = self.brought.max(value.error.range.mag() / value.real.range.mag());
        let samples = self.sampler.draw(input, actual, &value, (format, origins[0]));
        Ok(Arc::new(Known { bounds: value, samples, blamed: NONE }))
    }

    fn ways(&mut self, test: &Test<Arc<Known>>, side: Side) -> Ways {
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
                match pairs(all(floats), all(reals), side, x.error.is_zero()) {
                    Ways::Several(all) => Ways::Several(all.into_iter().filter(near).collect()),
                    other => other,
                }
            }
        }
    }

    fn learn(&mut self, test: &Test<Arc<Known>>, flow: Flow, side: Side) -> bool {
        self.sampler.follow(|n| flows_of(test, n), flow, side);
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
                    Down => Interval { lo: n, hi: n + 1.0 },
                    Up => Interval { lo: n - 1.0, hi: n },
                    Nearest | NearestEven => Interval { lo: n - 0.5, hi: n + 0.5 },
                };
                self.space.learn_range(x, range, of_floats)
            }
            _ => true,
        })
    }

    fn learn_range(&mut self, value: &Arc<Known>, [lo, hi]: [f64; 2]) {
        self.space.learn_range(value, Interval { lo, hi }, false);
        self.sampler.follow_range(&value.samples, [lo, hi]);
    }

    fn loss(&mut self, value: &Arc<Known>, judge: &Judge<'_>) -> Option<Loss> {
        if !value.is_known() || value.relative.mag() <= judge.limits.relative(judge.format) {
            return None;
        }
        let value = self.refreshed(value, judge.format);
        self.loss_of(&value, judge)
    }

    fn flip(&self, test: &Test<Arc<Known>>, outcome: i64) -> Option<Flip> {
        let sampled = self.flip_of(test, outcome);
        match sampled {
            Some(flip) if flip.float != flip.real => Some(flip),
            other => self.apart(test).or(other),
        }
    }

    fn take_one_path(&mut self, test: &Test<Arc<Known>>, outcome: i64) {
        self.sampler.follow(|n| flows_of(test, n), Flow { float: outcome, real: outcome }, Side::Both);
    }

    fn take_side(&mut self, side: Side) {
        self.sampler.take_side(side);
    }

    fn took_bits(&mut self) {
        self.sampler.give_up();
    }

    fn gather(&mut self, knowledge: &[&[u8]]) {
        let none = OnPath { floats: 0, reals: 0 };
        let all = knowledge.iter().filter_map(|bytes| on_path(bytes));
        self.sampler.on_path = all.fold(none, OnPath::or);
    }

    fn bounds(&mut self, value: &Arc<Known>, actual: f64, format: Precision) -> (Bounds, Vec<(u32, f64)>) {
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
        self.sampler.on_path.write(&mut sink);
        sink.knowledge(&self.space);
        sink.0
    }

    fn knowledge_of(&mut self, side: Side) -> Vec<u8> {
        let all = self.sampler.on_path;
        self.sampler.take_side(side);
        let bytes = self.knowledge();
        self.sampler.on_path = all;
        bytes
    }

    fn set_knowledge(&mut self, bytes: &[u8]) {
        let mut source = Source(bytes);
        self.sampler.on_path = OnPath::read(&mut source).unwrap_or(OnPath::ALL);
        let known = source.knowledge(&self.space).map(|known| known.knowledge());
        self.space.set_knowledge(known.unwrap_or_default());
    }

    fn pack(&self, value: &Arc<Known>) -> Vec<u8> {
        let mut sink = Sink::default();
        value.samples.write(&mut sink);
        sink.word(u64::from(value.blamed));
        sink.value(value);
        let symbols = value.real.form.terms.iter().chain(&value.error.form.terms);
        for &(symbol, _) in symbols.filter(|t| self.space.is_new_to_parent(t.0)) {
            sink.word(symbol);
            sink.word(u64::from(self.space.origin(symbol).unwrap_or(u32::MAX)));
        }
        sink.0
    }

    fn is_same(&self, x: &Arc<Known>, y: &Arc<Known>) -> bool {
        Arc::ptr_eq(x, y)
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<Arc<Known>> {
        self.read(bytes).map(Arc::new)
    }

    fn join(&mut self, packed: &[Packed<'_>], format: Precision, origin: u32) -> Option<Joined<Arc<Known>>> {
        let mut all: Vec<Left> = Vec::new();
        for other in packed {
            let mut source = Source(other.knowledge);
            let on_path = OnPath::read(&mut source)?;
            let space = self.space_of(source)?;
            all.push(Left { value: self.read(other.value)?, space, tag: other.tag, on_path });
        }
        let together = |v: &Value, s: &Space| v.refreshed(s, format).error.range.mag();
        let both = all.iter().filter(|a| a.tag.is_none());
        let mut joined: Vec<(Value, Space)> = both.clone().map(|a| (a.value.bounds.clone(), a.space.clone())).collect();
        let mut together = both.map(|a| together(&a.value.bounds, &a.space)).fold(0.0, f64::max);
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
        let samples = Samples::joined(all.iter().map(|a| (&a.value.samples, a.on_path)));
        let blamed = all.iter().map(|a| a.value.blamed).find(|&site| site != NONE).unwrap_or(NONE);
        let value = Arc::new(Known { bounds: value, samples, blamed });
        Some(Joined { value, apart: apart.into_iter().collect(), together, is_partial })
    }
}

/// Which samples a path had that knew this.
fn on_path(knowledge: &[u8]) -> Option<OnPath> {
    OnPath::read(&mut Source(knowledge))
}

/// The way of a sample.
fn flows_of(test: &Test<Arc<Known>>, n: usize) -> Flows {
    flows(test, |value: &Arc<Known>| value.samples.get(n))
}

/// Half an ulp of a number of that magnitude. What lies in a register may be a double.
fn rounding(magnitude: f64, format: Precision) -> f64 {
    let format = if format == Precision::Float { format } else { Precision::Double };
    if magnitude.is_finite() { 2f64.powi(format.ulp_exponent(magnitude) - 1) } else { 0.0 }
}

/// What a path left of a value.
struct Left {
    value: Known,
    space: Space,
    on_path: OnPath,
    /// The test where float and real went apart, and which of them this is.
    tag: Option<(u64, Side)>,
}
