//! What the program's floats and reals are for a few inputs of the declared ranges: the program's own, corners, and some at
//! random, the same in each run.
//!
//! Each sample is a run of its own, side by side with the bounds: its floats are computed as the program's are, its reals as
//! double-doubles whose own error is followed. Which path a sample takes is known by its tests, so that each is on one path,
//! or its float and its real on one each; where paths meet, a value has the samples of all. A bound says what may happen, a
//! sample that it does.
//!
//! Misses: a sample is given up where its way is not known (a test of reals that are too near each other, integers made of a
//! float's bits), where it makes no finite number, and in formats that this processor does not compute in.

pub mod draw;
mod functions;
mod operate;

use super::domain::{Test, ToInteger};
use super::walk::holds;
use nonius_abi::Precision;
use nonius_numerics::Dd;
use nonius_oracle::estimate::HEADROOM;
use nonius_oracle::{DoubleDouble, NoisyDd};
use nonius_zonotope::wire::{Sink, Source};
use nonius_zonotope::{Flow, Side, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Runs side by side.
pub const COUNT: usize = 16;

/// A float, and the real that it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// NaN: given up.
    pub float: f64,
    /// Of infinite noise: given up.
    pub real: NoisyDd,
}

impl Sample {
    const NONE: Sample = Sample { float: f64::NAN, real: NOTHING };

    pub fn exact(x: f64) -> Sample {
        Sample { float: x, real: NoisyDd { ideal: Dd { hi: x, lo: 0.0 }, noise: 0.0 } }
    }

    /// How far off its real may be.
    pub fn radius(&self) -> f64 {
        self.real.noise * f64::from(1 << HEADROOM)
    }

    pub fn is_known(&self) -> bool {
        self.float.is_finite() && self.radius().is_finite()
    }
}

const NOTHING: NoisyDd = NoisyDd { ideal: Dd { hi: 0.0, lo: 0.0 }, noise: f64::INFINITY };

/// The samples of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    Unknown,
    /// Always this number.
    Same(f64),
    Each(Box<[Sample; COUNT]>),
}

impl Samples {
    pub fn get(&self, n: usize) -> Sample {
        match self {
            Samples::Unknown => Sample::NONE,
            Samples::Same(x) => Sample::exact(*x),
            Samples::Each(all) => all[n],
        }
    }

    /// Of a value for each sample; one that is the same for all takes no room.
    fn of(all: [Sample; COUNT]) -> Samples {
        let first = all[0].float;
        match all.iter().all(|s| *s == Sample::exact(first)) {
            true => Samples::Same(first),
            false => Samples::Each(Box::new(all)),
        }
    }

    /// Of a value where paths meet: of each sample, its float and its real as the paths left them that they took.
    pub fn joined<'a>(all: impl Iterator<Item = (&'a Samples, OnPath)> + Clone) -> Samples {
        let mut joined = [Sample::NONE; COUNT];
        for (n, sample) in joined.iter_mut().enumerate() {
            if let Some((left, _)) = all.clone().find(|(_, on)| on.floats >> n & 1 != 0) {
                sample.float = left.get(n).float;
            }
            if let Some((left, _)) = all.clone().find(|(_, on)| on.reals >> n & 1 != 0) {
                sample.real = left.get(n).real;
            }
        }
        Samples::of(joined)
    }

    pub fn write(&self, sink: &mut Sink) {
        match self {
            Samples::Unknown => sink.word(0),
            Samples::Same(x) => {
                sink.word(1);
                sink.double(*x);
            }
            Samples::Each(all) => {
                sink.word(2);
                for s in all.iter() {
                    [s.float, s.real.ideal.hi, s.real.ideal.lo, s.real.noise].iter().for_each(|&x| sink.double(x));
                }
            }
        }
    }

    pub fn read(source: &mut Source<'_>) -> Option<Samples> {
        match source.word()? {
            0 => Some(Samples::Unknown),
            1 => source.double().map(Samples::Same),
            _ => {
                let mut all = [Sample::NONE; COUNT];
                for s in &mut all {
                    let (float, hi, lo) = (source.double()?, source.double()?, source.double()?);
                    *s = Sample { float, real: NoisyDd { ideal: Dd { hi, lo }, noise: source.double()? } };
                }
                Some(Samples::Each(Box::new(all)))
            }
        }
    }
}

/// Which samples take this path, by their floats and by their reals: a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnPath {
    pub floats: u32,
    pub reals: u32,
}

impl OnPath {
    pub const ALL: OnPath = OnPath { floats: (1 << COUNT) - 1, reals: (1 << COUNT) - 1 };

    pub fn or(self, other: OnPath) -> OnPath {
        OnPath { floats: self.floats | other.floats, reals: self.reals | other.reals }
    }

    pub fn write(self, sink: &mut Sink) {
        sink.word(u64::from(self.floats) << 32 | u64::from(self.reals));
    }

    pub fn read(source: &mut Source<'_>) -> Option<OnPath> {
        source.word().map(|word| OnPath { floats: (word >> 32) as u32, reals: word as u32 })
    }
}

