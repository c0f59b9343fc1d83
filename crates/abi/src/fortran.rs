//! Functions of flang's runtime: those that work on whole arrays, through descriptors, and remainders.

use crate::site::Op;

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
pub const COPIES: &[&str] =
    &["_FortranAAssign", "_FortranAAssignTemporary", "_FortranACopyInAssign", "_FortranAReshape"];

/// `(to, from, ..)`: the same, if `to` is not null; then `from` is given back. A section that a procedure wants in one
/// piece goes in by `_FortranACopyInAssign`, and comes back by this.
pub const COPY_BACK: &str = "_FortranACopyOutAssign";

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
    /// `(to, from, mask, field, ..)`: the elements go where the mask holds, those of the field elsewhere.
    Unpack,
    /// `(to, from, shift, ..)`: of a vector, around its end.
    CircularShift,
    /// `(to, from, shift, boundary, ..)`: of a vector; what comes in is the boundary, or 0.
    EndOffShift,
}

impl Rearrangement {
    pub const ALL: [Rearrangement; 6] = [
        Rearrangement::Transpose,
        Rearrangement::Spread,
        Rearrangement::Pack,
        Rearrangement::Unpack,
        Rearrangement::CircularShift,
        Rearrangement::EndOffShift,
    ];

    pub fn by_name(name: &str) -> Option<Rearrangement> {
        match name.strip_prefix("_FortranA")? {
            "Transpose" => Some(Rearrangement::Transpose),
            "Spread" => Some(Rearrangement::Spread),
            "Pack" => Some(Rearrangement::Pack),
            "Unpack" => Some(Rearrangement::Unpack),
            "CshiftVector" => Some(Rearrangement::CircularShift),
            "EoshiftVector" => Some(Rearrangement::EndOffShift),
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

/// How each element of an array is made of elements of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Making {
    /// Reductions along one dimension, where a mask holds.
    Sum,
    Product,
    /// One of the elements, such as the largest.
    Pick,
    Norm,
    /// The product of matrices, or of a matrix and a vector; in the second form the first matrix is transposed.
    Matmul,
    MatmulTransposed,
    /// The sum of all complex elements where a mask holds, to an address.
    ComplexSum,
}

/// A call that makes an array: `(to, ..)`, and which arguments say of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    pub how: Making,
    pub from: usize,
    /// The mask, or the second matrix.
    pub second: Option<usize>,
    pub dimension: Option<usize>,
}

impl Making {
    pub const ALL: [Making; 7] = [
        Making::Sum,
        Making::Product,
        Making::Pick,
        Making::Norm,
        Making::Matmul,
        Making::MatmulTransposed,
        Making::ComplexSum,
    ];

    /// Whether the second argument is a matrix, not a mask.
    pub fn is_product_of_matrices(self) -> bool {
        matches!(self, Making::Matmul | Making::MatmulTransposed)
    }
}

impl Made {
    /// `_FortranASumDim(to, a, dim, file, line, mask)`, `_FortranANorm2Dim(to, a, dim, file, line)`,
    /// `_FortranAMatmulReal8Real8(to, a, b, file, line)`, `_FortranACppSumComplex8(to, a, file, line, dim, mask)`.
    pub fn by_name(name: &str) -> Option<Made> {
        let along = |how, second| Some(Made { how, from: 1, second, dimension: Some(2) });
        let matrices = |how| Some(Made { how, from: 1, second: Some(2), dimension: None });
        match name.strip_prefix("_FortranA")? {
            "SumDim" => along(Making::Sum, Some(5)),
            "ProductDim" => along(Making::Product, Some(5)),
            "MaxvalDim" | "MinvalDim" => along(Making::Pick, Some(5)),
            "Norm2Dim" => along(Making::Norm, None),
            "MatmulReal8Real8" | "MatmulReal4Real4" => matrices(Making::Matmul),
            "MatmulTransposeReal8Real8" | "MatmulTransposeReal4Real4" => matrices(Making::MatmulTransposed),
            "CppSumComplex8" | "CppSumComplex4" => {
                Some(Made { how: Making::ComplexSum, from: 1, second: Some(5), dimension: None })
            }
            _ => None,
        }
    }
}

/// Whether a function writes floats that nothing here follows.
pub fn is_not_followed(name: &str) -> bool {
    let Some(stem) = name.strip_prefix("_FortranA") else { return false };
    let begins = |with: &[&str]| with.iter().any(|w| stem.starts_with(w));
    let is_known = Made::by_name(name).is_some() || Rearrangement::by_name(name).is_some();
    let takes_floats = stem.contains("Real") || stem.contains("Complex");
    let writes = begins(&["Cshift", "Eoshift"])
        || takes_floats && begins(&["Matmul", "CppProduct", "CppDotProduct", "CppReduce", "Reduce"]);
    writes && !is_known
}

/// Which remainder a function of Fortran's library gives.
pub fn remainder(name: &str) -> Option<Op> {
    match name {
        "_FortranAModReal4" | "_FortranAModReal8" | "_FortranAModReal10" => Some(Op::Rem),
        "_FortranAModuloReal4" | "_FortranAModuloReal8" | "_FortranAModuloReal10" => Some(Op::Modulo),
        _ => None,
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

    #[test]
    fn what_is_not_followed_is_known_too() {
        for name in
            ["_FortranACshift", "_FortranAMatmulReal8Complex8", "_FortranACppProductComplex8", "_FortranAEoshift"]
        {
            assert!(is_not_followed(name), "{name}");
        }
        for name in
            ["_FortranAMatmulReal8Real8", "_FortranASumReal8", "_FortranAAssign", "_FortranAMatmulInteger4Integer4"]
        {
            assert!(!is_not_followed(name), "{name}");
        }
    }
}
