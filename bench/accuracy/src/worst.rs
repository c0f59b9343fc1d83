//! Whether the numbers that a finding shows are the true ones: the value that the program printed, the ideal to the digits
//! that the engine says it knows, and the relative error that follows from them.

use crate::exact::Ideal;
use rug::Float;
use serde::Serialize;

/// What a finding shows of a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shown {
    pub value: f64,
    pub ideal: f64,
    /// How far off the ideal may be; `None` where the engine does not say.
    pub radius: Option<f64>,
    pub relative_error: f64,
}

const BITS: u32 = 256;

/// What an engine that names no radius is held to, relative to the ideal: the threshold of the verdict itself.
const UNNAMED: f64 = 1.0 / (1u64 << 19) as f64;

/// A rounding, or two, on the way to what is shown.
const SHOWN: f64 = 4.0 * f64::EPSILON;

impl Shown {
    /// Whether it is what `actual` and its ideal deserve.
    pub fn agrees(&self, actual: f64, ideal: &Ideal) -> bool {
        if self.value != actual {
            return false;
        }
        match ideal {
            Ideal::Unknown => true,
            Ideal::Zero => self.ideal.abs() <= self.radius.unwrap_or(0.0) && self.relative_error >= 1.0,
            Ideal::Value(ideal) => self.agrees_with(ideal),
        }
    }

    fn agrees_with(&self, exact: &Float) -> bool {
        if exact.to_f64().is_infinite() {
            // Beyond the range of what is shown: as large as can be, and nothing of the value is right.
            return self.ideal.is_infinite() && self.relative_error == 1.0;
        }
        let size = Float::with_val(BITS, exact.abs_ref());
        let relative_radius = self.radius.map_or(UNNAMED, |radius| Float::with_val(BITS, radius / &size).to_f64());
        // Below the normal numbers what is shown has fewer digits.
        let least = Float::with_val(BITS, f64::from_bits(1) / &size).to_f64();
        let tolerance = relative_radius + SHOWN + least;
        let off = Float::with_val(BITS, exact - self.ideal).abs() / &size;
        if tolerance >= 1.0 {
            // No digit of the ideal is known, and so none of the error but that nothing of the value is right.
            return off <= tolerance && self.relative_error >= 1.0;
        }
        let relative = Float::with_val(BITS, exact - self.value).abs() / &size;
        let off_error = Float::with_val(BITS, &relative - self.relative_error).abs();
        off <= tolerance && off_error <= Float::with_val(BITS, &relative + 1u32) * (2.0 * tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: f64, ideal: f64, radius: f64, relative_error: f64) -> Shown {
        Shown { value, ideal, radius: Some(radius), relative_error }
    }

    fn exactly(x: f64) -> Ideal {
        Ideal::Value(Float::with_val(BITS, x))
    }

    #[test]
    fn what_is_shown_is_held_to_the_digits_that_are_known() {
        let good = shown(1.5, 1.0, 0.0, 0.5);
        assert!(good.agrees(1.5, &exactly(1.0)));
        for wrong in [
            Shown { value: 1.6, ..good },
            Shown { ideal: 1.0 + 1e-12, ..good },
            Shown { relative_error: 0.5 + 1e-12, ..good },
        ] {
            assert!(!wrong.agrees(1.5, &exactly(1.0)), "{wrong:?}");
        }
        let vague = Shown { ideal: 1.0 + 1e-12, radius: Some(2e-12), relative_error: 0.5 - 1e-12, ..good };
        assert!(vague.agrees(1.5, &exactly(1.0)));
        assert!(Shown { ideal: 1.0 + 1e-8, radius: None, ..good }.agrees(1.5, &exactly(1.0)));
        assert!(!Shown { ideal: 1.1, radius: None, ..good }.agrees(1.5, &exactly(1.0)));
    }

    #[test]
    fn an_error_of_which_no_digit_is_known_is_large() {
        assert!(shown(1e21, 0.0, 1e12, f64::INFINITY).agrees(1e21, &exactly(-0.8)));
        assert!(!shown(1e21, 0.0, 1e12, 0.1).agrees(1e21, &exactly(-0.8)));
        assert!(!shown(1e21, 0.0, 0.1, f64::INFINITY).agrees(1e21, &exactly(-0.8)));
    }

    #[test]
    fn ideals_of_nothing_and_beyond_the_range() {
        assert!(shown(1e-17, 0.0, 0.0, f64::INFINITY).agrees(1e-17, &Ideal::Zero));
        assert!(shown(1e-17, 1e-90, 1e-80, 1e73).agrees(1e-17, &Ideal::Zero));
        assert!(!shown(1e-17, 1e-20, 1e-30, 1e3).agrees(1e-17, &Ideal::Zero));
        let huge = Ideal::Value(Float::with_val(BITS, Float::parse("1e400").unwrap()));
        assert!(shown(1.0, f64::INFINITY, 0.0, 1.0).agrees(1.0, &huge));
        assert!(!shown(1.0, f64::MAX, 0.0, 1.0).agrees(1.0, &huge));
        // A subnormal ideal has fewer digits.
        let tiny = Ideal::Value(Float::with_val(BITS, Float::parse("1.23456e-321").unwrap()));
        assert!(shown(0.0, 1.235e-321, 0.0, 1.0).agrees(0.0, &tiny));
    }
}
