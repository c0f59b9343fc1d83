//! ```
//! assert!(zoo::difference(1e15) > 0.0);
//! ```

/// Loses digits.
pub fn difference(x: f64) -> f64 {
    (x + 1.0).sqrt() - x.sqrt()
}

/// Does not.
pub fn conjugate(x: f64) -> f64 {
    1.0 / ((x + 1.0).sqrt() + x.sqrt())
}

/// Loses digits and is left alone.
#[nonius::ignore]
pub fn ignored(x: f64) -> f64 {
    (x + 2.0).sqrt() - x.sqrt()
}

pub const THIRD: f64 = zoo_macros::third!();

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    #[test]
    fn differences_are_positive() {
        assert!(super::difference(black_box(1e15)) > 0.0);
    }

    #[test]
    fn conjugates_are_positive() {
        assert!(super::conjugate(black_box(1e15)) > super::ignored(black_box(1e300)) * super::THIRD);
    }

    #[test]
    #[should_panic(expected = "digits")]
    fn panics_are_caught() {
        assert!(super::conjugate(black_box(1e15)) > 1.0, "digits");
    }

    #[cfg(feature = "loud")]
    #[test]
    fn with_the_feature() {
        println!("{}", super::difference(black_box(4e15)));
    }
}
