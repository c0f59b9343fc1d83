//! What a program says of its inputs, and asks about its variables, for abstract execution.

/// What the program says of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// The real value is in this range.
    pub real: [f64; 2],
    /// The float differs from it by that.
    pub error: [f64; 2],
}

/// Where the program asked for something, and of what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Asked {
    pub name: String,
    pub file: String,
    pub line: u32,
}
