//! The code table: what each block of the recording clones does with floats, so that a machine
//! can re-do it from the recorded words alone (see `event`).
//!
//! A function's floats live in *slots*, one a lane: a vector of four doubles has four slots that
//! follow each other. A *block* is a straight run of *steps*. LLVM's blocks are cut behind each call
//! that could record, so the events of a callee lie between those of two blocks of its caller.
//! Each block has a record of fixed size; a step names the words of the record that it needs.
//!
//! What only moves floats between registers (extracting, inserting, shuffling lanes and members,
//! freezing) has no step: its result names the slots of what it was made of.

mod check;
mod wire;

use crate::Precision;
use crate::site::NONE;

pub use check::Size;
pub use wire::CodeError;

/// The section of an object that holds the table.
pub const SECTION: &str = "nonius_code";

/// A float that a step takes: a slot of the frame, a constant of the table, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand(u32);

/// An operand, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Slot(u32),
    /// Index into the table's constants.
    Constant(u32),
    /// Poison, undefined, or no operand at all.
    Nothing,
}

impl Operand {
    pub const NOTHING: Operand = Operand(NONE);
    const CONSTANT: u32 = 1 << 31;

    pub fn slot(slot: u32) -> Operand {
        debug_assert!(slot < Operand::CONSTANT);
        Operand(slot)
    }

    pub fn constant(index: u32) -> Operand {
        debug_assert!(index < Operand::CONSTANT - 1);
        Operand(index | Operand::CONSTANT)
    }

    pub fn source(self) -> Source {
        match self.0 {
            NONE => Source::Nothing,
            x if x & Operand::CONSTANT != 0 => Source::Constant(x & !Operand::CONSTANT),
            slot => Source::Slot(slot),
        }
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.source() {
            Source::Slot(slot) => write!(f, "%{slot}"),
            Source::Constant(index) => write!(f, "#{index}"),
            Source::Nothing => write!(f, "_"),
        }
    }
}

macro_rules! bytes {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            pub fn from_u8(x: u8) -> Option<$name> {
                $name::ALL.get(usize::from(x)).copied()
            }
        }
    };
}

bytes! {
    /// What a step does. `r` is `result`, `a b c` are `args`, `w` is `word`, `p` is `place`; a recorded
    /// *value* lies at `w` as it would in memory, padded to whole words (see [`value_words`]).
    Kind {
        /// r = the value at w: it comes from something that has no shadow. `detail` 1: from an operation that has no
        /// step, so that its error is not known; [`LIVE`]: r was computed before a task began, and stays if it has that
        /// value; else from outside, and exact.
        Value,
        /// r = the parameter whose first lane is number `detail` among the function's; value at w. The
        /// caller's shadow holds if the caller's last call was of this function and its value is the same.
        Parameter,
        /// r = [`Arith`] `detail` of a, b, c. If w is there, the program's value is at w and may
        /// differ from the operation's (fast-math, formats that are not re-done): take it as actual.
        Arith,
        /// r = `libm::FUNCTIONS[detail]` of a, b, c; value at w. An integer argument lies at p.
        Function,
        /// r = a in another format; `detail` is a's `Precision`. w as for `Arith`.
        Convert,
        /// r = integers at w, a word (i64) a lane; `detail` 1: they are unsigned.
        FromInteger,
        /// a becomes an integer, or for a remainder the quotient of a and b does, by the [`crate::site::Op`] `detail`. A
        /// check; no result.
        ToInteger,
        /// a and b are compared, `detail` is LLVM's predicate. A check; no result. If p is there, bit i of the
        /// word says whether lane i counts: another test may have decided before. With [`CHOICE`], the comparison picks one
        /// of them; with [`SIGN`], it gives its sign to c.
        Compare,
        /// r = a or b: bit i of the word at p is 1 for a in lane i; `detail` 1: bit 0 holds for all lanes.
        Select,
        /// r = a.
        Move,
        /// r = what lies at address [p] + offset; value at w. Lanes follow each other.
        Load,
        /// Address [p] + offset = a. Lanes follow each other. `detail` 1: a constant is data there, and counts as exact (see
        /// `constant`).
        Store,
        /// As `Load` and `Store`, with an address a lane at p, p + 1, ...; an address 0 is a lane left out.
        Gather,
        Scatter,
        /// [p + 2] bytes are copied from [p + 1] to [p]; they may overlap. From address 0: the bytes were
        /// written by something that has no shadows; `detail` 1: they were read from outside of the program.
        Copy,
        /// a is observed: the site says where.
        Check,
        /// `calls[detail]` begins; the last step of its block. [p] is the callee's address if p is there.
        /// `offset` 1: by a guaranteed tail call, which takes the frame for the callee's.
        Call,
        /// r = a result of the call that the frame's last block ended with; `detail` is the number of its
        /// first lane among the call's results. Value at w. The callee's shadow holds if it returned here
        /// just now with the same value.
        Result,
        /// The function returns `lists[detail]`, a lane each; the last step of its block.
        Return,
        /// A request of `nonius.h`: `detail` is the `api::Request`; p holds the address of its text.
        /// `Resume`: r = a without its error.
        Request,
        /// r = `libm::FUNCTIONS[detail]`, a complex function, of the numbers a and b; each has two lanes,
        /// real part first. Value at w.
        Complex,
        /// As `Result`, of a callee that may be a mathematical function: where the word at p is the number of one (see
        /// `by_address`), r = it of a, b, c, and an integer argument lies at word `offset`, if that is not below 0.
        ByAddress,
        /// a and b are compared, `detail` is LLVM's predicate; or from [`TO_INTEGER`] on a becomes an integer, by the
        /// [`crate::site::Op`] above it. What the program goes on with may be asked of a machine first: all that the record
        /// says of the steps before this one is written then. No result.
        Decide,
        /// Paths that parted at a test may meet here, at the point of this number `detail` of the function; [`RETURN`] is
        /// before it returns. No result.
        Meet,
    }
}

