//! Names as the source has them.

pub use nonius_machine::demangle::demangle;
