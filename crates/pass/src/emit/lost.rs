//! Values that come from code without shadows: they restart, and the program's own code counts them while it runs.
//!
//! An operation counts each time that it runs. A call's result, or an argument, counts only where no shadow came along
//! with it, so on a path that is cold wherever all is instrumented. What a callee without shadows writes to memory is not
//! seen by anyone; its calls are counted.

use super::Emitter;
use crate::fp::leaves;
use crate::llvm::{Builder, Module, Opcode, Value};
use crate::tables::Tables;
use nonius_abi::libc::{ENDINGS, ends_fortran};
use nonius_abi::site::{Function, Loss, Lost};
use nonius_abi::table::Builder as TableBuilder;
use std::collections::HashSet;

/// What a function loses, in the order in which it came up.
pub struct Losses {
    /// The index of its first entry in the table.
    first: u32,
    entries: Vec<(String, Loss, u32)>,
}

impl Losses {
    pub fn from(first: u32) -> Losses {
        Losses { first, entries: Vec::new() }
    }

    /// So many operations that the compiler computed before anyone saw them.
    pub fn folded(&mut self, count: u32) {
        if count > 0 {
            self.entries.push((String::new(), Loss::Folded, count));
        }
    }

    /// One more place where values are lost to `what`; the index of its entry in the table.
    fn add(&mut self, what: &str, loss: Loss) -> u32 {
        let known = self.entries.iter().position(|(name, l, _)| name == what && *l == loss);
        let at = known.unwrap_or_else(|| {
            self.entries.push((what.to_owned(), loss, 0));
            self.entries.len() - 1
        });
        self.entries[at].2 += 1;
        self.first + at as u32
    }

    pub fn entries(&self, table: &mut TableBuilder) -> Vec<Lost> {
        let entry =
            |(name, loss, count): &(String, Loss, u32)| Lost { name: table.string(name), loss: *loss, count: *count };
        self.entries.iter().map(entry).collect()
    }
}

/// Whom a call's result is blamed on if it comes without a shadow.
pub enum Callee {
    /// Nobody: the function is instrumented, or nobody uses its result.
    Seen,
    /// A function of this name.
    Named(String),
    /// Whatever is at the callee's address.
    Address,
}

impl Emitter<'_> {
    /// An operation without shadow: its result restarts from the value, and is counted.
    pub fn lose(&mut self, i: Value, what: &str) {
        if self.leaves(i).is_empty() {
            return;
        }
        self.counts.operations += 1;
        let entry = self.lost.add(what, Loss::Operation);
        // Behind the operation; what ends its block has its result elsewhere.
        if !i.users().is_empty() && !i.is(Opcode::LLVMInvoke) && i.next().is_some() {
            count(&self.b, self.tables, entry, self.floats_of(i));
        }
    }

    /// A call of flang's runtime left so many floats without shadows.
    pub fn lose_some(&mut self, callee: &str, floats: Value) {
        let entry = self.lost.add(callee, Loss::Operation);
        add(&self.b, self.tables, entry, floats);
    }

    /// How many floats a value has.
    pub fn floats_of(&self, value: Value) -> u64 {
        self.leaves(value).iter().map(|leaf| u64::from(leaf.fp.lane_count())).sum()
    }

    pub fn callee_of(&self, call: Value) -> Callee {
        let callee = call.callee();
        if call.users().is_empty() {
            return Callee::Seen;
        }
        match callee.is_function() {
            true if callee.is_declaration() || self.tables.left_alone.contains(&callee) => Callee::Named(callee.name()),
            true => Callee::Seen,
            false => Callee::Address,
        }
    }

    /// Counts, before `point`, floats that came without a shadow, which is where `fits` is false.
    pub fn count_unless(&mut self, fits: Value, what: &str, loss: Loss, floats: u64) {
        let entry = self.lost.add(what, loss);
        let point = self.b.point();
        let then = point.split_if(self.b.not(fits));
        self.b.before(then);
        count(&self.b, self.tables, entry, floats);
        self.b.before(point);
    }

    /// Counts a call that may write floats where no shadow goes along.
    pub fn count_memory_call(&mut self, i: Value) {
        if let Some(name) = may_write_floats(self.module, i, &self.tables.left_alone) {
            let entry = self.lost.add(&name, Loss::Memory);
            count(&self.b, self.tables, entry, 1);
        }
    }
}

/// Counts the calls that may write floats of a function that has nothing else to do with them.
pub fn count_calls_only(module: Module, function: Value, tables: &mut Tables) {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let calls = instructions.filter(|i| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke));
    let named = calls.filter_map(|i| Some((i, may_write_floats(module, i, &tables.left_alone)?)));
    let named: Vec<(Value, String)> = named.collect();
    if named.is_empty() {
        return;
    }
    super::say_that_it_runs(module, function, tables);
    let b = module.builder();
    let mut lost = Losses::from(tables.sites.next_lost());
    for (call, callee) in named {
        let entry = lost.add(&callee, Loss::Memory);
        b.before(call);
        count(&b, tables, entry, 1);
    }
    let entries = lost.entries(&mut tables.sites);
    let name = tables.sites.string(&function.name());
    tables.sites.function(Function { name, ..Function::default() }, &entries);
}

/// The name of a callee without shadows, as far as this module knows, through which floats in memory may change: it gets or
/// returns a pointer, or is called for what else it does.
fn may_write_floats(module: Module, call: Value, left_alone: &HashSet<Value>) -> Option<String> {
    let callee = call.callee();
    let is_unknown = callee.is_function() && (callee.is_declaration() || left_alone.contains(&callee));
    if !is_unknown || callee.has_attribute(c"noreturn") {
        return None;
    }
    let (pointer, result, arguments) = (module.types().ptr(), call.ty(), call.arguments());
    let is_done_for_effects = || arguments.is_empty() && leaves(module, result).is_empty();
    let may = arguments.iter().any(|a| a.ty() == pointer && !a.is_constant())
        || result == pointer
        || result == module.types().void()
        || is_done_for_effects();
    let name = callee.name();
    (may && !leaves_floats_alone(callee, &name)).then_some(name)
}

/// Threads may count the same at once; then a few are missing, which is better than that they wait for each other.
fn count(b: &Builder, tables: &Tables, entry: u32, floats: u64) {
    add(b, tables, entry, b.types.i64().const_int(floats));
}

fn add(b: &Builder, tables: &Tables, entry: u32, floats: Value) {
    let counter = tables.lost_counter(b, entry);
    let sum = b.add(b.load(b.types.i64(), counter, 8), floats);
    b.store(sum, counter, 8);
}

/// Whether a function is one of a library whose functions are known to leave the program's floats alone, or of Rust, whose
/// crates are instrumented. (The runtime leaves out all functions of the system's own libraries when it reports; this spares
/// their calls the counting.)
fn leaves_floats_alone(callee: Value, name: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "llvm.",
        "pthread_",
        "omp_",
        "GOMP_",
        "__",
        "_Unwind_",
        "_FortranA",
        "_ZNS",
        "_ZNKS",
        "_ZS",
        "_Zn",
        "_Zd",
        "_R",
        "nonius_",
    ];
    let is_rust = name.starts_with("_ZN") && name.contains("17h") && name.ends_with('E');
    is_rust
        || ENDINGS.contains(&name)
        || ends_fortran(name)
        || BEGINNINGS.iter().any(|b| name.starts_with(b))
        || callee.is_library_function()
}
