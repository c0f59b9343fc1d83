//! Errors over a run, in bounded memory.
//!
//! Of a sequence of any length some are kept, evenly spaced: the first, and from there every n-th. When there is no room
//! for one more, every other one goes and n doubles, so that between `MOST` / 2 and `MOST` of them are there in the end.

/// Errors kept of one sequence.
pub const MOST: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    every: u64,
    /// Half the room that doubles take; their range is that of errors.
    errors: Vec<f32>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples { every: 1, errors: Vec::new() }
    }
}

impl Samples {
    /// Keeps the error of a member whose turn it is; returns after how many more the next one's is.
    pub fn keep(&mut self, error: f64) -> u64 {
        if self.errors.len() == MOST {
            let mut at = 0;
            self.errors.retain(|_| {
                at += 1;
                at % 2 != 0
            });
            self.every *= 2;
        }
        self.errors.push(error as f32);
        self.every
    }

    /// The same for the members of a sequence counted from 1.
    pub fn offer(&mut self, number: u64, error: f64) {
        if (number.max(1) - 1).is_multiple_of(self.every) {
            self.keep(error);
        }
    }

    /// How far apart those are that were kept, and they; two digits are plenty.
    pub fn kept(&self) -> (u64, Vec<f64>) {
        let rough = |&error: &f32| format!("{error:.1e}").parse().unwrap_or(f64::from(error));
        (self.every, self.errors.iter().map(rough).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_kept_are_evenly_spaced() {
        for length in [1u64, 2, 63, 64, 65, 127, 128, 129, 1000, 4096, 100_000] {
            let mut offered = Samples::default();
            let (mut asked, mut next) = (Samples::default(), 1);
            for number in 1..=length {
                offered.offer(number, number as f64);
                if number >= next {
                    next = number + asked.keep(number as f64);
                }
            }
            assert_eq!(asked, offered, "{length}");
            let due = (1..=length).step_by(asked.every as usize).map(|n| n as f32);
            assert_eq!(asked.errors, due.collect::<Vec<_>>(), "{length}");
            assert!(asked.errors.len() <= MOST && (length < 64 || asked.errors.len() >= MOST / 2), "{length}");
        }
    }

    #[test]
    fn errors_are_told_to_two_digits() {
        let mut samples = Samples::default();
        [0.0, 1.2345e-16, 0.25, 9.007e15].iter().for_each(|&error| {
            samples.keep(error);
        });
        assert_eq!(samples.kept(), (1, vec![0.0, 1.2e-16, 0.25, 9e15]));
    }
}
