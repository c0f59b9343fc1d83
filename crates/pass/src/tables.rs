//! What a module gets once: its site table, the bytes that say which functions ran, the
//! constructor that registers both, and the declarations of the runtime's hooks.

use crate::defined;
use crate::emit::Outlined;
use crate::intended::Summaries;
use crate::llvm::{Builder, Linkage, Module, Type, Types, Value};
use crate::record::CodeBuilder;
use nonius_abi::code;
use nonius_abi::hooks::{self, HOOKS, id};
use nonius_abi::table::{self, Builder as TableBuilder};
use nonius_abi::tally;
use nonius_abi::thread;
use std::collections::{HashMap, HashSet};

/// The module's site table; a module that has it is instrumented already.
pub const MARK: &str = "nonius.table";
const RAN: &str = "nonius.ran";
const LOST: &str = "nonius.lost";
const TALLIES: &str = "nonius.tallies";
const NO_TALLY: &str = "nonius.no_tally";
const CHECKS: &str = "nonius.checks";
const NO_VARIADIC: &str = "nonius.no_variadic";
const BASE: &str = "nonius.base";
const RECORDING: &str = "nonius.recording";
/// Before every constructor of the program.
const FIRST: i32 = 0;

pub struct Tables {
    pub module: Module,
    pub sites: TableBuilder,
    pub code: CodeBuilder,
    /// Stand-ins until the tables' sizes are known.
    table: Value,
    ran: Value,
    lost: Value,
    checks: Value,
    /// The sites of checks that have a slot (see `abi::tally`), and the slots' numbers.
    checked: Vec<u32>,
    slots: HashMap<u32, u32>,
    /// Functions of the module that are as the compiler made them.
    pub left_alone: HashSet<Value>,
    /// What its functions compute, by real arithmetic.
    pub summaries: Summaries,
    pub outlined: Outlined,
}

impl Tables {
    pub fn new(module: Module) -> Tables {
        let byte = module.types().i8();
        Tables {
            module,
            sites: TableBuilder::default(),
            code: CodeBuilder::default(),
            table: module.add_global("nonius.table.placeholder", byte),
            ran: module.add_global("nonius.ran.placeholder", byte),
            lost: module.add_global("nonius.lost.placeholder", byte),
            checks: module.add_global("nonius.checks.placeholder", byte),
            checked: Vec::new(),
            slots: HashMap::new(),
            left_alone: HashSet::new(),
            summaries: Summaries::default(),
            outlined: Outlined::default(),
        }
    }

    /// The module's site table, as hooks take it.
    pub fn table(&self) -> Value {
        self.table
    }

    /// The byte that says that function `index` ran.
    pub fn ran_byte(&self, b: &Builder, index: u32) -> Value {
        b.offset(self.ran, i64::from(index))
    }

    /// The counter of entry `index` of the table's `lost`.
    pub fn lost_counter(&self, b: &Builder, index: u32) -> Value {
        b.offset(self.lost, i64::from(index) * 8)
    }

    /// The number, from 0, of the slot of the check whose own site this is.
    pub fn slot(&mut self, site: u32) -> u32 {
        *self.slots.entry(site).or_insert_with(|| {
            self.checked.push(site);
            self.checked.len() as u32 - 1
        })
    }

    /// A field of a slot.
    pub fn in_slot(&self, b: &Builder, slot: u32, field: i64) -> Value {
        b.offset(self.checks, i64::from(slot) * tally::SLOT as i64 + field)
    }

    /// The number of the module's first block, set by the runtime.
    pub fn base(&self) -> Value {
        self.variable(BASE, self.module.types().i32())
    }

    /// The byte that says whether functions record, set by the runtime.
    pub fn recording(&self) -> Value {
        self.variable(RECORDING, self.module.types().i8())
    }

    fn variable(&self, name: &str, ty: Type) -> Value {
        self.module.global(name).unwrap_or_else(|| {
            let global = self.module.add_global(name, ty);
            global.set_initializer(ty.zero());
            global.set_linkage(Linkage::LLVMInternalLinkage);
            global
        })
    }

    pub fn hook(&self, name: &str) -> (Value, Type) {
        let ty = self.hook_type(name);
        (self.declare_hook(name, ty).0, ty)
    }

    /// The form of a hook that keeps all registers.
    pub fn preserving_hook(&self, name: &str) -> (Value, Type) {
        assert!(hooks::PRESERVING.contains(&name));
        let ty = self.hook_type(name);
        let (function, fresh) = self.declare_hook(&hooks::preserving(name), ty);
        if fresh {
            function.keep_registers();
            // The linker's lazy binding would not keep them all.
            function.add_attribute(self.module, c"nonlazybind");
        }
        (function, ty)
    }

