//! Sites: the static operations and observables that findings speak of.

use crate::Precision;

/// What kind of operation produced a value, or is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    Unknown,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
    Fma,
    Sqrt,
    /// A known function; its name is in the site's `name`.
    Function,
    /// A call of code that has no shadows, or whose shadow arrived by the tag.
    Call,
    Load,
    Parameter,
    Select,
    Convert,
    FromInteger,
    /// To integer, towards zero.
    ToInteger,
    /// To integer, to nearest, ties as the rounding mode says (lrint).
    ToIntegerRint,
    /// To integer, to nearest, ties away from zero (lround).
    ToIntegerRound,
    Compare,
    Reduce,
    Atomic,
    /// The exponent, as an integer (ilogb).
    Exponent,
    /// To an integer that stays a float.
    Floor,
    Ceil,
    Trunc,
    Round,
    /// By the rounding mode, and so `nearbyint` and `roundeven`.
    Rint,
    /// The exponent as a float.
    Logb,
    /// `x - n y` with the integer n nearest to x / y; `Rem` has it towards zero.
    Remainder,
    /// The same with n downwards, as Fortran's `modulo`.
    Modulo,
    /// One of two operands, `fmin` or `fmax`; `name` says which.
    Choice,
    /// A sign that is taken, by `copysign` or `signbit`.
    Sign,
}

impl Op {
    /// Whether an integer comes out, of the value or of a quotient, that a small error can change.
    pub fn steps(self) -> bool {
        self.converts() || self.rounds() || self.is_remainder()
    }

    /// Whether the integer is one in the program too.
    pub fn converts(self) -> bool {
        matches!(self, Op::ToInteger | Op::ToIntegerRint | Op::ToIntegerRound | Op::Exponent)
    }

    /// Whether the integer stays a float.
    pub fn rounds(self) -> bool {
        matches!(self, Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::Rint | Op::Logb)
    }

    pub fn is_remainder(self) -> bool {
        matches!(self, Op::Rem | Op::Remainder | Op::Modulo)
    }
}

/// Where a value was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Observed {
    Operation,
    Return,
    Argument,
    Store,
    Output,
    Branch,
    Cast,
    Api,
}

macro_rules! from_u8 {
    ($ty:ident: $($variant:ident)*) => {
        impl $ty {
            pub fn from_u8(x: u8) -> Option<$ty> {
                const ALL: &[$ty] = &[$($ty::$variant),*];
                ALL.get(usize::from(x)).copied()
            }
        }
    };
}
from_u8!(Op: Unknown Add Sub Mul Div Rem Neg Fma Sqrt Function Call Load Parameter Select Convert
    FromInteger ToInteger ToIntegerRint ToIntegerRound Compare Reduce Atomic Exponent Floor Ceil Trunc Round Rint Logb
    Remainder Modulo Choice Sign);
from_u8!(Observed: Operation Return Argument Store Output Branch Cast Api);
from_u8!(Loss: Operation Result Argument Memory Folded);
from_u8!(LeftAlone: Strict Marked Option Unsupported);

/// How values come from code without shadows. Each entry of a table's `lost` has a counter of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Loss {
    /// An operation of the program that has no shadow.
    Operation,
    /// The result of a call.
    Result,
    /// An argument that a caller handed over without its shadow.
    Argument,
    /// A call that was given memory, and may have written to it: the calls are counted.
    Memory,
    /// Operations on constants that the compiler computed and nobody checked: so many there are, whatever the run counts.
    Folded,
}

/// Why a function with floats is as the compiler made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LeftAlone {
    /// It may look at the exceptions that its operations raise.
    Strict,
    /// The source says so.
    Marked,
    /// An option of the compilation says so.
    Option,
    /// The pass cannot do it.
    Unsupported,
}

/// Operations or callees of a function without shadow: a name, and how many places of the function have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub name: u32,
    pub loss: Loss,
    pub count: u32,
}

/// A source position with the calls it was inlined through.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    pub file: u32,
    /// The function as the source names it, mangled if the language mangles.
    pub function: u32,
    pub line: u32,
    pub column: u32,
    /// Index of the position of the call that this one was inlined at; `NONE` at the top.
    pub inlined_at: u32,
    /// The function has an operation or two and no more: of what is computed there, its callers tell.
    pub is_small: bool,
}

/// What the code around a site says of it, a bit each.
pub mod mark {
    /// Of a comparison: one outcome leads nowhere but to the end of the program or the test.
    pub const ENDS: u8 = 1;
    /// Of a comparison: it says how often a loop adds something to one of its sides.
    pub const COUNTS: u8 = 2;
    /// The program shows that it knows: it adds a constant and takes it away again. Of a comparison for equality: it is the
    /// short way through one with a tolerance.
    pub const MEANT: u8 = 4;
    /// Of what is no comparison: the program tests for a NaN that comes of it.
    pub const NAN_TESTED: u8 = 1;
    /// The same for an infinity.
    pub const INF_TESTED: u8 = 2;
    /// Of a comparison: it keeps the greater or the less of its sides, with what belongs to it.
    pub const KEEPS: u8 = 8;
    /// Of a sum: its terms are computed of the same values, or one is a constant, so that what is left is a result.
    pub const RESULT: u8 = 8;
}

/// No index.
pub const NONE: u32 = u32::MAX;

/// A site record. Strings and positions are indices into the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub op: Op,
    pub precision: Precision,
    pub observed: Observed,
    /// The predicate of a comparison, as LLVM numbers it; else 0. Less than 16.
    pub predicate: u8,
    /// See [`mark`]. Less than 16.
    pub marks: u8,
    /// The operation that made the value; `NONE` without debug information.
    pub at: u32,
    /// Where it was observed; the same as `at` for operations.
    pub seen: u32,
    /// The known function, the callee, or the empty string.
    pub name: u32,
    /// Index of the function in whose code the site lies.
    pub function: u32,
}

/// A function of the object, with how much of it is shadowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    pub name: u32,
    pub operations: u32,
    pub operations_shadowed: u32,
    pub calls: u32,
    pub calls_shadowed: u32,
    pub checks: u32,
    /// First of its entries in the table's `lost`, and how many.
    pub lost_start: u32,
    pub lost_count: u32,
    /// Why it has no shadows at all.
    pub left_alone: Option<LeftAlone>,
}
