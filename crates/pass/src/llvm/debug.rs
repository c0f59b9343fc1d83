//! Debug locations.

use super::{Value, copy_text};
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

/// A source position, with the call that it was inlined at.
#[derive(Clone, Copy, Debug)]
pub struct DebugLoc(LLVMMetadataRef);

impl Value {
    /// Whether the function was compiled with debug information.
    pub fn has_lines(self) -> bool {
        // SAFETY: a function; null means none.
        unsafe { !LLVMGetSubprogram(self.0).is_null() }
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
            if name.starts_with('/') || dir.is_empty() { name } else { format!("{dir}/{name}") }
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
