//! The event engine's half of the pass: a clone of each function that only records.
//!
//! ```text
//!  f  --clone--> f.nonius.record: the same code, and at each block the words that a machine needs
//!  |                              to re-do its floats (`abi::event`); the steps go to the code table
//!  +-- at its entry: if the module's flag is set, the clone runs in f's place
//! ```
//! The walk is the inline engine's: reverse post-order, each instruction once. A float has a name
//! (`names`) that says in which slots its lanes are; only what a machine cannot work out itself
//! costs a word (`segment`). What has no step of its own restarts from its recorded value.

mod arith;
mod call;
mod code;
mod convert;
mod decide;
mod dispatch;
mod fortran;
mod intrinsic;
mod lanes;
mod live;
mod math;
mod meet;
mod memory;
mod segment;
mod sink;
mod slots;
mod threads;
mod variadic;

pub use code::CodeBuilder;
pub use dispatch::{Pair, callers, can_clone, connect};

use crate::cfg::Cfg;
use crate::emit::Wanted;
use crate::failure;
use crate::formats::{self, Formatted};
use crate::fp::{FpType, Leaf};
use crate::guard::{Guard, Originals};
use crate::intended::{self, IntendedRoundings};
use crate::llvm::{Block, Builder, Module, Opcode, Value};
use crate::locals;
use crate::options::Options;
use crate::sign_test;
use crate::sites::{self, Origin};
use crate::tables::Tables;
use fortran::Walked;
use meet::Meetings;
use nonius_abi::code::{Edge, Kind, Move, Operand, Step};
use nonius_abi::site::{Observed, Op};
use segment::Segment;
use slots::Slots;
use std::collections::{HashMap, HashSet};

pub struct Recorder<'a> {
    b: Builder,
    module: Module,
    tables: &'a mut Tables,
    slots: Slots,
    /// Integers that may carry floats; they are recorded as the floats that fill them.
    wanted: Wanted,
    /// Which stack objects are registers in disguise (see `locals`).
    registers: HashMap<Value, bool>,
    /// Floats that go to a formatter (see `formats`).
    formats: HashMap<Value, Formatted>,
    /// Operations that round on purpose.
    intended: IntendedRoundings,
    /// Comparisons that only pick one of two values.
    min_max: HashSet<Value>,
    /// Index of the function in the site table, and in the code table.
    site_function: u32,
    code_function: u32,
    /// The thread's block, and the header of an event of block 0.
    thread: Value,
    header: Value,
    segment: Segment,
    /// The first and last recorded block of each of LLVM's.
    first: HashMap<Block, u32>,
    last: HashMap<Block, u32>,
    phis: Vec<PendingPhi>,
    /// Where the values of phis come from, asked before any block was split.
    incoming: HashMap<Value, Vec<(Value, Block)>>,
    /// What a compare-and-exchange found, by the instruction.
    exchanged: HashMap<Value, Operand>,
    /// Invokes with float results, by the block that they return to.
    results: HashMap<Block, Value>,
    /// The program's own instructions.
    originals: Originals,
    /// Decisions, by the instruction behind which it is known whether they count.
    guarded: HashMap<Value, Vec<(Step, Guard)>>,
    /// Values inside fast-math chains, which the machine re-does in its own way.
    inside_chains: HashSet<Value>,
    /// What Fortran's runtime does with arrays.
    walked: Walked,
    /// By call that begins a task: the floats that are live behind it.
    live: HashMap<Value, Vec<Value>>,
    /// Where paths may meet.
    meetings: Meetings,
}

/// A phi whose incoming floats get their names later.
struct PendingPhi {
    block: Block,
    slot: u32,
    lanes: u32,
    incoming: Vec<(Value, Block)>,
}

/// The function that a clone is a copy of: its number in the site table and in the code table.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    pub site_function: u32,
    pub code_function: u32,
}

