//! Places in the source, and the stacks that lead to them.

use serde::{Deserialize, Serialize};

/// A place in the source. Without debug information `file` is empty and `line` is 0;
/// `column` is 0 wherever the compiler did not keep it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    #[serde(default)]
    pub function: String,
}

impl Location {
    pub fn new(file: &str, line: u32, column: u32, function: &str) -> Self {
        Self { file: file.to_owned(), line, column, function: function.to_owned() }
    }

    /// Whether there is a source line to show.
    pub fn has_line(&self) -> bool {
        !self.file.is_empty() && self.line != 0
    }

    /// The last component of `file`, which is the same in every build directory.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

/// One frame of a stack, innermost first in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    /// Path of the executable or library that holds the code.
    #[serde(default)]
    pub module: String,
    /// Address of the instruction in the process, 0 if unknown.
    #[serde(default)]
    pub address: u64,
    /// Inlined into the frame that follows.
    #[serde(default)]
    pub inlined: bool,
    /// Code that was not instrumented: of a library, or of the language's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}
