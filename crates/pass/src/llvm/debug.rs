//! Debug locations.

use super::{Module, Value, c_string, copy_text};
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

/// A source position, with the call that it was inlined at.
#[derive(Clone, Copy, Debug)]
pub struct DebugLoc(LLVMMetadataRef);

/// Where an instruction stood before anything was optimized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub function: String,
    pub line: u32,
    pub column: u32,
    /// What it did: optimizers make `x - 1` an addition of -1. See [`BY_NAME`].
    pub opcode: String,
}

/// A division whose divisor is a variable; not one that is computed where it divides.
pub const BY_NAME: &str = "fdiv by name";

impl Module {
    /// Moves the lines of a file in all locations, and the columns of each new line by its number in `columns`.
    pub fn move_lines(self, file: &str, by: i64, columns: &[u32]) {
        let file = c_string(file);
        // SAFETY: a module, a text that ends with a zero, and a slice.
        unsafe { super::nonius_move_lines(self.0, file.as_ptr(), by, columns.as_ptr(), columns.len()) }
    }
}

impl Value {
    /// Keeps an instruction's place for [`Value::noted_place`], whatever becomes of its location. `by_name`: see [`BY_NAME`].
    pub fn note_place(self, by_name: bool) {
        // SAFETY: an instruction.
        unsafe { super::nonius_note_place(self.0, by_name) }
    }

    pub fn noted_place(self) -> Option<Place> {
        if !self.is_instruction() {
            return None;
        }
        let (mut texts, mut lengths) = ([std::ptr::null(); 6], [0; 6]);
        // SAFETY: an instruction, and room for six texts that LLVM owns.
        unsafe {
            if !super::nonius_noted_place(self.0, texts.as_mut_ptr(), lengths.as_mut_ptr()) {
                return None;
            }
            let [line, column, name, folder, function, opcode] =
                std::array::from_fn(|n| copy_text(texts[n], lengths[n]));
            let file = full_path(&folder, name);
            Some(Place { file, function, line: line.parse().ok()?, column: column.parse().ok()?, opcode })
        }
    }

    /// Gives each way to a shared return a return of its own, if they are few.
    pub fn split_returns(self, most_ways: u32) {
        // SAFETY: a function with a body that no analysis holds on to.
        unsafe { super::nonius_split_returns(self.0, most_ways) }
    }

    /// Whether the function was compiled with debug information.
    pub fn has_lines(self) -> bool {
        // SAFETY: a function; null means none.
        unsafe { !LLVMGetSubprogram(self.0).is_null() }
    }

    /// Name and line of a function that was written in `file`.
    pub fn declared_in(self, file: &str) -> Option<(String, u32)> {
        let file = c_string(file);
        let (mut len, mut line) = (0, 0);
        // SAFETY: a function, a text that ends with a zero; LLVM owns the name, null means none.
        unsafe {
            let name = super::nonius_subprogram(self.0, file.as_ptr(), &mut len, &mut line);
            (!name.is_null()).then(|| (copy_text(name, len), line))
        }
    }

    pub fn debug_loc(self) -> Option<DebugLoc> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: an instruction; null means no location.
        let loc = unsafe { LLVMInstructionGetDebugLoc(self.0) };
        (!loc.is_null()).then_some(DebugLoc(loc))
    }
}

impl DebugLoc {
    pub fn line(self) -> u32 {
        // SAFETY: a DILocation.
        unsafe { LLVMDILocationGetLine(self.0) }
    }

    pub fn column(self) -> u32 {
        // SAFETY: a DILocation.
        unsafe { LLVMDILocationGetColumn(self.0) }
    }

    pub fn inlined_at(self) -> Option<DebugLoc> {
        // SAFETY: a DILocation; null means not inlined.
        let at = unsafe { LLVMDILocationGetInlinedAt(self.0) };
        (!at.is_null()).then_some(DebugLoc(at))
    }

    /// Path of the source file, with its directory if it is relative.
    pub fn file(self) -> String {
        // SAFETY: scope and file of a DILocation; LLVM owns the texts.
        unsafe {
            let scope = LLVMDILocationGetScope(self.0);
            let file = LLVMDIScopeGetFile(scope);
            if file.is_null() {
                return String::new();
            }
            let (mut name_len, mut dir_len) = (0, 0);
            let name_text = LLVMDIFileGetFilename(file, &mut name_len);
            let dir_text = LLVMDIFileGetDirectory(file, &mut dir_len);
            let name = copy_text(name_text, name_len as usize);
            let dir = copy_text(dir_text, dir_len as usize);
            full_path(&dir, name)
        }
    }

    /// The function's linkage name if it has one, else its name.
    pub fn function(self) -> String {
        // SAFETY: the shim walks from the location's scope to its subprogram; LLVM owns the text.
        unsafe {
            let mut len = 0;
            let text = super::nonius_location_function(self.0, &mut len);
            copy_text(text, len)
        }
    }

    /// The line on which that function begins, 0 if it is not known.
    pub fn function_line(self) -> u32 {
        // SAFETY: a DILocation.
        unsafe { super::nonius_location_function_line(self.0) }
    }
}

fn full_path(folder: &str, name: String) -> String {
    if name.starts_with('/') || folder.is_empty() { name } else { format!("{folder}/{name}") }
}
