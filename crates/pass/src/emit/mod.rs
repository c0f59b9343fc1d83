//! Emits a function's shadow code.
//!
//! Every float of the function gets a shadow (see `fp::Family`): emitted right behind the
//! instruction that makes the float, in reverse post-order, so that operands' shadows are there
//! before their users'. Phis get theirs first and their incoming shadows at the end.
//!
//! A check splits its block and may restart the shadow from the value. The restarted shadow then
//! holds wherever the check dominates; `Shadows` keeps it by block.

mod arith;
mod atomic;
mod blame;
mod call;
mod came_in;
mod check;
mod compare;
mod complex;
mod constants;
mod convert;
mod data;
mod entry;
mod inline_verdict;
mod intrinsic;
mod known;
mod left;
mod lost;
pub mod made;
mod memory;
mod nonfinite;
mod outline;
mod output;
mod picks;
mod punned;
mod radius;
mod recompute;
mod records;
mod shadow_passing;
mod shadows;
mod steps;
mod strict;

pub use call::TO_INTEGER;
pub use lost::count_calls_only;
pub use output::{made_arguments, rearranged};
pub use punned::Wanted;
pub use shadow_passing::variable_floats;
pub use strict::must_be_left_alone;

use crate::cfg::Cfg;
use crate::formats::{self, Formatted};
use crate::fp::{FpType, Leaf, leaves};
use crate::guard::Originals;
use crate::intended::{self, IntendedRoundings};
use crate::llvm::{Builder, Kind, Module, Opcode, Value};
use crate::locals;
use crate::min_max;
use crate::options::Options;
use crate::sites;
use crate::tables::Tables;
use nonius_abi::site::{Function, LeftAlone, Observed};
pub use outline::Outlined;
use shadows::{Shadow, Shadows};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// What is done behind an instruction.
type Later = Box<dyn FnOnce(&mut Emitter<'_>)>;

pub struct Emitter<'a> {
    b: Builder,
    module: Module,
    function: Value,
    tables: &'a mut Tables,
    options: &'a Options,
    shadows: Shadows,
    /// Integers that carry a float's bits, with the planes' bits for it.
    punned: HashMap<Value, punned::Punned>,
    wanted: Wanted,
    origins: nonfinite::Origins,
    /// Comparisons that are judged behind an instruction that uses them.
    tests: HashMap<Value, Vec<compare::Test>>,
    /// Other decisions that are told of behind an instruction that uses them.
    later: HashMap<Value, Vec<Later>>,
    /// Strict recomputations of operations inside fast-math chains.
    recomputed: HashMap<Value, Value>,
    /// Of phis that are checked: the radius of what comes in, where that is 0.
    radii: HashMap<Value, Value>,
    /// The program's own instructions.
    originals: Originals,
    entry: entry::Entry,
    /// Floats that go to a formatter (see `formats`).
    formats: HashMap<Value, Formatted>,
    /// Which stack objects are registers in disguise (see `locals`).
    registers: HashMap<Value, bool>,
    /// Operations that round on purpose.
    intended: IntendedRoundings,
    /// Comparisons that only pick one of two values.
    min_max: HashSet<Value>,
    /// The function's index in the site table, and what it will say there.
    index: u32,
    /// All who call it are functions of this module.
    callers_are_known: bool,
    counts: Function,
    lost: lost::Losses,
    /// Whether it puts residues into memory, beyond copying what is there.
    stores: Cell<bool>,
}

/// Whether a function computes with floats or moves them as such.
pub fn has_floats(function: Value) -> bool {
    let touches = |i: Value| sites::is_fp(i) || i.operands().into_iter().any(sites::is_fp);
    function.blocks().into_iter().flat_map(|b| b.instructions()).any(touches)
}

/// Notes a function that is left as it is, if it has floats: the table counts its operations, and its code says that it ran.
pub fn leave_alone(module: Module, function: Value, reason: LeftAlone, tables: &mut Tables) {
    tables.left_alone.insert(function);
    let instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
    let operations = instructions.filter(|&i| is_operation(i)).count() as u32;
    if operations == 0 {
        return;
    }
    say_that_it_runs(module, function, tables);
    let name = tables.sites.string(&function.name());
    tables.sites.function(Function { name, operations, left_alone: Some(reason), ..Function::default() }, &[]);
}

/// Has a function that gets no shadows set the byte of the table's next function.
fn say_that_it_runs(module: Module, function: Value, tables: &Tables) {
    let b = module.builder();
    let mut entry = function.blocks()[0].instructions().into_iter();
    b.before(entry.find(|i| i.opcode() != Opcode::LLVMAlloca).expect("a terminator"));
    b.store(b.types.i8().const_int(1), tables.ran_byte(&b, tables.sites.next_function()), 1);
}

