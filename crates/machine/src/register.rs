//! A value as the machine has it: the program's own, its shadow, and where it came from.

use nonius_oracle::Oracle;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// What is known of a value beside its shadow.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Known {
    /// The program's value; of x87 and quad the nearest double.
    pub value: f64,
    /// Ideal minus actual, as last measured.
    pub residue: f64,
    /// The node of the trail that made it; 0 if it has no error, or came from outside.
    pub node: u64,
    /// The worst cancellation on the way to it: badness above, site below.
    pub cancelled: u64,
    /// The site that made it, `NONE` if it came from outside.
    pub site: u32,
    /// Operations between it and what came from outside ([`STEPS`]), and [`UNFOLLOWED`]; from [`UNKNOWN`] on the value
    /// itself is not known.
    pub depth: u32,
}

/// A value that events were missing for. It survives the arithmetic of depths: 1 + max.
pub const UNKNOWN: u32 = 1 << 31;
/// Something on the way to a value was done by code that the machine did not see: its error may be another. It
/// survives in the same way.
pub const UNFOLLOWED: u32 = 1 << 30;
/// The part of a depth that counts.
pub const STEPS: u32 = UNFOLLOWED - 1;

/// The depth behind one operation more. What marks it stays, however long the run.
#[inline(always)]
pub fn one_more(depth: u32) -> u32 {
    depth + u32::from(depth & STEPS != STEPS)
}

impl Known {
    pub const fn outside(value: f64) -> Known {
        Known { value, residue: 0.0, node: 0, cancelled: 0, site: nonius_abi::site::NONE, depth: 0 }
    }

    /// In place of an operand that an operation does not have.
    pub const ABSENT: Known = Known::outside(0.0);

    /// In place of operands that an operation has not been evaluated from.
    pub const UNFOLLOWED: Known = Known { depth: UNFOLLOWED, ..Known::outside(0.0) };

    pub const NOTHING: Known = Known { depth: UNKNOWN, ..Known::outside(f64::NAN) };

    #[inline(always)]
    pub fn is_known(&self) -> bool {
        self.depth < UNKNOWN
    }

    #[inline(always)]
    pub fn is_followed(&self) -> bool {
        self.depth < UNFOLLOWED
    }

    /// Operations one after another that lead to it.
    pub fn steps(&self) -> u32 {
        self.depth & STEPS
    }

    /// The badness of the worst cancellation, and its site.
    pub fn worst_cancellation(&self) -> (u32, u32) {
        ((self.cancelled >> 32) as u32, self.cancelled as u32)
    }
}

/// In cache lines of its own: most oracles' shadows fit into one with the rest.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Register<S> {
    pub known: Known,
    pub shadow: S,
}

impl<S> Register<S> {
    pub fn new<O: Oracle<Shadow = S>>(oracle: &O) -> Register<S> {
        Register { known: Known::NOTHING, shadow: oracle.variable() }
    }

    #[inline(always)]
    pub fn copy_from<O: Oracle<Shadow = S>>(&mut self, other: &Register<S>, oracle: &mut O) {
        self.known = other.known;
        oracle.copy(&mut self.shadow, &other.shadow);
    }

    /// The value comes from something that has no shadow.
    #[inline(always)]
    pub fn restart<O: Oracle<Shadow = S>>(&mut self, value: f64, low: f64, oracle: &mut O) {
        self.known = Known::outside(value);
        if low == 0.0 {
            oracle.restart(&mut self.shadow, value);
        } else {
            oracle.restart_wide(&mut self.shadow, value, low);
        }
    }
}
