//! Functions and their attributes.

use super::{Block, Module, Type, Value, c_string, copy_text};
use llvm_sys::{LLVMLinkage, core};
use std::ffi::CStr;

/// LLVM's number of the convention that keeps all registers.
const PRESERVE_ALL: u32 = 15;

impl Value {
    pub fn is_declaration(self) -> bool {
        // SAFETY: called for globals only.
        unsafe { core::LLVMIsDeclaration(self.0) != 0 }
    }

    /// Lets the same objects see it as `other`.
    pub fn set_visibility_of(self, other: Value) {
        // SAFETY: called for globals only.
        unsafe { core::LLVMSetVisibility(self.0, core::LLVMGetVisibility(other.0)) }
    }

    /// Whether its name is one of the C or C++ library.
    pub fn is_library_function(self) -> bool {
        // SAFETY: a live function.
        unsafe { super::nonius_is_library_function(self.0) }
    }

    pub fn function_type(self) -> Type {
        // SAFETY: called for functions only.
        Type::new(unsafe { core::LLVMGlobalGetValueType(self.0) })
    }

    pub fn blocks(self) -> Vec<Block> {
        // SAFETY: called for functions only; the buffer has the count LLVM says.
        unsafe {
            let mut blocks = vec![std::ptr::null_mut(); core::LLVMCountBasicBlocks(self.0) as usize];
            core::LLVMGetBasicBlocks(self.0, blocks.as_mut_ptr());
            blocks.into_iter().map(Block).collect()
        }
    }

    pub fn entry_block(self) -> Block {
        // SAFETY: called for functions with a body.
        Block(unsafe { core::LLVMGetEntryBasicBlock(self.0) })
    }

    pub fn parameters(self) -> Vec<Value> {
        // SAFETY: called for functions only; the buffer has the count LLVM says.
        unsafe {
            let mut all = vec![std::ptr::null_mut(); core::LLVMCountParams(self.0) as usize];
            core::LLVMGetParams(self.0, all.as_mut_ptr());
            all.into_iter().map(Value::new).collect()
        }
    }

    pub fn linkage(self) -> LLVMLinkage {
        // SAFETY: called for globals only.
        unsafe { core::LLVMGetLinkage(self.0) }
    }

    pub fn set_linkage(self, linkage: LLVMLinkage) {
        // SAFETY: called for globals only.
        unsafe { core::LLVMSetLinkage(self.0, linkage) }
    }

    /// A copy of the function that only its module sees.
    pub fn clone_function(self) -> Value {
        // SAFETY: a function with a body.
        Value::new(unsafe { super::nonius_clone_function(self.0) })
    }

    /// Gives a function the body of a copy of it, which is gone after this.
    pub fn take_body(self, copy: Value) {
        // SAFETY: two functions of one type; no address of a block of `self` is known elsewhere, nothing uses `copy`.
        unsafe { super::nonius_take_body(self.0, copy.0) }
    }

    /// Removes a function that nothing uses. The handle is dead after this.
    pub fn delete_function(self) {
        // SAFETY: a function without uses; callers drop the handle.
        unsafe { super::nonius_delete_function(self.0) }
    }

    /// Whether it is called as C functions are, or as the compiler likes.
    pub fn has_plain_convention(self) -> bool {
        const C: u32 = 0;
        const FAST: u32 = 8;
        // SAFETY: called for functions only.
        matches!(unsafe { core::LLVMGetFunctionCallConv(self.0) }, C | FAST)
    }

    pub fn append_block(self, module: Module, name: &str) -> Block {
        let name = c_string(name);
        // SAFETY: `self` is a function of `module`.
        Block(unsafe { core::LLVMAppendBasicBlockInContext(module.context(), self.0, name.as_ptr()) })
    }

    fn enum_attribute_kind(name: &CStr) -> u32 {
        // SAFETY: the name comes with its length.
        unsafe { core::LLVMGetEnumAttributeKindForName(name.as_ptr(), name.to_bytes().len()) }
    }

    pub fn has_attribute(self, name: &CStr) -> bool {
        let kind = Value::enum_attribute_kind(name);
        // SAFETY: `self` is a function; index of the function itself.
        unsafe { !core::LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null() }
    }