/// Whether an instruction computes a float.
fn is_operation(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => true,
        LLVMCall => sites::is_fp(i) && i.callee().is_function() && i.callee().name().starts_with("llvm."),
        _ => false,
    }
}

/// What a function needs, decided before shadows change it.
pub struct Plan {
    needs: entry::Needs,
    wanted: Wanted,
}

impl Plan {
    /// `None`: the function has nothing to shadow.
    pub fn of(module: Module, function: Value, module_has_floats: bool, options: &Options) -> Option<Plan> {
        let needs = entry::Needs::of(module, function, options);
        let mut wanted = Wanted::of(module, function, module_has_floats);
        if !needs.any && wanted.is_empty() {
            return None;
        }
        if entry::give_results_their_edge(function) {
            wanted = Wanted::of(module, function, module_has_floats);
        }
        Some(Plan { needs, wanted })
    }
}

/// Instruments one function.
pub fn instrument(module: Module, function: Value, plan: Plan, tables: &mut Tables, options: &Options) {
    let Plan { needs, wanted } = plan;
    let cfg = Cfg::of(function);
    let blocks: Vec<(usize, Vec<Value>)> =
        cfg.order.iter().enumerate().map(|(i, block)| (i, block.instructions())).collect();
    let formats = formats::formatted(function);
    let registers = locals::registers(function);
    let _known = locals::Known::of(&registers);
    let intended = intended::roundings(function, &cfg.order, &tables.summaries);
    let min_max = min_max::all(&cfg.order);
    let callers = crate::record::callers(function);
    let callers_are_known = callers.is_some_and(|all| all.iter().all(|caller| !tables.left_alone.contains(caller)));
    let (index, first_lost) = (tables.sites.next_function(), tables.sites.next_lost());
    let mut emitter = Emitter {
        b: module.builder(),
        module,
        function,
        tables,
        options,
        shadows: Shadows::new(cfg),
        punned: HashMap::new(),
        wanted,
        origins: nonfinite::Origins::of(function),
        tests: HashMap::new(),
        later: HashMap::new(),
        recomputed: HashMap::new(),
        radii: HashMap::new(),
        originals: Originals::of(blocks.iter().map(|(_, instructions)| &instructions[..])),
        entry: entry::Entry::at(module, function),
        formats,
        registers,
        intended,
        min_max,
        index,
        callers_are_known,
        counts: Function::default(),
        lost: lost::Losses::from(first_lost),
        stores: Cell::new(false),
    };
    emitter.lost.folded(crate::folded::unchecked(function));
    emitter.emit_entry(&needs);
    for (block, instructions) in blocks {
        emitter.shadows.enter(block);
        for &instruction in &instructions {
            emitter.visit(instruction, &instructions);
        }
    }
    options.fail_if_asked(function);
    emitter.finish_phis();
    emitter.finish();
}

