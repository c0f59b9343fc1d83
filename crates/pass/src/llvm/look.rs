//! Copies of functions that are only looked at: variables are values there, and small calls are inlined.

use super::Value;
use llvm_sys::prelude::LLVMValueRef;
use std::collections::HashMap;
use std::ffi::c_void;

/// A copy of a function, gone with this.
pub struct Look(*mut c_void);

impl Look {
    pub fn at(function: Value) -> Look {
        // SAFETY: a function with a body.
        Look(unsafe { super::nonius_look_begin(function.0) })
    }

    pub fn function(&self) -> Value {
        // SAFETY: the copy lives as long as this.
        Value::new(unsafe { super::nonius_look_function(self.0) })
    }

    /// Inlines a call of the copy. Handles of its other instructions stay what they are; those of blocks may not.
    pub fn inline(&self, call: Value) -> bool {
        // SAFETY: a call in the copy, whose handle is not used after this.
        unsafe { super::nonius_inline_call(call.0) }
    }

    /// Has variables become values. No handle from before may be used after this.
    pub fn promote(&self) {
        // SAFETY: the copy lives as long as this.
        unsafe { super::nonius_look_promote(self.0) }
    }

    /// What the float instructions that are left are copies of.
    pub fn originals(&self) -> HashMap<Value, Value> {
        let mut pairs: HashMap<Value, Value> = HashMap::new();
        // SAFETY: called back with this map, before the call returns.
        unsafe extern "C" fn tell(to: *mut c_void, old: LLVMValueRef, new: LLVMValueRef) {
            // SAFETY: `to` is the map below, which nothing else uses meanwhile.
            let pairs = unsafe { &mut *to.cast::<HashMap<Value, Value>>() };
            pairs.insert(Value::new(new), Value::new(old));
        }
        // SAFETY: as above.
        unsafe { super::nonius_look_pairs(self.0, tell, (&raw mut pairs).cast()) }
        pairs
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        // SAFETY: made by `at`, ended once; nothing refers to the copy.
        unsafe { super::nonius_look_end(self.0) }
    }
}

impl Value {
    /// Gives an instruction a number that its copies have too.
    pub fn set_number(self, number: u32) {
        // SAFETY: called for instructions only.
        unsafe { super::nonius_set_number(self.0, number) }
    }

    /// The number that an instruction, or what it is a copy of, was given.
    pub fn number(self) -> Option<u32> {
        // SAFETY: called for instructions only.
        Some(unsafe { super::nonius_number(self.0) }).filter(|&number| number != 0)
    }
}
