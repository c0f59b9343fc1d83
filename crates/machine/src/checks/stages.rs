//! Stages: iterations that the program marks, over which an error may grow, but not faster than linearly.
//!
//! At the end of a stage the error of each operation's last result in it is compared with the largest that the
//! operation had at the ends of the stages before. In stage k, linear growth brings at most k / (k - 1) times that; a
//! fifth more is allowed for noise, and a few roundings are nothing. Operations that exceed it again and again, and by
//! more in all than a first stage without error explains, are complained of: so sequences show that converge to a wrong limit in every precision, where value and shadow agree in
//! the end (Kahan; FpDebug, sections 4 and 6.1).

use super::samples::Samples;
use super::statistics::relative;
use std::collections::BTreeMap;

/// An operation in a set of stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growth {
    /// The last result in the stage that is open, with its residue.
    current: Option<(f64, f64)>,
    largest: f64,
    /// Stages in which its error grew faster than linearly.
    pub faults: u64,
    pub first_fault: u64,
    pub last_fault: u64,
    first_error: f64,
    /// The largest growth, from what to what, and the value and residue of that.
    pub worst: (f64, f64),
    pub value: (f64, f64),
    /// Errors at the ends of stages.
    pub samples: Samples,
}

/// One set of stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Stages that have ended.
    pub count: u64,
    is_open: bool,
    pub sites: BTreeMap<u32, Growth>,
}

#[derive(Debug, Default)]
pub struct Stages {
    pub all: BTreeMap<u64, Stage>,
    /// Results are of interest: some stage is open.
    pub is_open: bool,
    /// Operations and sets that there is room for, and those that there was none for.
    room: u64,
    pub dropped: u64,
}

/// Errors up to here are a few roundings of a double.
const NOTHING: f64 = 16.0 * f64::EPSILON;
/// Growth from one stage to the next that noise explains.
const NOISE: f64 = 1.2;
/// Faults below this number are taken for noise.
const FEW: u64 = 3;

/// What an operation of a set takes.
const GROWTH_BYTES: u64 = 640;

impl Stages {
    pub fn new(most_bytes: u64) -> Stages {
        Stages { room: (most_bytes / GROWTH_BYTES).max(64), ..Stages::default() }
    }

    pub fn begin(&mut self, set: u64) {
        if !self.all.contains_key(&set) && !has_room(&mut self.room, &mut self.dropped) {
            return;
        }
        self.all.entry(set).or_default().is_open = true;
        self.is_open = true;
    }

    /// Adds the stages of another machine. Those of one set are iterations apart: of two, those count that tell more.
    pub fn absorb(&mut self, others: &BTreeMap<u64, Stage>, dropped: u64) {
        let tells = |stage: &Stage| stage.worst().map_or(0, |(_, growth)| growth.faults);
        for (set, other) in others {
            let own = self.all.entry(*set).or_default();
            if tells(other) > tells(own) {
                own.clone_from(other);
            }
        }
        self.dropped += dropped;
    }

    /// A result in the stages that are open.
    #[cold]
    pub fn saw(&mut self, site: u32, value: f64, residue: f64) {
        for stage in self.all.values_mut().filter(|s| s.is_open) {
            if let Some(growth) = stage.sites.get_mut(&site) {
                growth.current = Some((value, residue));
            } else if has_room(&mut self.room, &mut self.dropped) {
                stage.sites.insert(site, Growth { current: Some((value, residue)), ..Growth::default() });
            }
        }
    }

    pub fn end(&mut self, set: u64) {
        let Some(stage) = self.all.get_mut(&set).filter(|s| s.is_open) else { return };
        stage.is_open = false;
        stage.count += 1;
        let number = stage.count;
        let linear = number as f64 / (number.max(2) - 1) as f64;
        for growth in stage.sites.values_mut() {
            let Some((value, residue)) = growth.current.take() else { continue };
            let now = if residue == 0.0 { 0.0 } else { relative(value, residue) };
            growth.samples.offer(number, now);
            let before = growth.largest;
            if number > 1 && now > NOTHING && now > linear.max(NOISE) * before {
                growth.faults += 1;
                growth.last_fault = number;
                if growth.first_fault == 0 {
                    (growth.first_fault, growth.first_error) = (number, now);
                }
                (growth.worst, growth.value) = ((before, now), (value, residue));
            }
            growth.largest = before.max(now);
        }
        self.is_open = self.all.values().any(|s| s.is_open);
    }
}

/// Takes room for one more, or counts it as dropped.
fn has_room(room: &mut u64, dropped: &mut u64) -> bool {
    match room.checked_sub(1) {
        Some(left) => *room = left,
        None => *dropped += 1,
    }
    *dropped == 0
}

impl Growth {
    /// Errors that begin at 0 and grow by the same amount each time exceed the proportion at first.
    fn is_faster_than_linear(&self) -> bool {
        let stages = self.last_fault as f64 / self.first_fault.max(1) as f64;
        self.faults >= FEW && self.worst.1 > self.first_error * stages.powf(1.5)
    }
}

impl Stage {
    /// The operation that it shows in first, and most.
    pub fn worst(&self) -> Option<(u32, &Growth)> {
        let faulty = self.sites.iter().filter(|(_, g)| g.is_faster_than_linear());
        let worst = faulty.max_by(|(a, x), (b, y)| {
            let earlier = y.first_fault.cmp(&x.first_fault);
            earlier.then(x.faults.cmp(&y.faults)).then(x.largest.total_cmp(&y.largest)).then(b.cmp(a))
        });
        worst.map(|(&site, growth)| (site, growth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(errors: impl IntoIterator<Item = f64>) -> Option<Growth> {
        let mut stages = Stages::new(1 << 16);
        for error in errors {
            stages.begin(0);
            // An ideal of 1.
            stages.saw(3, 1.0 - error, error);
            stages.end(0);
        }
        stages.all[&0].worst().map(|(_, growth)| growth.clone())
    }

    #[test]
    fn linear_growth_and_noise_are_silent() {
        assert_eq!(run((1..1000).map(|i| 1e-13 * f64::from(i))), None);
        assert_eq!(run([1e-16, 3e-16, 1e-16, 2e-16, 5e-17]), None);
        assert_eq!(run((0..1000).map(|i| 1e-12 * (1.0 + f64::from(i * 7919 % 100)))), None);
    }

    #[test]
    fn mullers_sequence_is_found_where_fpdebug_finds_it() {
        // u(n+1) = 111 - 1130 / u(n) + 3000 / (u(n) u(n-1)): the errors of doubles against 120 bits.
        let errors = [
            0.0, 6.14e-17, 9.48e-16, 1.17e-14, 1.73e-13, 2.63e-12, 4.09e-11, 6.45e-10, 1.03e-8, 1.65e-7, 2.68e-6,
            4.36e-5, 7.14e-4, 0.0117, 0.19, 2.64, 12.0, 15.3, 15.6, 15.6, 15.6, 15.6,
        ];
        let growth = run(errors).unwrap();
        assert_eq!((growth.faults, growth.first_fault, growth.last_fault), (15, 4, 18));
        let (every, kept) = growth.samples.kept();
        assert_eq!((every, kept.len(), kept[0]), (1, errors.len(), 0.0));
        assert!((kept[16] - 12.0).abs() < 1e-6, "{kept:?}");
    }

    #[test]
    fn sets_are_independent() {
        let mut stages = Stages::new(1 << 16);
        stages.begin(1);
        stages.end(2);
        assert!(stages.is_open && stages.all.len() == 1);
        stages.end(1);
        assert!(!stages.is_open);
    }
}
