//! How much of a run must have been shadowed for silence to count: `min_coverage=`.

use anyhow::{Error, anyhow};
use nonius_finding::Report;
use nonius_report::gaps;

/// What to say if less than `least` percent of the operations were shadowed.
pub fn too_little(report: &Report, least: f64) -> Option<Error> {
    let c = &report.summary.coverage;
    let share = 100.0 * c.operations_shadowed as f64 / c.operations.max(1) as f64;
    if share >= least {
        return None;
    }
    let what = match c.operations {
        0 => "no floating-point operation of code that Nonius compiled ran".to_owned(),
        n => format!("{} of {n} operations were shadowed ({share:.1}%)", c.operations_shadowed),
    };
    let gaps = gaps(c);
    let gaps = if gaps.is_empty() { String::new() } else { format!("; {}", gaps.join("; ")) };
    Some(anyhow!("{what}, min_coverage asks for {least}%{gaps}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{LeftAlone, LeftAloneFor, Program};

    #[test]
    fn a_share_below_the_least_is_told_with_what_was_left_out() {
        let mut report = Report::new(Program::default(), "residue");
        assert!(too_little(&report, 0.0).is_none());
        assert!(too_little(&report, 1.0).unwrap().to_string().starts_with("no floating-point operation"));
        let c = &mut report.summary.coverage;
        (c.operations, c.operations_shadowed) = (200, 150);
        c.left_alone.push(LeftAlone { reason: LeftAloneFor::Strict, functions: 1, names: vec!["solve".into()] });
        assert!(too_little(&report, 75.0).is_none());
        let words = too_little(&report, 75.5).unwrap().to_string();
        assert!(
            words.starts_with("150 of 200 operations were shadowed (75.0%), min_coverage asks for 75.5%"),
            "{words}"
        );
        assert!(words.contains("strict floating point was left alone (solve)"), "{words}");
    }
}