    pub fn add_attribute(self, module: Module, name: &CStr) {
        let kind = Value::enum_attribute_kind(name);
        // SAFETY: `self` is a function; the attribute has no value.
        unsafe {
            let attribute = core::LLVMCreateEnumAttribute(module.context(), kind, 0);
            core::LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Has stacks be walked through the function, also where a signal stopped it.
    pub fn keep_unwind_table(self, module: Module) {
        const ASYNCHRONOUS: u64 = 2;
        let kind = Value::enum_attribute_kind(c"uwtable");
        // SAFETY: `self` is a function; the attribute's value is one of its kinds.
        unsafe {
            let attribute = core::LLVMCreateEnumAttribute(module.context(), kind, ASYNCHRONOUS);
            core::LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub fn remove_attribute(self, name: &CStr) {
        let kind = Value::enum_attribute_kind(name);
        // SAFETY: `self` is a function.
        unsafe { core::LLVMRemoveEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind) }
    }

    /// Of a call: an attribute without a value.
    pub fn add_call_attribute(self, module: Module, name: &CStr) {
        let kind = Value::enum_attribute_kind(name);
        // SAFETY: `self` is a call; the attribute has no value.
        unsafe {
            let attribute = core::LLVMCreateEnumAttribute(module.context(), kind, 0);
            core::LLVMAddCallSiteAttribute(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Of a call: an attribute without a value of its first argument.
    pub fn add_first_argument_attribute(self, module: Module, name: &CStr) {
        let kind = Value::enum_attribute_kind(name);
        // SAFETY: `self` is a call with arguments; those follow the result's index 0.
        unsafe {
            let attribute = core::LLVMCreateEnumAttribute(module.context(), kind, 0);
            core::LLVMAddCallSiteAttribute(self.0, 1, attribute);
        }
    }

    pub fn string_attribute(self, name: &str) -> Option<String> {
        let mut len = 0;
        // SAFETY: `self` is a function; LLVM owns the text.
        unsafe {
            let attribute = core::LLVMGetStringAttributeAtIndex(
                self.0,
                llvm_sys::LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                name.len() as u32,
            );
            if attribute.is_null() {
                return None;
            }
            let text = core::LLVMGetStringAttributeValue(attribute, &mut len);
            Some(copy_text(text, len as usize))
        }
    }

    /// Has constants refer to a new function of this module that only calls this one.
    pub fn forward_constant_uses(self) {
        // SAFETY: `self` is a function.
        unsafe { super::nonius_forward_constant_uses(self.0) }
    }

    /// Has a function, or a call of it, keep all registers.
    pub fn keep_registers(self) {
        // SAFETY: called for functions and calls only.
        unsafe {
            if self.is_function() {
                core::LLVMSetFunctionCallConv(self.0, PRESERVE_ALL);
            } else {
                core::LLVMSetInstructionCallConv(self.0, PRESERVE_ALL);
            }
        }
    }

    /// Whether a call keeps all registers.
    pub fn keeps_registers(self) -> bool {
        // SAFETY: called for calls only.
        unsafe { core::LLVMGetInstructionCallConv(self.0) == PRESERVE_ALL }
    }

    pub fn set_string_attribute(self, module: Module, name: &str, value: &str) {
        // SAFETY: `self` is a function; both texts come with their lengths.
        unsafe {
            let attribute = core::LLVMCreateStringAttribute(
                module.context(),
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            core::LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// The type behind `byval` of a function's parameter.
    pub fn parameter_byval(self, index: u32) -> Option<Type> {
        let kind = Value::enum_attribute_kind(c"byval");
        // SAFETY: `self` is a function with more than `index` parameters; those follow the result's index 0.
        unsafe {
            let attribute = core::LLVMGetEnumAttributeAtIndex(self.0, index + 1, kind);
            (!attribute.is_null()).then(|| Type::new(core::LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type behind `byval` of a call's argument.
    pub fn argument_byval(self, index: u32) -> Option<Type> {
        let kind = Value::enum_attribute_kind(c"byval");
        // SAFETY: `self` is a call with more than `index` arguments.
        unsafe {
            let attribute = core::LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            (!attribute.is_null()).then(|| Type::new(core::LLVMGetTypeAttributeValue(attribute)))
        }
    }
}
