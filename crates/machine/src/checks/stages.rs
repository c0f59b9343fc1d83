//! Stages: iterations that the program marks, over which an error may grow, but not faster than linearly.
//!
//! At the end of each stage the largest error of what the program names is compared with the errors at the ends of the
//! two stages before: growth that itself grows, by more than rounding explains, is a problem of the iteration. It shows
//! sequences that converge to a wrong limit in every precision, where value and shadow agree in the end (Kahan; FpDebug,
//! sections 4 and 6.1).

use super::statistics::relative;
use std::collections::BTreeMap;

/// One set of stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Stages that have ended.
    pub count: u64,
    is_open: bool,
    /// The largest error seen in the stage that is open, and its site.
    current: f64,
    current_site: u32,
    current_value: (f64, f64),
    last: Option<f64>,
    /// Stages in which an error grew faster than linearly.
    pub faults: u64,
    pub first_fault: u64,
    pub last_fault: u64,
    /// The largest growth, from what to what, and where.
    pub worst: (f64, f64),
    pub site: u32,
    /// The value of the largest growth, and its residue.
    pub value: (f64, f64),
}

#[derive(Debug, Default)]
pub struct Stages {
    pub all: BTreeMap<u64, Stage>,
}

/// Errors up to here are a few roundings of a double.
const NOTHING: f64 = 16.0 * f64::EPSILON;
/// Linear growth at most doubles an error from one stage to the next, from the second stage on.
const LINEAR: f64 = 2.0;

impl Stages {
    pub fn begin(&mut self, set: u64) {
        let stage = self.all.entry(set).or_default();
        (stage.is_open, stage.current) = (true, 0.0);
    }

    /// A value that is stored in the stage that is open, with its residue.
    pub fn saw(&mut self, set: u64, value: f64, residue: f64, site: u32) {
        let error = relative(value, residue);
        if let Some(stage) = self.all.get_mut(&set)
            && stage.is_open
            && error >= stage.current
        {
            (stage.current, stage.current_site, stage.current_value) = (error, site, (value, residue));
        }
    }

    /// Whether any stage is open, so that stores are looked at.
    pub fn is_open(&self) -> bool {
        self.all.values().any(|s| s.is_open)
    }

    pub fn open_sets(&self) -> Vec<u64> {
        self.all.iter().filter(|(_, s)| s.is_open).map(|(&set, _)| set).collect()
    }

    pub fn end(&mut self, set: u64) {
        let Some(stage) = self.all.get_mut(&set).filter(|s| s.is_open) else { return };
        stage.is_open = false;
        stage.count += 1;
        let now = stage.current;
        if let Some(last) = stage.last {
            let grows = now > NOTHING && now > LINEAR * last.max(NOTHING / LINEAR);
            if grows {
                stage.faults += 1;
                stage.last_fault = stage.count;
                if stage.first_fault == 0 {
                    stage.first_fault = stage.count;
                }
                if now / last.max(NOTHING) >= stage.worst.1 / stage.worst.0.max(NOTHING) {
                    (stage.worst, stage.site, stage.value) = ((last, now), stage.current_site, stage.current_value);
                }
            }
        }
        stage.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(errors: impl IntoIterator<Item = f64>) -> Stage {
        let mut stages = Stages::default();
        for error in errors {
            stages.begin(0);
            stages.saw(0, 1.0 - error, error, 3);
            stages.end(0);
        }
        stages.all[&0].clone()
    }

    #[test]
    fn linear_growth_is_silent() {
        assert_eq!(run((1..1000).map(|i| 1e-16 * f64::from(i))).faults, 0);
        assert_eq!(run([1e-16, 3e-16, 1e-16, 2e-16, 5e-17]).faults, 0);
    }

    #[test]
    fn exponential_growth_is_found_from_where_it_begins_to_where_it_ends() {
        let stage = run((0..12).map(|i| if i < 8 { 1e-16 * 20f64.powi(i) } else { 0.5 }));
        assert!(stage.faults >= 6, "{stage:?}");
        assert!(stage.first_fault <= 3 && stage.last_fault >= 8, "{stage:?}");
        assert_eq!(stage.site, 3);
    }

    #[test]
    fn sets_are_independent() {
        let mut stages = Stages::default();
        stages.begin(1);
        stages.saw(2, 1.0, 1.0, 0);
        stages.end(2);
        stages.end(1);
        assert_eq!(stages.all.len(), 1);
    }
}
