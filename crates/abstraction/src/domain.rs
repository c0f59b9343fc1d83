//! What an abstract execution asks of a domain.

use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_abi::site::Observed;
use nonius_finding::{Bounds, Range};
pub use nonius_machine::{Asked, Input};
use nonius_verdict::verdict::{Limits, Seen};
use nonius_zonotope::{Flow, Rounding, Side};

/// An operation of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Sqrt,
    Fma,
    Neg,
    Abs,
    CopySign,
    Min,
    Max,
    /// To a shorter format.
    Narrow,
    /// A function of libm, with its integer argument.
    Function(Function, i64),
}

/// A test that the program makes of floats.
#[derive(Clone, Copy, Debug)]
pub enum Test<'a, V> {
    /// LLVM's predicate.
    Compare { predicate: u32, x: &'a V, y: &'a V, actual: [f64; 2] },
    /// Truncated, or rounded in another way, to an integer.
    ToInteger { how: ToInteger, x: &'a V, actual: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToInteger {
    Truncate,
    Down,
    Up,
    Nearest,
    NearestEven,
}

impl ToInteger {
    pub fn of(self, x: f64) -> f64 {
        match self {
            ToInteger::Truncate => x.trunc(),
            ToInteger::Down => x.floor(),
            ToInteger::Up => x.ceil(),
            ToInteger::Nearest => x.round(),
            ToInteger::NearestEven => x.round_ties_even(),
        }
    }
}

/// The ways that a test can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ways {
    /// The same for all numbers of the domain: of the path's, which need not be the program's own. `None`: there are none.
    One(Option<i64>),
    Several(Vec<Flow>),
    /// More than are listed, or nobody knows.
    Unknown,
}

pub trait Domain: Send {
    type Value: Clone + Send;

    /// The number itself, exactly: a double, or the sum of two.
    fn lift(&mut self, x: f64, low: f64) -> Self::Value;

    /// Anything.
    fn unknown(&self) -> Self::Value;

    fn is_known(&self, value: &Self::Value) -> bool;

    /// Whether it is the same number for all inputs, as a float and as a real.
    fn is_one_number(&self, value: &Self::Value) -> bool;

    /// The result of an operation whose float was `actual` in this run.
    fn apply(&mut self, op: Operation, args: [&Self::Value; 3], actual: f64, rounding: Rounding) -> Self::Value;

    /// A declared input, or why it is none. `actual` is what the program has there.
    fn input(&mut self, input: Input, actual: f64, format: Precision, origins: [u32; 2])
    -> Result<Self::Value, String>;

    /// How a test can go; `side`: of floats and reals, or of one of them alone.
    fn ways(&mut self, test: &Test<Self::Value>, side: Side) -> Ways;

    /// From here on the test has gone that way. Says whether it can have.
    fn learn(&mut self, test: &Test<Self::Value>, flow: Flow, side: Side) -> bool;

    /// From here on an input's real is in a part of its range.
    fn learn_range(&mut self, _value: &Self::Value, _range: [f64; 2]) {}

    /// What is known of a value, and which origins its error comes from, with their share.
    fn bounds(&mut self, value: &Self::Value, actual: f64, format: Precision) -> (Bounds, Vec<(u32, f64)>);

    /// How a value that is observed may have lost more digits than it may, if it can.
    fn loss(&mut self, _value: &Self::Value, _judge: &Judge<'_>) -> Option<Loss> {
        None
    }

    /// A sample of the inputs that takes another way through the test than the program does, or whose float takes another
    /// than its real.
    fn flip(&self, _test: &Test<Self::Value>, _outcome: i64) -> Option<Flip> {
        None
    }

    /// All inputs take this way, whatever theirs is: samples of another are given up.
    fn take_one_path(&mut self, _test: &Test<Self::Value>, _outcome: i64) {}

    /// From here on this process is of the floats or of the reals alone.
    fn take_side(&mut self, _side: Side) {}

    /// An integer was made of a float's bits.
    fn took_bits(&mut self) {}

    /// Paths that knew this have become one.
    fn gather(&mut self, _knowledge: &[&[u8]]) {}

    /// Whether its bounds hold for all inputs, or are an estimate.
    const IS_ESTIMATE: bool;

    /// From here on this is another path, which makes symbols of its own.
    fn begin_path(&mut self, _number: u64) {}

    /// What the path knows of the symbols, to come back to.
    fn knowledge(&self) -> Vec<u8> {
        Vec::new()
    }

    /// The same, of the floats or of the reals alone.
    fn knowledge_of(&mut self, _side: Side) -> Vec<u8> {
        Vec::new()
    }

    /// Of no bytes, nothing is known.
    fn set_knowledge(&mut self, _bytes: &[u8]) {}

    /// Whether both are the same object, not only alike.
    fn is_same(&self, _x: &Self::Value, _y: &Self::Value) -> bool {
        false
    }

    /// What [`Domain::pack`] made.
    fn unpack(&mut self, _bytes: &[u8]) -> Option<Self::Value> {
        None
    }

    /// A value as bytes, for another process.
    fn pack(&self, _value: &Self::Value) -> Vec<u8> {
        Vec::new()
    }

    /// One value for those of several paths, which parted at `origin`, and by how much float and real differ where they took different ones.
    /// What is known must hold on all of them: it is the paths' own no more.
    fn join(&mut self, _all: &[Packed<'_>], _format: Precision, _origin: u32) -> Option<Joined<Self::Value>> {
        None
    }
}

/// What a value that is observed is held against.
pub struct Judge<'a> {
    pub limits: &'a Limits,
    pub format: Precision,
    pub observed: Observed,
}

/// A value that has lost more digits than it may, for some of the inputs or for all that anyone knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Of the relative error; infinite where it has none.
    pub bound: f64,
    /// Where it was lost: the site of an operation.
    pub blamed: Option<u32>,
    /// A sample of the inputs that shows it.
    pub shown: Option<(Seen, Vec<Drawn>)>,
}

/// A sample of an input: the float, the real, and how many of its name there were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub origin: u32,
    pub count: u64,
    pub float: f64,
    pub real: f64,
}

/// A sample that takes another way.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    pub float: i64,
    pub real: i64,
    pub inputs: Vec<Drawn>,
}

/// A value as another path left it.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    /// The test where float and real went apart, and which of them this is.
    pub tag: Option<(u64, Side)>,
    pub knowledge: &'a [u8],
    pub value: &'a [u8],
}

#[derive(Clone, Debug)]
pub struct Joined<V> {
    pub value: V,
    /// The greatest error of a float and a real that went apart, by the test where they did.
    pub apart: Vec<(u64, f64)>,
    /// The greatest error of those that went together.
    pub together: f64,
    /// A float or a real that went apart has no partner.
    pub is_partial: bool,
}

/// A range for a report.
pub fn range(lo: f64, hi: f64) -> Range {
    Range { lo, hi }
}
