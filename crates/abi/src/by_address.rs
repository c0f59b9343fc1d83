//! Mathematical functions that the program calls through pointers: the runtime knows them by their addresses.
//!
//! At such a call the pass says what its type is, a [`Signature`] and a format. Where the callee is a function of that
//! type, the shadow of its result comes from the same evaluators as if it had been called by name (see `libm`), or, for
//! an operation of the processor that C has as a function too, from an evaluator of the same form.

use crate::Precision;
use crate::code::Arith;
use crate::libm::{self, Shape, Suffix};

/// The arguments of a call that may be of a mathematical function; `x` is of the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Signature {
    X,
    XX,
    XXX,
    XI,
    IX,
}

const SIGNATURES: [Signature; 5] = [Signature::X, Signature::XX, Signature::XXX, Signature::XI, Signature::IX];

impl Signature {
    /// As hooks take it.
    pub fn code(self, precision: Precision) -> u32 {
        u32::from(self as u8) << 8 | u32::from(precision as u8)
    }

    pub fn from_code(code: u32) -> Option<(Signature, Precision)> {
        let [precision, signature, 0, 0] = code.to_le_bytes() else { return None };
        Some((*SIGNATURES.get(usize::from(signature))?, Precision::from_u8(precision)?))
    }

    /// How many floats the function takes.
    pub fn floats(self) -> usize {
        match self {
            Signature::X | Signature::XI | Signature::IX => 1,
            Signature::XX => 2,
            Signature::XXX => 3,
        }
    }
}

/// Operations of the processor that C has as functions; their numbers follow those of `libm::FUNCTIONS`.
pub const OPERATIONS: &[(&str, Signature, Arith)] = &[
    ("fabs", Signature::X, Arith::Abs),
    ("fmin", Signature::XX, Arith::MinNum),
    ("fmax", Signature::XX, Arith::MaxNum),
    ("copysign", Signature::XX, Arith::CopySign),
    ("fma", Signature::XXX, Arith::Fma),
];

/// The number of a callee that is no mathematical function, or none of the call's type.
pub const NO_FUNCTION: u64 = u64::MAX;

/// A function of the C library that can be known by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressed {
    /// As the C library has it, such as `sinf`.
    pub symbol: String,
    pub number: u32,
    pub signature: Signature,
    pub precision: Precision,
    /// The evaluator's base name.
    pub evaluator: &'static str,
}

/// All of them.
pub fn all() -> impl Iterator<Item = Addressed> {
    let functions = libm::FUNCTIONS.iter().enumerate().filter_map(|(number, f)| {
        let signature = match f.shape {
            Shape::X => Signature::X,
            Shape::XX => Signature::XX,
            Shape::XI => Signature::XI,
            Shape::IX => Signature::IX,
            _ => return None,
        };
        Some((f.name, number as u32, signature, f.evaluator))
    });
    let operations = (libm::FUNCTIONS.len() as u32..).zip(OPERATIONS);
    let operations = operations.map(|(number, &(name, signature, _))| (name, number, signature, name));
    functions.chain(operations).flat_map(|(name, number, signature, evaluator)| {
        [Suffix::Double, Suffix::Float, Suffix::LongDouble].map(|suffix| {
            let (ending, precision) = match suffix {
                Suffix::Double => ("", Precision::Double),
                Suffix::Float => ("f", Precision::Float),
                Suffix::LongDouble => ("l", Precision::X87),
            };
            Addressed { symbol: format!("{name}{ending}"), number, signature, precision, evaluator }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_survive_their_code() {
        for signature in SIGNATURES {
            for precision in Precision::ALL {
                assert_eq!(Signature::from_code(signature.code(precision)), Some((signature, precision)));
            }
        }
        assert_eq!(Signature::from_code(u32::MAX), None);
        assert_eq!(Signature::from_code(0x500), None);
    }

    #[test]
    fn functions_of_all_types_are_there_once() {
        let all: Vec<Addressed> = all().collect();
        let find = |symbol: &str| all.iter().filter(|a| a.symbol == symbol).collect::<Vec<_>>();
        for (symbol, precision) in [("sin", Precision::Double), ("sinf", Precision::Float), ("sinl", Precision::X87)] {
            assert!(matches!(find(symbol)[..], [a] if a.precision == precision && a.signature == Signature::X));
        }
        assert!(matches!(find("fmaf")[..], [a] if a.signature == Signature::XXX && a.precision == Precision::Float));
        // Those that write through pointers are not known by address.
        assert!(find("modf").is_empty() && find("sincos").is_empty());
    }
}