/// An input as it was last declared.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub count: u64,
    pub samples: [Sample; COUNT],
    /// Its real and its error in symbols, and its format.
    pub bounds: Value,
    pub format: Precision,
}

/// The samples of a run.
#[derive(Debug)]
pub struct Sampler {
    oracle: DoubleDouble,
    pub on_path: OnPath,
    /// Inputs so far.
    drawn: u64,
    /// By origin, for who asks what a sample is of.
    pub inputs: BTreeMap<u32, Drawn>,
    /// The greatest relative error that an input of a sample came with.
    brought: [f64; COUNT],
}

/// Inputs that are remembered.
const MOST_INPUTS: usize = 1024;

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler { oracle: DoubleDouble, on_path: OnPath::ALL, drawn: 0, inputs: BTreeMap::new(), brought: [0.0; COUNT] }
    }
}

impl Sampler {
    /// Samples whose float and real are both on this path.
    pub fn on_both(&self) -> impl Iterator<Item = usize> + use<> {
        let on = self.on_path.floats & self.on_path.reals;
        (0..COUNT).filter(move |n| on >> n & 1 != 0)
    }

    pub fn brought(&self, n: usize) -> f64 {
        self.brought[n]
    }

    /// Nobody knows any more which samples are here.
    pub fn give_up(&mut self) {
        self.on_path = OnPath { floats: 0, reals: 0 };
    }

    /// From here on this process is of the float or of the real alone.
    pub fn take_side(&mut self, side: Side) {
        match side {
            Side::Both => {}
            Side::Float => self.on_path.reals = 0,
            Side::Real => self.on_path.floats = 0,
        }
    }

    /// Only those samples stay here that go this way.
    pub fn follow(&mut self, of: impl Fn(usize) -> Flows, flow: Flow, side: Side) {
        for n in 0..COUNT {
            let (has_float, has_real) = (self.on_path.floats >> n & 1 != 0, self.on_path.reals >> n & 1 != 0);
            if !has_float && !has_real {
                continue;
            }
            let (float, real) = of(n);
            let (goes_float, goes_real) = (float == Some(flow.float), real == Some(flow.real));
            let stays = match side {
                Side::Both => has_float && has_real && goes_float && goes_real,
                Side::Float => has_float && goes_float,
                Side::Real => has_real && goes_real,
            };
            if !stays {
                self.on_path.floats &= !(1 << n);
                self.on_path.reals &= !(1 << n);
            }
        }
    }

    /// Only those samples stay here whose real is in the range.
    pub fn follow_range(&mut self, samples: &Samples, [lo, hi]: [f64; 2]) {
        for n in 0..COUNT {
            let real = samples.get(n).real;
            let inside = |end: f64| order(real, Sample::exact(end).real);
            let is_in = inside(lo).is_some_and(Ordering::is_ge) && inside(hi).is_some_and(Ordering::is_le);
            if !is_in {
                self.on_path.floats &= !(1 << n);
                self.on_path.reals &= !(1 << n);
            }
        }
    }
}

/// A test's outcome of a sample, of its float and of its real, where that is known.
pub type Flows = (Option<i64>, Option<i64>);

/// Which way a sample goes.
pub fn flows<V>(test: &Test<'_, V>, samples: impl Fn(&V) -> Sample) -> Flows {
    match *test {
        Test::Compare { predicate, x, y, .. } => {
            let (x, y) = (samples(x), samples(y));
            let are_floats = !x.float.is_nan() && !y.float.is_nan();
            let float = are_floats.then(|| i64::from(holds(predicate, x.float, y.float)));
            let real = order(x.real, y.real).map(|order| {
                let relation = match order {
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                    Ordering::Less => 4,
                };
                i64::from(predicate & relation != 0)
            });
            (float, real)
        }
        Test::ToInteger { how, x, .. } => {
            let x = samples(x);
            let float = x.float.is_finite().then(|| how.of(x.float) as i64);
            (float, integer(how, x).map(|n| n as i64))
        }
    }
}

/// The order of two reals, where it is known.
pub fn order(x: NoisyDd, y: NoisyDd) -> Option<Ordering> {
    let radius = (x.noise + y.noise) * f64::from(1 << HEADROOM);
    let difference = (x.ideal - y.ideal).hi;
    if !radius.is_finite() || !difference.is_finite() || radius > 0.0 && difference.abs() <= 2.0 * radius {
        return None;
    }
    difference.partial_cmp(&0.0)
}

/// A real as an integer, where that is known.
pub fn integer(how: ToInteger, x: Sample) -> Option<f64> {
    let (Dd { hi, lo }, radius) = (x.real.ideal, x.radius());
    if !radius.is_finite() || !hi.is_finite() {
        return None;
    }
    if lo == 0.0 && radius == 0.0 {
        return Some(how.of(hi));
    }
    let ends = [(hi + (lo - radius)).next_down(), (hi + (lo + radius)).next_up()].map(|x| how.of(x));
    (ends[0] == ends[1]).then_some(ends[0])
}