    /// What calls an outlined cold path, whose address is the first argument; each call says what else it passes.
    pub fn cold_hook(&self) -> Value {
        let types = self.module.types();
        let (function, fresh) = self.declare_hook(hooks::COLD, types.function(types.void(), &[types.ptr()]));
        if fresh {
            function.keep_registers();
            function.add_attribute(self.module, c"nonlazybind");
        }
        function
    }

    fn hook_type(&self, name: &str) -> Type {
        let hook = HOOKS.iter().find(|h| h.name == name).expect("hooks come from the list");
        hook_type(self.module.types(), hook)
    }

    /// Also says whether it is new in this module.
    fn declare_hook(&self, name: &str, ty: Type) -> (Value, bool) {
        let fresh = self.module.function(name).is_none();
        let function = self.module.declare(name, ty);
        if fresh {
            function.add_attribute(self.module, c"cold");
            function.add_attribute(self.module, c"nounwind");
        }
        (function, fresh)
    }

    /// A runtime function outside the list of hooks, such as an evaluator.
    pub fn runtime_function(&self, name: &str, ty: Type) -> Value {
        let fresh = self.module.function(name).is_none();
        let function = self.module.declare(name, ty);
        if fresh {
            function.add_attribute(self.module, c"nounwind");
        }
        function
    }

    pub fn thread_pointer(&self) -> Value {
        self.module.global(thread::POINTER).unwrap_or_else(|| {
            let global = self.module.add_global(thread::POINTER, self.module.types().ptr());
            global.set_initial_exec();
            global
        })
    }

    pub fn limits(&self) -> Value {
        let ty = self.module.types().double().array(18);
        self.module.global(hooks::LIMITS).unwrap_or_else(|| self.module.add_global(hooks::LIMITS, ty))
    }

    /// Not 0 if there may be residues in memory.
    pub fn floats_flag(&self) -> Value {
        let ty = self.module.types().i8();
        self.module.global(hooks::FLOATS).unwrap_or_else(|| self.module.add_global(hooks::FLOATS, ty))
    }

    /// Holds an address that an atomic access is about to write; what `release` takes.
    pub fn hold(&self, b: &Builder, pointer: Value) -> Value {
        let (hook, ty) = self.hook(id::__nonius_hold);
        b.call(hook, ty, &[pointer])
    }

    pub fn release(&self, b: &Builder, lock: Value) {
        let (hook, ty) = self.hook(id::__nonius_release);
        b.call(hook, ty, &[lock]);
    }

    /// Where the address of the sites' tallies is, null until they are registered.
    pub fn tallies(&self) -> Value {
        tallies(self.module)
    }

    /// The tally of no site, for what is counted before the object is registered.
    pub fn no_tally(&self) -> Value {
        self.module.global(NO_TALLY).unwrap_or_else(|| zeros(self.module, NO_TALLY, self.module.types().i64()))
    }

    /// In place of an entry that another object does not have (see `record::variadic`).
    pub fn no_variadic(&self) -> Value {
        let ty = self.module.types().ptr().array(3);
        self.module.global(NO_VARIADIC).unwrap_or_else(|| {
            let global = zeros(self.module, NO_VARIADIC, ty);
            global.set_constant();
            global
        })
    }

    pub fn single_threaded(&self) -> Value {
        let (module, name) = (self.module, tally::SINGLE_THREADED);
        module.global(name).unwrap_or_else(|| module.add_global(name, module.types().i8()))
    }

    /// Puts the code table in.
    fn put_code(&self) -> PlacedCode {
        let module = self.module;
        let bytes = self.code.code.encode();
        let constant = |name: &str, data: Value| {
            let global = module.add_global(name, data.ty());
            global.set_initializer(data);
            global.set_constant();
            global.set_linkage(Linkage::LLVMPrivateLinkage);
            global.set_global_alignment(8);
            global
        };
        let code = constant("nonius.code", Value::const_bytes(module, &bytes));
        code.set_section(code::SECTION);
        let addresses = Value::const_array(module.types().ptr(), &self.code.originals);
        PlacedCode {
            code,
            bytes: bytes.len() as u64,
            addresses: constant("nonius.addresses", addresses),
            base: self.base(),
            recording: self.recording(),
        }
    }