/// Makes `clone` record. Returns whether there is anything to record; not, if that failed.
pub fn record(clone: Value, numbers: Numbers, has_floats: bool, tables: &mut Tables, options: &Options) -> bool {
    let code = &tables.code.code;
    let [blocks, calls, lists] = [code.blocks.len(), code.calls.len(), code.lists.len()];
    let made = failure::attempt(|| {
        walk_function(clone, numbers, has_floats, tables);
        options.fail_if_asked(clone);
    });
    if let Err(why) = &made {
        let function = tables.code.originals[numbers.code_function as usize];
        failure::warn(tables.module, function, "which is not recorded", why);
        tables.code.code.unrecorded += 1;
    }
    let code = &mut tables.code.code;
    let worth = made.is_ok() && code.blocks[blocks..].iter().any(|b| b.steps.iter().any(|s| s.kind != Kind::Return));
    if !worth {
        code.blocks.truncate(blocks);
    }
    if made.is_err() {
        code.calls.truncate(calls);
        code.lists.truncate(lists);
    }
    worth
}

fn walk_function(clone: Value, numbers: Numbers, module_has_floats: bool, tables: &mut Tables) {
    let Numbers { site_function, code_function } = numbers;
    let module = tables.module;
    sink::put_under_conditions(module, clone);
    let walked = fortran::walk_arrays(module, clone, tables);
    let wanted = Wanted::of(module, clone, module_has_floats);
    let cfg = Cfg::of(clone);
    let blocks: Vec<(Block, Vec<Value>)> = cfg.order.iter().map(|&b| (b, b.instructions())).collect();
    let registers = locals::registers(clone);
    let _known = locals::Known::of(&registers);
    let phis = blocks.iter().flat_map(|(_, all)| all).filter(|i| i.opcode() == Opcode::LLVMPHI);
    let incoming = phis.map(|&phi| (phi, phi.phi_incoming())).collect();
    let entry = blocks[0].1.iter().copied().find(|i| i.opcode() != Opcode::LLVMAlloca).expect("a terminator");
    let intended = intended::roundings(clone, &cfg.order, &tables.summaries);
    let min_max = crate::min_max::all(&cfg.order);
    let live = live::behind_task_begins(module, &wanted, clone, &blocks);
    // Before any block is split.
    let meetings = Meetings::of(&blocks, &cfg);
    let b = module.builder();
    let (thread, header) = dispatch::enter(&b, tables, entry, clone);
    let mut recorder = Recorder {
        b,
        module,
        site_function,
        tables,
        slots: Slots::default(),
        wanted,
        registers,
        formats: formats::formatted(clone),
        intended,
        min_max,
        code_function,
        thread,
        header,
        segment: Segment::at(entry),
        first: HashMap::new(),
        last: HashMap::new(),
        phis: Vec::new(),
        incoming,
        exchanged: HashMap::new(),
        results: HashMap::new(),
        originals: Originals::of(blocks.iter().map(|(_, all)| &all[..])),
        guarded: HashMap::new(),
        inside_chains: HashSet::new(),
        walked,
        live,
        meetings,
    };
    let joined = recorder.blocks_with_phis(&blocks);
    recorder.parameters(clone);
    for (n, (block, instructions)) in blocks.iter().enumerate() {
        if n > 0 {
            recorder.begin(*block);
        }
        if joined.contains(block) {
            recorder.open();
        }
        recorder.meet_at_head(*block);
        recorder.walk(*block, instructions, &joined);
    }
    let walked = std::mem::take(&mut recorder.walked);
    recorder.finish();
    walked.take_out();
}

