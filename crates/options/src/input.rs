//! Inputs of abstract execution that the program's source does not name.

/// A float parameter of a function, and what it can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub function: String,
    /// Among the function's float parameters, from 1.
    pub parameter: u32,
    pub range: [f64; 2],
}

impl Declared {
    /// `f(1) in [0, 2]`. An empty range and one whose bounds are no numbers are none.
    pub fn parse(text: &str) -> Option<Declared> {
        let (what, range) = text.split_once(" in ")?;
        let (function, parameter) = what.trim().strip_suffix(')')?.rsplit_once('(')?;
        let (lo, hi) = range.trim().strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let range = [number(lo)?, number(hi)?];
        let parameter = parameter.trim().parse().ok().filter(|n| *n > 0)?;
        let function = function.trim().to_owned();
        (range[0] <= range[1] && !function.is_empty()).then_some(Declared { function, parameter, range })
    }
}

/// How far a float that was read may be from what it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uncertainty {
    Ulps(f64),
    Relative(f64),
    Absolute(f64),
}

impl Uncertainty {
    /// `1ulp`, `relative=1e-6`, `absolute=0.5`.
    pub fn parse(text: &str) -> Option<Uncertainty> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
        if let Some(ulps) = text.strip_suffix("ulps").or_else(|| text.strip_suffix("ulp")) {
            return number(ulps).map(Uncertainty::Ulps);
        }
        let (kind, size) = text.split_once('=')?;
        match kind {
            "relative" => number(size).map(Uncertainty::Relative),
            "absolute" => number(size).map(Uncertainty::Absolute),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Declared, Uncertainty};

    #[test]
    fn inputs_are_read_or_refused() {
        let good = Declared { function: "f".to_owned(), parameter: 2, range: [-1.0, 0.5] };
        assert_eq!(Declared::parse("f(2) in [-1, 0.5]"), Some(good));
        for bad in
            ["f in [0, 1]", "f(0) in [0, 1]", "f(1) in [1, 0]", "f(1) in [nan, 1]", "(1) in [0, 1]", "f(1) [0, 1]"]
        {
            assert_eq!(Declared::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn uncertainties_are_read_or_refused() {
        assert_eq!(Uncertainty::parse("1ulp"), Some(Uncertainty::Ulps(1.0)));
        assert_eq!(Uncertainty::parse("relative=1e-6"), Some(Uncertainty::Relative(1e-6)));
        assert_eq!(Uncertainty::parse("absolute=0.5"), Some(Uncertainty::Absolute(0.5)));
        for bad in ["", "ulp", "relative", "relative=-1", "absolute=inf", "2"] {
            assert_eq!(Uncertainty::parse(bad), None, "{bad}");
        }
    }
}
