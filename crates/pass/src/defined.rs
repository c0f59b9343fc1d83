//! The list of functions that Nonius compiled, in every object that it makes (see `abi::defined`).

use crate::llvm::{Linkage, Module, Value};
use nonius_abi::defined::{SECTION, START, STOP, hash};

/// Lists the functions that other objects can call and that have shadows where they need some.
pub fn list(module: Module, is_ours: impl Fn(Value) -> bool) {
    let functions = module.functions().into_iter().filter(|f| !f.is_declaration() && is_ours(*f));
    let named = functions.chain(module.aliases()).filter(|f| can_be_called_by_others(*f));
    let word = module.types().i64();
    let hashes: Vec<Value> = named.map(|f| word.const_int(hash(&f.name()))).collect();
    if hashes.is_empty() {
        return;
    }
    let data = Value::const_array(word, &hashes);
    let global = module.add_global("nonius.defined", data.ty());
    global.set_initializer(data);
    global.set_constant();
    global.set_linkage(Linkage::LLVMPrivateLinkage);
    global.set_section(SECTION);
    global.set_global_alignment(8);
    module.append_used(global);
}

fn can_be_called_by_others(function: Value) -> bool {
    use Linkage::{LLVMAvailableExternallyLinkage, LLVMInternalLinkage, LLVMPrivateLinkage};
    !matches!(function.linkage(), LLVMInternalLinkage | LLVMPrivateLinkage | LLVMAvailableExternallyLinkage)
}

/// Where the joined lists of an executable or library begin and end.
pub fn ends(module: Module) -> [Value; 2] {
    [START, STOP].map(|name| {
        module.global(name).unwrap_or_else(|| {
            let global = module.add_global(name, module.types().i8());
            // Nothing may be listed in the end, and no other object's list is meant.
            global.set_linkage(Linkage::LLVMExternalWeakLinkage);
            global.set_hidden();
            global
        })
    })
}