/// In the detail of [`Kind::Value`]: what a task takes over from before it began.
pub const LIVE: u32 = 2;

/// In the detail of [`Kind::Decide`]: a conversion to an integer, or a rounding function.
pub const TO_INTEGER: u32 = 64;

/// The same: an integer is made of a float's bits, by operations that have no step.
pub const BITS: u32 = 32;

/// No point of the function lies on all ways behind a block.
pub const NO_MEETING: u32 = NONE;
/// The number of the point before a function returns, of those where paths meet.
pub const RETURN: u32 = 0;

/// Beside a comparison's predicate: one of the operands is taken, and counts if the ideals differ by more than they may.
pub const CHOICE: u32 = 16;
/// The same: the sign of the first operand is taken, and counts where its error does not explain the difference.
pub const SIGN: u32 = 32;

bytes! {
    /// Operations that a machine re-does bit for bit in float and double.
    Arith {
        Add,
        Sub,
        Mul,
        Div,
        /// C's fmod.
        Rem,
        Neg,
        Abs,
        Sqrt,
        /// a * b + c, rounded once.
        Fma,
        /// a with the sign of b.
        CopySign,
        /// The other operand if one is a NaN (llvm.minnum, maxnum; value recorded, as zeros have no order).
        MinNum,
        MaxNum,
        /// NaN if one is (llvm.minimum, maximum; -0 below +0).
        Minimum,
        Maximum,
        /// Rounded on purpose: the program works out what the rounding cost.
        IntendedAdd,
        IntendedSub,
        IntendedMul,
        IntendedDiv,
        /// What such a rounding cost: an ideal that cannot be told from it is it. The third operand is the
        /// operation's result, or less that.
        LowAdd,
        LowSub,
        LowFma,
        /// Rounded on purpose, as `IntendedAdd`.
        IntendedSqrt,
        /// a, a part of what is left of b: an error that is nothing beside the last bit of the last bit of b is none.
        Beside,
        /// a, which the program corrects: an error of a few last bits is none.
        Seed,
        /// a, whose error the program knows to be at most b: up to that it is none.
        Bounded,
        /// Rounded to a step, the last bit of the larger operand (of c in a * b + c): an error below half of that is none.
        SnapAdd,
        SnapSub,
        SnapFma,
    }
}

/// The share of a number that is below what two words of its format hold, but for a few bits.
pub fn beside_two_words(precision: Precision) -> f64 {
    f64::from_bits((1023 + 10 - 2 * u64::from(precision.bits())) << 52)
}

