//! Upstream nsan, which can be a thousand times slower than native code: a smaller problem for it,
//! and a count of what it finds.

use crate::kernel::Problem;
use crate::process;
use crate::race::TIME_LIMIT;
use crate::toolchain::{self, Variant};
use anyhow::Result;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

/// The problem with as many repetitions as fit into `seconds`, and the time that they should take.
pub fn fitting(program: &Path, problem: Problem, seconds: f64) -> Result<(Problem, f64)> {
    let mut time = |reps| {
        let smaller = Problem { reps, ..problem };
        let command = toolchain::start(Variant::Nsan, program, &smaller, Path::new(""));
        process::run(command, TIME_LIMIT).map(|sample| sample.cpu_s)
    };
    let (reps, expected_s) = fitting_reps(problem.reps, seconds, &mut time)?;
    Ok((Problem { reps, ..problem }, expected_s))
}

/// Two short runs give the cost of a repetition and of what comes before the first one.
fn fitting_reps(all: u64, seconds: f64, time: &mut impl FnMut(u64) -> Result<f64>) -> Result<(u64, f64)> {
    let one = time(1)?;
    if all == 1 || one >= seconds {
        return Ok((1, one));
    }
    let probe = ((seconds / 8.0 / one) as u64).clamp(2, all);
    let probed = time(probe)?;
    let each = ((probed - one) / (probe - 1) as f64).max(1e-9);
    let reps = (((seconds - one) / each) as u64 + 1).clamp(1, all);
    Ok((reps, one + each * (reps - 1) as f64))
}

/// Distinct places (stacks) that nsan would have warned of. It walks the stack for each warning, which can
/// take a hundred times as long as the run itself: then fewer repetitions must do, or there is no count.
pub fn count_warnings(program: &Path, problem: Problem, limit: Duration) -> Option<u64> {
    [problem.reps, problem.reps.div_ceil(8), 1].into_iter().find_map(|reps| {
        let command = toolchain::start_nsan_counting(program, &Problem { reps, ..problem });
        let sample = process::run(command, limit).ok()?;
        warnings_in(BufReader::new(sample.stderr)).ok()
    })
}

fn warnings_in(mut statistics: impl BufRead) -> io::Result<u64> {
    let (mut count, mut line) = (0, Vec::new());
    while statistics.read_until(b'\n', &mut line)? > 0 {
        count += u64::from(line.starts_with(b"warned "));
        line.clear();
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(all: u64, seconds: f64, start: f64, each: f64) -> (u64, f64) {
        fitting_reps(all, seconds, &mut |reps| Ok(start + each * reps as f64)).unwrap()
    }

    #[test]
    fn a_problem_that_fits_stays_whole() {
        let (reps, seconds) = fitted(50, 10.0, 0.1, 0.1);
        assert_eq!(reps, 50);
        assert!((seconds - 5.1).abs() < 1e-6);
    }

    #[test]
    fn a_long_one_is_cut_to_the_limit() {
        let (reps, seconds) = fitted(1000, 10.0, 0.5, 0.1);
        assert!((94..=96).contains(&reps), "{reps}");
        assert!(seconds <= 10.1);
    }

    #[test]
    fn one_repetition_is_the_least() {
        assert_eq!(fitted(1000, 1.0, 5.0, 30.0).0, 1);
        assert_eq!(fitted(1, 1.0, 0.0, 0.001).0, 1);
    }

    #[test]
    fn warnings_are_counted_by_place() {
        let text = "Numerical Sanitizer exit stats:\nwarned 3 times out of 9 store checks at:\n    #0 0x1\n\
                    warned 1 times out of 1 ret checks at:\n    #0 0x2\n\nThere were 0/0 loads\n";
        assert_eq!(warnings_in(text.as_bytes()).unwrap(), 2);
    }
}