impl Recorder<'_> {
    /// Blocks where floats from several others meet: they and their predecessors are always recorded.
    fn blocks_with_phis(&self, blocks: &[(Block, Vec<Value>)]) -> HashSet<Block> {
        let meets =
            |i: &Value| i.opcode() == Opcode::LLVMPHI && self.incoming[i].len() > 1 && !self.parts(*i).is_empty();
        blocks.iter().filter(|(_, instructions)| instructions.iter().any(meets)).map(|(b, _)| *b).collect()
    }

    fn begin(&mut self, block: Block) {
        let head = block.first_insertion_point();
        match self.results.remove(&block) {
            Some(invoke) => self.begin_after_invoke(invoke, head),
            None => self.segment = Segment::at(head),
        }
    }

    fn walk(&mut self, block: Block, instructions: &[Value], joined: &HashSet<Block>) {
        self.note_first(block);
        let terminator = *instructions.last().expect("a terminator");
        for &i in instructions.iter().filter(|&&i| i != terminator) {
            if i.opcode() != Opcode::LLVMPHI {
                self.cut_if_long(i);
            }
            self.visit(i, block);
            self.note_first(block);
        }
        if terminator.block().successors().iter().any(|s| joined.contains(s)) {
            self.open();
        }
        self.visit(terminator, block);
        self.note_first(block);
        if let Some(index) = self.close(terminator) {
            self.last.insert(block, index);
        }
        self.publish_if_done(terminator);
    }

    fn note_first(&mut self, block: Block) {
        if let Some(index) = self.segment.index() {
            self.first.entry(block).or_insert(index);
        }
    }

    fn visit(&mut self, i: Value, block: Block) {
        use Opcode::*;
        self.meet_before(i);
        self.publish_if_seen(i);
        if matches!(i.opcode(), LLVMAnd | LLVMOr | LLVMSelect) {
            self.joined(i);
        }
        match i.opcode() {
            LLVMPHI => self.phi(i, block),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => self.arithmetic(i),
            LLVMFPExt | LLVMFPTrunc => self.between_formats(i),
            LLVMSIToFP | LLVMUIToFP => self.integer_to_float(i),
            LLVMFPToSI | LLVMFPToUI => self.float_to_integer(i, i.operand(0), Op::ToInteger),
            LLVMFCmp => self.compare(i, i.real_predicate(), i.operand(0), i.operand(1)),
            LLVMICmp | LLVMLShr | LLVMAShr if sign_test::of(i).is_some() => {
                if let Some(x) = sign_test::of(i) {
                    self.decide_by_sign(i, x);
                    self.takes_sign(i, "signbit", x, None);
                }
            }
            LLVMLoad if self.made(i) => {}
            LLVMLoad => {
                self.load(i);
                self.printed(i);
            }
            LLVMStore => {
                self.store(i);
                self.formatted(i);
            }
            LLVMSelect => self.select(i),
            LLVMFreeze => self.rename(i, i.operand(0)),
            LLVMBitCast => {
                self.bitcast(i);
                if gives_bits(i) {
                    self.decide_by_bits(i, i.operand(0));
                }
            }
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => self.lanes(i),
            LLVMExtractValue | LLVMInsertValue => self.member(i),
            LLVMCall | LLVMInvoke => {
                self.formatted(i);
                self.call(i);
                self.seed(i);
            }
            LLVMRet => self.ret(i),
            LLVMAtomicRMW => self.atomic(i),
            LLVMAtomicCmpXchg => self.exchange(i),
            _ => self.restart(i),
        }
        self.bounded(i);
    }

    /// The floats of a value; an integer that carries some counts as them.
    fn parts(&self, value: Value) -> Vec<Leaf> {
        slots::parts(self.module, &self.wanted, value)
    }

    /// Where each lane of a value is.
    fn operands(&mut self, value: Value) -> Vec<Operand> {
        let parts = self.parts(value);
        self.slots.of(value, &parts, &mut self.tables.code)
    }

    /// New slots for all lanes of a value; the first of them.
    fn name(&mut self, value: Value) -> u32 {
        let lanes = self.parts(value).iter().map(|part| part.fp.lane_count()).sum();
        self.slots.fresh(value, lanes)
    }

    /// A value that comes from an operation without steps: what its error is is not known.
    fn restart(&mut self, i: Value) {
        self.begin_anew(i, 1);
    }

    /// A value from outside of the program, exact by definition.
    fn input(&mut self, i: Value) {
        self.begin_anew(i, 0);
    }

    fn begin_anew(&mut self, i: Value, detail: u32) {
        let parts = self.parts(i);
        if parts.is_empty() {
            return;
        }
        let mut slot = self.name(i);
        for part in parts {
            let member = self.member_of(i, &part);
            let word = self.put(member);
            let site = self.operation_site(i, part.fp);
            self.step(Step { detail, result: slot, word, site, ..step(Kind::Value, part.fp) });
            slot += part.fp.lane_count();
        }
    }

    /// A float inside a value; stands right behind an instruction, or before it if it ends its block.
    fn member_of(&mut self, value: Value, part: &Leaf) -> Value {
        if value.is_instruction() {
            self.stand_behind(value);
        }
        part.path.iter().fold(value, |v, &index| self.b.extract_value(v, index))
    }

    fn stand_behind(&mut self, i: Value) {
        let next = if i.opcode() == Opcode::LLVMPHI { Some(i.block().first_insertion_point()) } else { i.next() };
        self.b.before_with_loc_of(next.unwrap_or(i), i);
    }

    /// The site of the operation that an instruction is.
    fn operation_site(&mut self, i: Value, fp: FpType) -> u32 {
        let i = self.walked.call_of(i).unwrap_or(i);
        let origin = sites::origin(i);
        let origin = match origin.instruction == Some(i) {
            true => origin,
            // Seen elsewhere, what was narrowed is the operation before; here it is a rounding of its own.
            false if i.is(Opcode::LLVMFPTrunc) => Origin::new(Op::Convert, Some(i)),
            // Only what has no shadow has this name.
            false => Origin { name: unshadowed_name(i), ..Origin::new(Op::Unknown, Some(i)) },
        };
        sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Operation, i, self.site_function)
    }

    /// The floats of `value` are observed.
    fn check(&mut self, value: Value, observed: Observed, seen_by: Value) {
        if value.is_constant() {
            return;
        }
        let operands = self.operands(value);
        let origin = sites::origin(value);
        let mut at = 0;
        for part in crate::fp::leaves(self.module, value.ty()) {
            let lanes = part.fp.lane_count() as usize;
            let (sites, function) = (&mut self.tables.sites, self.site_function);
            let site = sites::site(sites, &origin, part.fp.precision, observed, seen_by, function);
            let a = self.together(&operands[at..at + lanes], part.fp);
            self.step(Step { args: one(a), site, ..step(Kind::Check, part.fp) });
            at += lanes;
        }
    }

    fn phi(&mut self, phi: Value, block: Block) {
        let parts = self.parts(phi);
        if parts.is_empty() {
            return;
        }
        let incoming = self.incoming[&phi].clone();
        if let [(only, _)] = incoming[..] {
            return self.rename(phi, only);
        }
        let lanes = parts.iter().map(|part| part.fp.lane_count()).sum();
        let slot = self.name(phi);
        self.phis.push(PendingPhi { block, slot, lanes, incoming });
    }

    /// Gives phis their edges, and the function its size.
    fn finish(mut self) {
        let mut edges: HashMap<(u32, u32), Vec<Move>> = HashMap::new();
        for phi in std::mem::take(&mut self.phis) {
            let Some(&to) = self.first.get(&phi.block) else { continue };
            let mut done = HashSet::new();
            for (value, block) in phi.incoming {
                let Some(&from) = self.last.get(&block).filter(|_| done.insert(block)) else { continue };
                let mut operands = self.operands(value);
                operands.resize(phi.lanes as usize, Operand::NOTHING);
                let moves = edges.entry((to, from)).or_default();
                let mut slot = phi.slot;
                for run in slots::runs(&operands) {
                    moves.push(Move { to: slot, from: run[0], lanes: run.len() as u32 });
                    slot += run.len() as u32;
                }
            }
        }
        let mut edges: Vec<_> = edges.into_iter().collect();
        edges.sort_by_key(|(key, _)| *key);
        for ((to, from), moves) in edges {
            self.tables.code.code.blocks[to as usize].edges.push(Edge { from, moves });
        }
        let function = &mut self.tables.code.code.functions[self.code_function as usize];
        function.slots = self.slots.slots;
        function.site_function = self.site_function;
    }
}

/// A float becomes an integer that more is done with than to move it. Sign tests have a step of their own.
fn gives_bits(bitcast: Value) -> bool {
    use Opcode::*;
    let moves = |user: &Value| {
        matches!(user.opcode(), LLVMStore | LLVMBitCast | LLVMPHI | LLVMSelect | LLVMFreeze | LLVMRet | LLVMCall)
            || sign_test::of(*user).is_some()
    };
    FpType::of(bitcast.ty()).is_none()
        && FpType::of(bitcast.operand(0).ty()).is_some()
        && bitcast.users().iter().filter(|u| u.is_instruction()).any(|u| !moves(u))
}

/// What a report calls an operation that has no shadow.
fn unshadowed_name(i: Value) -> String {
    match i.opcode() {
        Opcode::LLVMCall if i.callee().is_inline_asm() => "inline asm".to_owned(),
        Opcode::LLVMCall if i.callee().is_function() => i.callee().name(),
        _ => String::new(),
    }
}

fn step(kind: Kind, fp: FpType) -> Step {
    Step::new(kind, fp.precision, fp.lane_count() as u16)
}

fn one(a: Operand) -> [Operand; 3] {
    [a, Operand::NOTHING, Operand::NOTHING]
}