    /// Puts the slots of checks in. Returns them, and how many there are.
    fn put_checks(&self) -> (Value, u64) {
        let mut bytes = vec![0; self.checked.len() * tally::SLOT as usize];
        for (slot, site) in bytes.chunks_mut(tally::SLOT as usize).zip(&self.checked) {
            slot[tally::SITE as usize..][..4].copy_from_slice(&site.to_le_bytes());
        }
        let data = Value::const_bytes(self.module, &bytes);
        let slots = self.module.add_global(CHECKS, data.ty());
        slots.set_initializer(data);
        slots.set_linkage(Linkage::LLVMPrivateLinkage);
        slots.set_global_alignment(8);
        self.checks.replace_uses_with(slots);
        (slots, self.checked.len() as u64)
    }

    /// Puts the tables in; says whether the module changed.
    pub fn finish(mut self) -> bool {
        let table = std::mem::take(&mut self.sites).finish();
        let used = !table.functions.is_empty();
        let (module, types) = (self.module, self.module.types());
        if used {
            let bytes = table.encode();
            let data = Value::const_bytes(module, &bytes);
            let global = module.add_global(MARK, data.ty());
            global.set_initializer(data);
            global.set_constant();
            global.set_linkage(Linkage::LLVMPrivateLinkage);
            global.set_section(table::SECTION);
            global.set_global_alignment(8);
            self.table.replace_uses_with(global);
            let ran = zeros(module, RAN, types.i8().array(table.functions.len() as u64));
            self.ran.replace_uses_with(ran);
            let lost = zeros(module, LOST, types.i64().array(table.lost.len() as u64));
            self.lost.replace_uses_with(lost);
            let checks = (!self.checked.is_empty()).then(|| self.put_checks());
            let code = (!self.code.originals.is_empty()).then(|| self.put_code());
            let (bytes, tallies) = (bytes.len() as u64, tallies(module));
            Register { table: global, bytes, ran, lost, tallies, checks, code }.emit(module);
        }
        for placeholder in [self.table, self.ran, self.lost, self.checks] {
            placeholder.delete_global();
        }
        used
    }
}

fn zeros(module: Module, name: &str, ty: Type) -> Value {
    let global = module.add_global(name, ty);
    global.set_initializer(ty.zero());
    global.set_linkage(Linkage::LLVMPrivateLinkage);
    global
}

fn tallies(module: Module) -> Value {
    module.global(TALLIES).unwrap_or_else(|| zeros(module, TALLIES, module.types().ptr()))
}

/// What the constructor hands to the runtime.
struct Register {
    table: Value,
    bytes: u64,
    ran: Value,
    lost: Value,
    tallies: Value,
    checks: Option<(Value, u64)>,
    code: Option<PlacedCode>,
}

/// The code table in the module.
struct PlacedCode {
    code: Value,
    bytes: u64,
    addresses: Value,
    base: Value,
    recording: Value,
}

impl Register {
    fn emit(&self, module: Module) {
        let number = |n: u64| module.types().i64().const_int(n);
        let start = vec![self.table, number(self.bytes), self.ran, self.lost, self.tallies];
        let mut calls = vec![
            (hooks::id::__nonius_module_start, start),
            (hooks::id::__nonius_defined, defined::ends(module).to_vec()),
        ];
        if let Some((slots, count)) = self.checks {
            calls.push((hooks::id::__nonius_checks_start, vec![self.table, slots, number(count)]));
            let end = caller(module, "nonius.end", &[(hooks::id::__nonius_checks_end, vec![self.table])]);
            module.append_destructor(end, FIRST);
        }
        if let Some(c) = &self.code {
            let arguments = vec![self.table, c.code, number(c.bytes), c.addresses, c.base, c.recording];
            calls.push((hooks::id::__nonius_code_start, arguments));
        }
        module.append_constructor(caller(module, "nonius.register", &calls), FIRST);
    }
}

/// A function that calls hooks.
fn caller(module: Module, name: &str, calls: &[(&str, Vec<Value>)]) -> Value {
    let types = module.types();
    let function = module.declare(name, types.function(types.void(), &[]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    let b = module.builder();
    b.at_end(function.append_block(module, ""));
    for (name, arguments) in calls {
        let hook = HOOKS.iter().find(|h| h.name == *name).expect("hooks come from the list");
        let ty = hook_type(types, hook);
        b.call(module.declare(name, ty), ty, arguments);
    }
    b.ret_void();
    function
}

fn hook_type(types: Types, hook: &hooks::Hook) -> Type {
    let ty = |t: &hooks::Type| match t {
        hooks::Type::Void => types.void(),
        hooks::Type::Ptr => types.ptr(),
        hooks::Type::U8 => types.i8(),
        hooks::Type::U32 => types.i32(),
        hooks::Type::U64 => types.i64(),
        hooks::Type::F64 => types.double(),
    };
    let arguments: Vec<Type> = hook.arguments.iter().map(ty).collect();
    types.function(ty(&hook.result), &arguments)
}
