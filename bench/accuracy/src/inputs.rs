//! Inputs: how they are described, and how they are drawn. The same name gives the same inputs on every machine.
//!
//! | description | values |
//! |---|---|
//! | `1 .. 1e99` | exponents evenly spread, all bits of the significand random |
//! | `+-1e-9 .. 1e3` | the same with either sign |
//! | `lin -1 .. 1` | evenly spread |
//! | `int 1 .. 1e30` | as the first, rounded to whole numbers |
//! | `near y 1e-15 .. 1e-1` | y (1 + d), where y is a variable before it or a number, and d as in the second |
//! | `= 1` | this value |
//!
//! Behind any of them, `first 2 3` gives the values of the first inputs. A range of exponents that float does not have
//! is drawn an eighth as wide for it: a float's exponent has three bits fewer, so the inputs keep their place in the
//! range.

use crate::real::Real;
use anyhow::{Context, Result, bail, ensure};

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    spread: Spread,
    first: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Spread {
    Exponents { low: f64, high: f64, signed: bool },
    Whole { low: f64, high: f64 },
    Even { low: f64, high: f64 },
    Near { what: Anchor, low: f64, high: f64 },
    Fixed(f64),
}

#[derive(Clone, Debug, PartialEq)]
enum Anchor {
    Variable(usize),
    Number(f64),
}

impl Variable {
    /// Reads `x: 1 .. 1e99, y: ...`.
    pub fn parse_all(text: &str) -> Result<Vec<Variable>> {
        let mut variables: Vec<Variable> = Vec::new();
        for part in text.split(',') {
            let variable = parse(part, &variables).with_context(|| format!("in '{}'", part.trim()))?;
            variables.push(variable);
        }
        Ok(variables)
    }
}

fn parse(text: &str, before: &[Variable]) -> Result<Variable> {
    let (name, spread) = text.split_once(':').context("it is not NAME: VALUES")?;
    let (spread, first) = spread.split_once(" first ").unwrap_or((spread, ""));
    let first = first.split_whitespace().map(number).collect::<Result<_>>()?;
    let spread = spread.trim();
    let (word, rest) = spread.split_once(' ').unwrap_or((spread, ""));
    let spread = match word {
        "=" => Spread::Fixed(number(rest)?),
        "lin" => {
            let (low, high) = range(rest)?;
            Spread::Even { low, high }
        }
        "int" => {
            let (low, high) = positive(rest)?;
            Spread::Whole { low, high }
        }
        "near" => {
            let (what, rest) = rest.trim().split_once(' ').context("it is not near WHAT LOW .. HIGH")?;
            let (low, high) = positive(rest)?;
            let variable = before.iter().position(|v| v.name == what).map(Anchor::Variable);
            let what = variable.map_or_else(|| number(what).map(Anchor::Number), Ok)?;
            Spread::Near { what, low, high }
        }
        _ => {
            let (low, high) = positive(spread.trim_start_matches("+-"))?;
            Spread::Exponents { low, high, signed: spread.starts_with("+-") }
        }
    };
    Ok(Variable { name: name.trim().to_owned(), spread, first })
}

fn number(text: &str) -> Result<f64> {
    text.trim().parse().with_context(|| format!("'{text}' is not a number"))
}

fn range(text: &str) -> Result<(f64, f64)> {
    let (low, high) = text.split_once("..").context("it is not LOW .. HIGH")?;
    let (low, high) = (number(low)?, number(high)?);
    ensure!(low < high, "the bounds are in the wrong order");
    Ok((low, high))
}

fn positive(text: &str) -> Result<(f64, f64)> {
    let (low, high) = range(text)?;
    if low <= 0.0 {
        bail!("bounds of exponents are positive");
    }
    Ok((low, high))
}

/// `count` inputs of a formula, each a value a variable, in the format `real`.
pub fn draw(formula: &str, variables: &[Variable], real: Real, count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::named(formula);
    (0..count).map(|index| one(variables, real, index, &mut random)).collect()
}

fn one(variables: &[Variable], real: Real, index: usize, random: &mut Random) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::new();
    for variable in variables {
        let drawn = variable.spread.draw(real, &values, random);
        values.push(real.round(variable.first.get(index).copied().unwrap_or(drawn)));
    }
    values
}

impl Spread {
    fn draw(&self, real: Real, before: &[f64], random: &mut Random) -> f64 {
        match *self {
            Spread::Fixed(value) => value,
            Spread::Even { low, high } => low + (high - low) * random.share(),
            Spread::Whole { low, high } => random.exponents(low, high, real).round(),
            Spread::Exponents { low, high, signed } => {
                let size = random.exponents(low, high, real);
                if signed && random.coin() { -size } else { size }
            }
            Spread::Near { ref what, low, high } => {
                let anchor = match what {
                    Anchor::Variable(index) => before[*index],
                    Anchor::Number(value) => *value,
                };
                let share = random.exponents(low, high, real);
                anchor * (1.0 + if random.coin() { -share } else { share })
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// Seeded by FNV-1a of the name.
    fn named(name: &str) -> Random {
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// In [0, 1), with 53 bits.
    fn share(&mut self) -> f64 {
        (self.word() >> 11) as f64 * 2f64.powi(-53)
    }

    /// From `low` to `high`, its logarithm evenly spread.
    fn exponents(&mut self, low: f64, high: f64, real: Real) -> f64 {
        const FLOAT_LOG2: f64 = 126.0;
        let (mut low, mut high) = (low.log2(), high.log2());
        if real == Real::Float && low.abs().max(high.abs()) > FLOAT_LOG2 {
            (low, high) = (low / 8.0, high / 8.0);
        }
        (low + (high - low) * self.share()).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, real: Real) -> Vec<Vec<f64>> {
        draw("name", &Variable::parse_all(text).unwrap(), real, 500)
    }

    #[test]
    fn inputs_lie_where_they_should_and_stay_the_same() {
        let inputs = drawn("x: 1e-90 .. 1e99, y: near x 1e-9 .. 1e-3, z: lin -1 .. 1 first 7 8", Real::Double);
        assert_eq!(inputs, drawn("x: 1e-90 .. 1e99, y: near x 1e-9 .. 1e-3, z: lin -1 .. 1 first 7 8", Real::Double));
        assert_eq!((inputs[0][2], inputs[1][2]), (7.0, 8.0));
        for input in &inputs[2..] {
            assert!((1e-90..=1e99).contains(&input[0]) && (-1.0..1.0).contains(&input[2]));
            assert!((input[1] / input[0] - 1.0).abs() < 1.001e-3);
        }
        assert!(inputs.iter().any(|i| i[0] < 1e-60) && inputs.iter().any(|i| i[0] > 1e60));
    }

    #[test]
    fn floats_are_floats() {
        for input in drawn("x: +-1e-90 .. 1e99, n: int 1 .. 1e6", Real::Float) {
            assert_eq!(f64::from(input[0] as f32), input[0]);
            assert!((1e-12..1e13).contains(&input[0].abs()) && input[1].fract() == 0.0);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in ["", "x", "x: 1", "x: 2 .. 1", "x: 0 .. 1", "x: near y 1 .. 2", "x: = one", "x: 1 .. 2 first a"] {
            assert!(Variable::parse_all(text).is_err(), "{text:?}");
        }
    }
}
