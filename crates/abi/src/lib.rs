//! What the compiler pass and the runtime share. The pass emits code against these
//! definitions and the runtime implements them; nothing is written down twice.
#![forbid(unsafe_code)]

pub mod api;
pub mod by_address;
pub mod code;
pub mod event;
pub mod files;
pub mod fortran;
pub mod hooks;
pub mod libc;
pub mod libm;
pub mod planes;
pub mod rust;
pub mod site;
pub mod table;
pub mod tally;
pub mod thread;

/// Version of everything in this crate. Pass and runtime of different versions do not mix;
/// the runtime says so when an object registers its site table.
pub const ABI_VERSION: u32 = 4;

/// The floating-point formats that have shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Precision {
    Half,
    Bfloat,
    Float,
    Double,
    X87,
    Quad,
}

impl Precision {
    pub const ALL: [Precision; 6] =
        [Precision::Half, Precision::Bfloat, Precision::Float, Precision::Double, Precision::X87, Precision::Quad];

    /// Bits of the significand, the hidden one included.
    pub const fn bits(self) -> u32 {
        match self {
            Precision::Half => 11,
            Precision::Bfloat => 8,
            Precision::Float => 24,
            Precision::Double => 53,
            Precision::X87 => 64,
            Precision::Quad => 113,
        }
    }

    /// Bytes that a store of it writes.
    pub const fn store_bytes(self) -> u32 {
        match self {
            Precision::Half | Precision::Bfloat => 2,
            Precision::Float => 4,
            Precision::Double => 8,
            Precision::X87 => 10,
            Precision::Quad => 16,
        }
    }

    /// The share of a value up to which its ideal is nothing beside it: what is left of 0 by the noise of
    /// shadows, whose size goes with theirs. (Residues in memory have the precision of their values.)
    pub const fn nothing(self) -> f64 {
        match self {
            Precision::Half | Precision::Bfloat | Precision::Float => 1.0 / 1024.0,
            Precision::Double | Precision::X87 | Precision::Quad => 1.0 / 1_048_576.0,
        }
    }

    pub fn from_u8(x: u8) -> Option<Precision> {
        Precision::ALL.get(usize::from(x)).copied()
    }
}
