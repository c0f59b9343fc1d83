//! Global variables and constants.

use super::{Module, Value, c_string, copy_text};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMValueKind, core};
use std::ffi::CStr;

impl Value {
    pub fn set_initializer(self, value: Value) {
        // SAFETY: a global variable and a constant of its type.
        unsafe { core::LLVMSetInitializer(self.0, value.0) }
    }

    pub fn initializer(self) -> Option<Value> {
        // SAFETY: called for global variables only.
        Value::from_nullable(unsafe { core::LLVMGetInitializer(self.0) })
    }

    /// Removes a global that nothing uses any more. The handle is dead after this.
    pub fn delete_global(self) {
        // SAFETY: a global variable without uses; callers drop the handle.
        unsafe { core::LLVMDeleteGlobal(self.0) }
    }

    pub fn set_constant(self) {
        // SAFETY: called for global variables only.
        unsafe { core::LLVMSetGlobalConstant(self.0, 1) }
    }

    /// What a constant holds in every program that has it; none if another module or the loader has a say.
    pub fn constant_initializer(self) -> Option<Value> {
        // SAFETY: a value handle; all else is asked of global variables only.
        let is_constant = unsafe {
            let global = core::LLVMIsAGlobalVariable(self.0);
            !global.is_null()
                && core::LLVMIsGlobalConstant(global) != 0
                && core::LLVMIsExternallyInitialized(global) == 0
        };
        if is_constant { self.initializer() } else { None }
    }

    /// Whether the optimizer must not rely on a global's initializer.
    pub fn is_externally_initialized(self) -> bool {
        // SAFETY: called for global variables only.
        unsafe { core::LLVMIsExternallyInitialized(self.0) != 0 }
    }

    pub fn set_externally_initialized(self, yes: bool) {
        // SAFETY: called for global variables only.
        unsafe { core::LLVMSetExternallyInitialized(self.0, i32::from(yes)) }
    }

    pub fn set_section(self, name: &str) {
        let name = c_string(name);
        // SAFETY: a global variable; LLVM copies the name.
        unsafe { core::LLVMSetSection(self.0, name.as_ptr()) }
    }

    /// The section that a function or global asks for; empty if none.
    pub fn section(self) -> String {
        // SAFETY: called for globals only; LLVM returns null or a string that the value owns.
        unsafe {
            let text = core::LLVMGetSection(self.0);
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        }
    }

    /// Seen inside of the executable or library only.
    pub fn set_hidden(self) {
        // SAFETY: called for globals only.
        unsafe { core::LLVMSetVisibility(self.0, llvm_sys::LLVMVisibility::LLVMHiddenVisibility) }
    }

    pub fn set_global_alignment(self, bytes: u32) {
        // SAFETY: a global variable and a power of two.
        unsafe { core::LLVMSetAlignment(self.0, bytes) }
    }

    /// Thread-local, resolved when the object is loaded: one instruction at run time.
    pub fn set_initial_exec(self) {
        use llvm_sys::LLVMThreadLocalMode::LLVMInitialExecTLSModel;
        // SAFETY: called for global variables only.
        unsafe { core::LLVMSetThreadLocalMode(self.0, LLVMInitialExecTLSModel) }
    }

    /// The text of a constant string that a pointer refers to.
    pub fn as_const_text(self) -> Option<String> {
        let data = if self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind { self.initializer()? } else { self };
        let mut len = 0;
        // SAFETY: the text is asked only of constant data arrays that are strings.
        unsafe {
            if data.kind() != LLVMValueKind::LLVMConstantDataArrayValueKind || core::LLVMIsConstantString(data.0) == 0 {
                return None;
            }
            let text = core::LLVMGetAsString(data.0, &mut len);
            Some(copy_text(text, len).trim_end_matches('\0').to_owned())
        }
    }

    /// A module's constant array of bytes.
    pub fn const_bytes(module: Module, bytes: &[u8]) -> Value {
        // SAFETY: the bytes come with their length; LLVM copies them.
        Value::new(unsafe { core::LLVMConstStringInContext2(module.context(), bytes.as_ptr().cast(), bytes.len(), 1) })
    }

    /// The bits of a constant scalar float, as in memory.
    pub fn constant_bits(self) -> Option<u128> {
        let mut bits = [0u64; 2];
        // SAFETY: the shim fills both words of what is a constant float, and says whether it did.
        let is_float = unsafe { super::nonius_constant_bits(self.0, bits.as_mut_ptr()) };
        is_float.then(|| u128::from(bits[0]) | u128::from(bits[1]) << 64)
    }

    /// A lane or member of a constant.
    pub fn constant_member(self, index: u32) -> Option<Value> {
        // SAFETY: LLVM returns null where there is no such member.
        Value::from_nullable(unsafe { core::LLVMGetAggregateElement(self.0, index) })
    }

    pub fn const_array(element: super::Type, members: &[Value]) -> Value {
        let mut members: Vec<LLVMValueRef> = members.iter().map(|v| v.0).collect();
        // SAFETY: constants of the element's type.
        Value::new(unsafe { core::LLVMConstArray2(element.0, members.as_mut_ptr(), members.len() as u64) })
    }

    pub fn const_vector(lanes: &[Value]) -> Value {
        let mut lanes: Vec<LLVMValueRef> = lanes.iter().map(|v| v.0).collect();
        // SAFETY: constants of one type, at least one.
        Value::new(unsafe { core::LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32) })
    }
}