/// The share of a number that is a few of its last bits.
pub fn few_last_bits(precision: Precision) -> f64 {
    f64::from_bits((1023 + 3 - u64::from(precision.bits())) << 52)
}

impl Arith {
    pub fn arguments(self) -> usize {
        match self {
            Arith::Neg | Arith::Abs | Arith::Sqrt | Arith::IntendedSqrt | Arith::Seed => 1,
            Arith::Fma | Arith::LowAdd | Arith::LowSub | Arith::LowFma | Arith::SnapFma => 3,
            _ => 2,
        }
    }
}

/// One step. Fields that a kind does not name are `NONE`, 0 or `NOTHING`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub kind: Kind,
    /// Of the result, or of the operands where there is none.
    pub precision: Precision,
    pub lanes: u16,
    pub detail: u32,
    /// First slot of the result.
    pub result: u32,
    /// Lanes follow each other, in slots and in constants.
    pub args: [Operand; 3],
    pub word: u32,
    pub place: u32,
    pub offset: i32,
    /// Of the object's site table; `NONE` for steps that move.
    pub site: u32,
}

impl Step {
    pub fn new(kind: Kind, precision: Precision, lanes: u16) -> Step {
        Step {
            kind,
            precision,
            lanes,
            detail: 0,
            result: NONE,
            args: [Operand::NOTHING; 3],
            word: NONE,
            place: NONE,
            offset: 0,
            site: NONE,
        }
    }
}

/// Words of a recorded value: its bytes as in memory, lanes without gaps (an x87 lane has 16 bytes).
pub fn value_words(precision: Precision, lanes: u16) -> u32 {
    (lane_bytes(precision) * u32::from(lanes)).div_ceil(8)
}

/// Bytes from a recorded lane to the next.
pub fn lane_bytes(precision: Precision) -> u32 {
    match precision {
        Precision::X87 => 16,
        other => other.store_bytes(),
    }
}

/// `to` and the `lanes - 1` slots behind it become `from` and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub to: u32,
    pub from: Operand,
    pub lanes: u32,
}

/// The phis of a block when control comes from the block `from`; all moves happen at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of a block of the table.
    pub from: u32,
    pub moves: Vec<Move>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Index of its function in the table.
    pub function: u32,
    /// A new frame begins here.
    pub enters: bool,
    /// Words of its record behind the header.
    pub words: u32,
    /// The next point behind the block where paths may meet (see [`Kind::Meet`]), if they come there whichever way they take;
    /// [`NO_MEETING`] if the function has none.
    pub meets: u32,
    pub edges: Vec<Edge>,
    pub steps: Vec<Step>,
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function of this table, by index.
    Here(u32),
    /// A function of another object that has this name (a string of the site table).
    Named(u32),
    /// Known by its address only, which is recorded.
    Address,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub callee: Callee,
    /// The float lanes among the arguments, in order.
    pub arguments: Vec<Operand>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Index of the function in the site table, which has its name.
    pub site_function: u32,
    pub slots: u32,
    /// Other objects cannot call it by name.
    pub local: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    pub precision: Precision,
    /// As in memory, little-endian.
    pub bits: u128,
}

/// A code table in memory. `parse` gives only tables that [`Code::validate`] takes: all indices are within bounds, of
/// slots in their function, of words in their block's record, and of everything else in the table.
/// Strings and sites belong to the object's site table and are checked against it by [`Code::fits`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub functions: Vec<Function>,
    pub blocks: Vec<Block>,
    pub calls: Vec<Call>,
    pub lists: Vec<Vec<Operand>>,
    pub constants: Vec<Constant>,
    /// Functions with floats that have no recording clone: what they write to memory has no events.
    pub unrecorded: u32,
}

impl Step {
    /// Words at `word`.
    pub fn recorded_words(&self) -> u32 {
        match self.kind {
            Kind::FromInteger => u32::from(self.lanes),
            _ => value_words(self.precision, self.lanes),
        }
    }

    /// Words at `place`.
    pub fn place_words(&self) -> u32 {
        match self.kind {
            Kind::Gather | Kind::Scatter => u32::from(self.lanes),
            Kind::Copy => 3,
            _ => 1,
        }
    }
}
