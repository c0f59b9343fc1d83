//! Programs of floats: single operations on variables, tests, loops of fixed length, arrays, calls.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Float,
    Double,
}

impl Format {
    pub fn c(self) -> &'static str {
        if self == Format::Float { "float" } else { "double" }
    }

    pub fn rounded(self, x: f64) -> f64 {
        if self == Format::Float { f64::from(x as f32) } else { x }
    }
}

/// Operations that C writes with a sign, or as a call of this name; the second number is how many operands they have.
pub const OPERATIONS: &[(&str, usize)] = &[
    ("+", 2),
    ("-", 2),
    ("*", 2),
    ("/", 2),
    ("negate", 1),
    ("fma", 3),
    ("sqrt", 1),
    ("fabs", 1),
    ("fmin", 2),
    ("fmax", 2),
    ("fdim", 2),
    ("fmod", 2),
    ("copysign", 2),
    ("floor", 1),
    ("ceil", 1),
    ("trunc", 1),
    ("round", 1),
    ("rint", 1),
    ("exp", 1),
    ("exp2", 1),
    ("exp10", 1),
    ("expm1", 1),
    ("log", 1),
    ("log2", 1),
    ("log10", 1),
    ("log1p", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("cbrt", 1),
    ("erf", 1),
    ("erfc", 1),
    ("pow", 2),
    ("hypot", 2),
    ("atan2", 2),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    Variable(usize),
    Constant(f64),
}

/// Where in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    Constant(usize),
    /// The counter of the loop around.
    Counter(usize),
    /// An integer variable, modulo the array's length.
    Integer(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    Truncate,
    Rint,
    Round,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `to = op(args)`, in the format of `to`.
    Set {
        to: usize,
        op: &'static str,
        args: [Operand; 3],
    },
    If {
        x: Operand,
        predicate: &'static str,
        y: Operand,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Loop {
        counter: usize,
        turns: usize,
        body: Vec<Statement>,
    },
    /// An integer variable from a float that is cut to [-limit, limit].
    ToInteger {
        to: usize,
        from: Operand,
        how: Whole,
        limit: f64,
    },
    FromInteger {
        to: usize,
        from: usize,
    },
    Store {
        array: usize,
        index: Index,
        from: Operand,
    },
    Load {
        to: usize,
        array: usize,
        index: Index,
    },
    Call {
        to: usize,
        helper: usize,
        args: Vec<Operand>,
    },
    /// Of a helper: leaves it with this value.
    Return(Operand),
    /// The bounds of a variable are asked for.
    Observe {
        id: usize,
        variable: usize,
    },
}

/// What the inputs can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub format: Format,
    pub own: f64,
    pub real: [f64; 2],
    pub error: [f64; 2],
}

pub const ARRAY: usize = 4;
pub const ARRAYS: usize = 2;
pub const INTEGERS: usize = 2;

/// A function's own: parameters come first, then variables that begin as constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub formats: Vec<Format>,
    pub begin: Vec<f64>,
    pub parameters: usize,
    pub statements: Vec<Statement>,
    pub is_inlined: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub inputs: Vec<Input>,
    pub helpers: Vec<Body>,
    /// Its parameters are the inputs.
    pub main: Body,
}
