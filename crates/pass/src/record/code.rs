//! The module's code table while it is built.

use crate::llvm::{Linkage, Value};
use nonius_abi::code::{Call, Code, Constant, Function, Operand};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct CodeBuilder {
    pub code: Code,
    constants: HashMap<Vec<Constant>, u32>,
    indices: HashMap<Value, u32>,
    /// The functions of the table, as other code calls them.
    pub originals: Vec<Value>,
}

impl CodeBuilder {
    /// Gives a function that will be recorded its number.
    pub fn declare(&mut self, original: Value) -> u32 {
        let index = self.originals.len() as u32;
        let local = is_local(original);
        self.originals.push(original);
        self.indices.insert(original, index);
        self.code.functions.push(Function { local, ..Function::default() });
        index
    }

    pub fn index(&self, original: Value) -> Option<u32> {
        self.indices.get(&original).copied()
    }

    /// The first of constants that follow each other.
    pub fn constants(&mut self, constants: &[Constant]) -> u32 {
        if let Some(&first) = self.constants.get(constants) {
            return first;
        }
        let first = self.code.constants.len() as u32;
        self.code.constants.extend_from_slice(constants);
        self.constants.insert(constants.to_vec(), first);
        first
    }

    pub fn call(&mut self, call: Call) -> u32 {
        self.code.calls.push(call);
        self.code.calls.len() as u32 - 1
    }

    pub fn list(&mut self, list: Vec<Operand>) -> u32 {
        self.code.lists.push(list);
        self.code.lists.len() as u32 - 1
    }
}

pub fn is_local(function: Value) -> bool {
    matches!(function.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}
