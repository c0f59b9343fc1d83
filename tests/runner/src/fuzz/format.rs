//! The formats of values: float and double, which the evaluator follows, and others that only C and C++ have.

/// The format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Float,
    Double,
    /// In wild programs only, which are not evaluated.
    Other(Other),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    Half,
    Bfloat,
    Extended,
    ComplexFloat,
    ComplexDouble,
    Float4,
    Float8,
    Double2,
    Double4,
}

/// What a format is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    /// Real and imaginary part.
    Complex,
    /// So many lanes.
    Vector(usize),
}

impl Other {
    pub const ALL: &[Other] = &[
        Other::Half,
        Other::Bfloat,
        Other::Extended,
        Other::ComplexFloat,
        Other::ComplexDouble,
        Other::Float4,
        Other::Float8,
        Other::Double2,
        Other::Double4,
    ];
}

impl Format {
    pub fn shape(self) -> Shape {
        match self {
            Format::Other(Other::ComplexFloat | Other::ComplexDouble) => Shape::Complex,
            Format::Other(Other::Double2) => Shape::Vector(2),
            Format::Other(Other::Float4 | Other::Double4) => Shape::Vector(4),
            Format::Other(Other::Float8) => Shape::Vector(8),
            _ => Shape::Scalar,
        }
    }

    /// The scalar that it is made of.
    pub fn element(self) -> Format {
        match self {
            Format::Other(Other::ComplexFloat | Other::Float4 | Other::Float8) => Format::Float,
            Format::Other(Other::ComplexDouble | Other::Double2 | Other::Double4) => Format::Double,
            scalar => scalar,
        }
    }

    pub fn c_type(self) -> &'static str {
        match self {
            Format::Float => "float",
            Format::Double => "double",
            Format::Other(other) => match other {
                Other::Half => "_Float16",
                Other::Bfloat => "__bf16",
                Other::Extended => "long double",
                Other::ComplexFloat => "complex_float",
                Other::ComplexDouble => "complex_double",
                Other::Float4 => "float4",
                Other::Float8 => "float8",
                Other::Double2 => "double2",
                Other::Double4 => "double4",
            },
        }
    }
}
