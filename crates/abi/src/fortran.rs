//! Functions of flang's runtime that work on whole arrays, through descriptors.

/// An array's floats become text: `(cookie, descriptor)`.
pub const OUTPUT_ARRAY: &str = "_FortranAioOutputDescriptor";

/// Floats that come from outside: what a function reads from text, or random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// So many bytes at an address.
    Scalar(u64),
    /// An array, by its descriptor.
    Array,
}

/// Functions with such floats, and which of their arguments says where they go.
const INPUT: &[(&str, Input, usize)] = &[
    ("_FortranAioInputReal32", Input::Scalar(4), 1),
    ("_FortranAioInputReal64", Input::Scalar(8), 1),
    ("_FortranAioInputComplex32", Input::Scalar(8), 1),
    ("_FortranAioInputComplex64", Input::Scalar(16), 1),
    ("_FortranAioInputDescriptor", Input::Array, 1),
    ("_FortranARandomNumber", Input::Array, 0),
];

impl Input {
    /// The input that a function makes, and the number of the argument that says where it goes.
    pub fn by_name(name: &str) -> Option<(Input, usize)> {
        INPUT.iter().find(|(n, ..)| *n == name).map(|(_, input, argument)| (*input, *argument))
    }
}

/// `(to, from, ..)`: the elements of one array become those of another, in order.
pub const COPIES: &[&str] = &["_FortranAAssign", "_FortranAAssignTemporary", "_FortranAReshape"];

/// How the elements of one array become those of another, in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Rearrangement {
    /// `(to, from, ..)`
    Transpose,
    /// `(to, from, dimension, ..)`: copies of an array along a dimension that it does not have.
    Spread,
    /// `(to, from, mask, ..)`: the elements where the mask holds.
    Pack,
}

impl Rearrangement {
    pub const ALL: [Rearrangement; 3] = [Rearrangement::Transpose, Rearrangement::Spread, Rearrangement::Pack];

    pub fn by_name(name: &str) -> Option<Rearrangement> {
        match name.strip_prefix("_FortranA")? {
            "Transpose" => Some(Rearrangement::Transpose),
            "Spread" => Some(Rearrangement::Spread),
            "Pack" => Some(Rearrangement::Pack),
            _ => None,
        }
    }
}

/// How an array is reduced to one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Reduction {
    Sum,
    Dot,
    /// One of the elements, such as the largest.
    Pick,
    Product,
    /// The root of the sum of squares.
    Norm,
}

impl Reduction {
    pub const ALL: [Reduction; 5] =
        [Reduction::Sum, Reduction::Dot, Reduction::Pick, Reduction::Product, Reduction::Norm];

    /// The reduction behind a name, for float or double: `_FortranASumReal8(a, file, line, dim, mask)`,
    /// `_FortranADotProductReal8(a, b, file, line)`, `_FortranANorm2_8(a, file, line, dim)`.
    pub fn by_name(name: &str) -> Option<Reduction> {
        let name = name.strip_prefix("_FortranA")?;
        let stem = ["Real8", "Real4", "_8", "_4"].iter().find_map(|format| name.strip_suffix(format))?;
        match stem {
            "Norm2" => Some(Reduction::Norm),
            "Sum" => Some(Reduction::Sum),
            "DotProduct" => Some(Reduction::Dot),
            "Maxval" | "Minval" => Some(Reduction::Pick),
            "Product" => Some(Reduction::Product),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_are_known_by_name() {
        assert_eq!(Reduction::by_name("_FortranASumReal8"), Some(Reduction::Sum));
        assert_eq!(Reduction::by_name("_FortranADotProductReal4"), Some(Reduction::Dot));
        assert_eq!(Reduction::by_name("_FortranAMinvalReal8"), Some(Reduction::Pick));
        assert_eq!(Reduction::by_name("_FortranAProductReal4"), Some(Reduction::Product));
        assert_eq!(Reduction::by_name("_FortranANorm2_8"), Some(Reduction::Norm));
        assert_eq!(Reduction::by_name("_FortranASumReal10"), None);
        assert_eq!(Reduction::by_name("sum"), None);
    }
}