impl Emitter<'_> {
    /// `block` is the program's instructions in the same block.
    fn visit(&mut self, i: Value, block: &[Value]) {
        use Opcode::*;
        if i.opcode() == LLVMPHI {
            return self.visit_phi(i);
        }
        let terminator = matches!(
            i.opcode(),
            LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMResume | LLVMInvoke | LLVMCallBr
        );
        if terminator || i.is_musttail() || self.is_tested_before(i) {
            self.emit_origins(block, i);
        }
        match i.next() {
            Some(next) if !terminator => self.b.before_with_loc_of(next, i),
            _ => self.b.before(i),
        }
        self.judge_at(i);
        if !self.has_shadowed_memory(i) {
            return self.lose(i, "memory of another address space");
        }
        let next = i.next();
        match i.opcode() {
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => self.visit_arithmetic(i),
            LLVMFPExt | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP | LLVMFPToSI | LLVMFPToUI => self.visit_conversion(i),
            LLVMFCmp => self.visit_fcmp(i),
            LLVMICmp | LLVMLShr | LLVMAShr => self.visit_sign_test(i),
            LLVMLoad => self.visit_load(i),
            LLVMStore => self.visit_store(i),
            LLVMAtomicRMW => self.visit_atomic_rmw(i),
            LLVMAtomicCmpXchg => self.punned_cmpxchg(i),
            LLVMSelect | LLVMFreeze | LLVMBitCast => self.visit_copy(i),
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => self.visit_lanes(i),
            LLVMExtractValue | LLVMInsertValue => self.visit_member(i),
            LLVMCall if self.intended.seeds.contains(&i) => self.visit_seed(i),
            LLVMCall | LLVMInvoke => self.visit_call(i),
            LLVMRet => self.visit_ret(i),
            LLVMAlloca => self.visit_alloca(i),
            LLVMVAArg => self.lose(i, "va_arg"),
            _ => {}
        }
        self.bounded(i, next);
    }

    /// Whether the memory that an instruction accesses, if any, has planes: segments have none.
    fn has_shadowed_memory(&self, i: Value) -> bool {
        match i.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                i.operand(0).ty().is_ordinary_pointer()
            }
            Opcode::LLVMStore => i.operand(1).ty().is_ordinary_pointer(),
            Opcode::LLVMAlloca => i.ty().is_ordinary_pointer(),
            Opcode::LLVMCall if i.callee().is_function() && i.callee().name().starts_with("llvm.m") => {
                let is_pointer = |v: &Value| v.ty().element_or_self().kind() == Kind::Pointer;
                i.arguments().iter().filter(|a| is_pointer(a)).all(|a| a.ty().is_ordinary_pointer())
            }
            _ => true,
        }
    }

    fn leaves(&self, value: Value) -> Vec<Leaf> {
        leaves(self.module, value.ty())
    }

    /// The shadow of a float that is a value by itself.
    fn shadow(&self, value: Value) -> Shadow {
        self.shadows.get(value, 0)
    }

    /// The shadow as a value in a register, also where the float is exact.
    fn materialize(&self, value: Value, fp: FpType, shadow: Shadow) -> Value {
        match shadow {
            Shadow::Known(v) => v,
            Shadow::Exact => self.exact(value, fp),
        }
    }

    /// The shadow of a float without error.
    fn exact(&self, value: Value, fp: FpType) -> Value {
        match fp.family() {
            crate::fp::Family::Residue => fp.shadow(self.b.types).zero(),
            crate::fp::Family::Wider => self.b.fpext(self.actual(value), fp.shadow(self.b.types)),
        }
    }

    /// An operation whose result has a shadow.
    fn count_operation(&mut self) {
        self.counts.operations += 1;
        self.counts.operations_shadowed += 1;
    }

    fn site(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> u32 {
        let origin = sites::origin(value);
        sites::site(&mut self.tables.sites, &origin, fp.precision, observed, seen_by, self.index)
    }

    fn visit_phi(&mut self, phi: Value) {
        self.punned_phi(phi);
        let incoming = self.shadows.incoming[&phi].clone();
        self.b.before(phi);
        for (index, leaf) in self.leaves(phi).into_iter().enumerate() {
            let shadow = self.b.phi(leaf.fp.shadow(self.b.types));
            self.shadows.set(phi, index, Shadow::Known(shadow));
            self.shadows.pending.push(shadows::PendingPhi { phi, leaf, index, shadow, incoming: incoming.clone() });
        }
    }

    fn finish_phis(&mut self) {
        for pending in std::mem::take(&mut self.shadows.pending) {
            let blocks = pending.phi.phi_incoming();
            for ((value, from), (_, block)) in pending.incoming.iter().zip(blocks) {
                let shadow = from.map_or(Shadow::Exact, |at| self.shadows.get_at(*value, pending.index, at));
                let terminator = block.terminator().expect("a finished block");
                self.b.before(terminator);
                let leaf = self.member_if_needed(*value, &pending.leaf, shadow);
                let incoming = self.materialize(leaf, pending.leaf.fp, shadow);
                pending.shadow.add_incoming(incoming, block);
            }
        }
        self.finish_punned_phis();
    }

    /// The float inside `value` that `leaf` names; not extracted where only its shadow matters.
    fn member_if_needed(&self, value: Value, leaf: &Leaf, shadow: Shadow) -> Value {
        if leaf.path.is_empty() || matches!(shadow, Shadow::Known(_)) {
            return value;
        }
        self.member(value, &leaf.path)
    }

    fn member(&self, value: Value, path: &[u32]) -> Value {
        path.iter().fold(value, |v, &index| self.b.extract_value(v, index))
    }

    fn finish(mut self) {
        self.entry.anchor.erase();
        self.outline();
        let name = self.function.name();
        self.counts.name = self.tables.sites.string(&name);
        let lost = self.lost.entries(&mut self.tables.sites);
        if self.stores.get() {
            self.tables.sites.set_flag(nonius_abi::table::FLAG_FLOATS);
        }
        self.tables.sites.function(self.counts, &lost);
    }

    fn lanes_of(ty: crate::llvm::Type) -> u32 {
        match ty.kind() {
            Kind::Vector(n) => n,
            _ => 1,
        }
    }
}
