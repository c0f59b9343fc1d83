//! Code tables as the walker wants them: one flat run of instructions a block, a lane each, with
//! frame offsets in place of operands.
//!
//! A frame has the function's slots, places that some of them moved to (`places`), one scratch slot for moves that form
//! a cycle, then the function's constants (so that an operand is an index, whatever it is).

mod at_once;
mod constants;
mod fours;
mod lower;
mod moves;
mod places;
mod schedule;

use at_once::in_order;
pub use constants::{Constant, Constants};
use fours::{grouped, units};
use lower::Layout;
use places::Places;
use schedule::Unit;

use nonius_abi::Precision;
use nonius_abi::code::{Block, Callee, Kind, Operand, Step};
use nonius_abi::event::Module;
use nonius_abi::libm::FUNCTIONS;
use nonius_oracle::{Complex, Function as MathFunction};
use std::collections::HashMap;

/// What an instruction does; `abi::code::Kind` says it of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Opcode {
    Value,
    Parameter,
    Add,
    Sub,
    Mul,
    Div,
    /// A sum, a difference, a fused multiply-add (0 to 2) that rounds to a step.
    Snap,
    /// A sum, difference, product or quotient (0 to 3) whose rounding is intended.
    Intended,
    /// A root whose rounding is intended.
    IntendedSqrt,
    /// a without an error that is nothing beside b, or (1) is in its last bits.
    Beside,
    /// What such a rounding cost: a sum, a difference, a fused multiply-add (0 to 2).
    Low,
    Neg,
    Abs,
    Sqrt,
    Fma,
    CopySign,
    /// Minimum or maximum: `detail` is 1 for a maximum.
    Pick,
    Rem,
    Function,
    /// A part of a complex function: `args` are both parts of the first number and the real one of the second,
    /// `offset` the imaginary one; `detail` is the function's number, doubled, and 1 for the imaginary part.
    Complex,
    Convert,
    FromInteger,
    ToInteger,
    Compare,
    Select,
    Move,
    Load,
    Store,
    Copy,
    Check,
    Call,
    Result,
    ByAddress,
    Return,
    Request,
    /// The same of doubles whose results are not recorded.
    QuickAdd,
    QuickSub,
    QuickMul,
    QuickDiv,
    LoadDouble,
    StoreDouble,
    /// The next four at once (`fours`).
    AddFour,
    SubFour,
    MulFour,
    DivFour,
    LoadFour,
    StoreFour,
    CheckFour,
    MoveFour,
    /// Those that have their second operand in common.
    AddSame,
    SubSame,
    MulSame,
}

impl Opcode {
    pub fn is_quick(self) -> bool {
        matches!(self, Opcode::QuickAdd | Opcode::QuickSub | Opcode::QuickMul | Opcode::QuickDiv)
    }

    /// The operation of which this is another form, if it makes a value of others.
    fn plain(self) -> Option<Opcode> {
        Some(match self {
            Opcode::QuickAdd => Opcode::Add,
            Opcode::QuickSub => Opcode::Sub,
            Opcode::QuickMul => Opcode::Mul,
            Opcode::QuickDiv => Opcode::Div,
            Opcode::IntendedSqrt => Opcode::Sqrt,
            Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Div | Opcode::Sqrt | Opcode::Fma => self,
            Opcode::Snap | Opcode::Intended | Opcode::Low => self,
            Opcode::Rem | Opcode::Function | Opcode::Convert | Opcode::ByAddress | Opcode::Complex => self,
            _ => return None,
        })
    }

    /// The operation that does the same for a lane of this kind in fewer steps, if there is one.
    fn quicker(self, format: Precision, is_recorded: bool) -> Opcode {
        match self {
            _ if format != Precision::Double => self,
            Opcode::Load => Opcode::LoadDouble,
            Opcode::Store => Opcode::StoreDouble,
            _ if is_recorded => self,
            Opcode::Add => Opcode::QuickAdd,
            Opcode::Sub => Opcode::QuickSub,
            Opcode::Mul => Opcode::QuickMul,
            Opcode::Div => Opcode::QuickDiv,
            _ => self,
        }
    }
}

/// One lane of a step.
#[derive(Clone, Copy, Debug)]
pub struct Insn {
    pub op: Opcode,
    pub format: Precision,
    /// Bits by which the recorded value lies above the beginning of its word.
    pub shift: u8,
    pub is_signed: bool,
    /// Frame offsets; absent operands are offset 0 and not looked at.
    pub out: u32,
    pub args: [u32; 3],
    pub word: u32,
    pub place: u32,
    pub offset: i64,
    /// Of all objects together; `NONE` for what only moves.
    pub site: u32,
    pub detail: u32,
}

impl Insn {
    /// Names become offsets.
    fn place_at(&mut self, places: &Places) {
        self.out = places.offset(self.out);
        self.args = self.args.map(|register| places.offset(register));
        if self.op == Opcode::Complex {
            self.offset = i64::from(places.offset(self.offset as u32));
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct FlatBlock {
    pub function: u32,
    pub enters: bool,
    pub words: u32,
    pub insns: std::ops::Range<usize>,
    /// How many of them are sums, products and quotients that have a quick way.
    pub quick: u32,
    /// The block that control comes from, in ascending order, and its moves in an order that is right one by one.
    edges: Vec<(u32, Vec<(u32, u32)>)>,
    /// Where phis go, for an edge that is not known.
    pub phis: Vec<u32>,
}

impl FlatBlock {
    /// The moves of the edge that control comes by.
    #[inline(always)]
    pub fn moves_from(&self, last: u32) -> Option<&[(u32, u32)]> {
        const FEW: usize = 8;
        let edge = if self.edges.len() <= FEW {
            self.edges.iter().find(|edge| edge.0 == last)
        } else {
            self.edges.binary_search_by_key(&last, |edge| edge.0).ok().map(|index| &self.edges[index])
        };
        edge.map(|edge| edge.1.as_slice())
    }
}

#[derive(Clone, Debug)]
pub struct FlatFunction {
    pub name: u32,
    pub is_local: bool,
    pub address: u64,
    /// Slots, scratch and constants.
    pub frame: u32,
    /// Also those that registers moved to.
    pub slots: u32,
    pub constants: Vec<Constant>,
    /// Operations on constants that the compiler computed and nobody checked.
    pub folded: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatCallee {
    Here(u32),
    Named(u32),
    Address,
}

#[derive(Clone, Debug)]
pub struct FlatCall {
    pub callee: FlatCallee,
    pub arguments: Vec<u32>,
}

/// Everything that runs, of all objects.
#[derive(Clone, Debug, Default)]
pub struct FlatProgram {
    pub blocks: Vec<FlatBlock>,
    pub insns: Vec<Insn>,
    pub functions: Vec<FlatFunction>,
    pub calls: Vec<FlatCall>,
    pub lists: Vec<Vec<u32>>,
    /// Evaluators, by `abi::libm::FUNCTIONS`.
    pub math: Vec<Option<MathFunction>>,
    pub complex: Vec<Option<Complex>>,
    /// Base in the stream, in ascending order; first block here, number of blocks.
    spans: Vec<(u32, u32, u32)>,
    names: HashMap<String, u32>,
    texts: Vec<String>,
    /// Nothing is measured: what only measures is left out.
    only_repeats: bool,
    /// Operations are put in another order, so that more are done four at once.
    rearranges: bool,
    /// Constants that were rounded, of all functions.
    pub rounded: Constants,
    /// By site: the instruction that makes its values, and its detail. `None` if there are several.
    pub made_by: Vec<Option<(Opcode, u32)>>,
    /// First global site of each object.
    pub site_bases: Vec<u32>,
    pub sites: u32,
}

impl FlatProgram {
    /// `measures`: whether there will be shadows. `rearranges`: whether four of them can be made at once.
    pub fn new(measures: bool, rearranges: bool) -> FlatProgram {
        let math = FUNCTIONS.iter().map(|f| f.by.real()).collect();
        let complex = FUNCTIONS.iter().map(|f| f.by.complex()).collect();
        FlatProgram { math, complex, only_repeats: !measures, rearranges, ..FlatProgram::default() }
    }

    /// The flat block of a number in the stream.
    #[inline]
    pub fn find(&self, number: u32) -> Option<u32> {
        let behind = self.spans.partition_point(|&(base, ..)| base <= number);
        let &(base, first, count) = self.spans.get(behind.wrapping_sub(1))?;
        let index = number - base;
        (index < count).then(|| first + index)
    }

    pub fn function_name(&self, function: u32) -> &str {
        let name = self.functions.get(function as usize).and_then(|f| self.texts.get(f.name as usize));
        name.map_or("", String::as_str)
    }

    fn name(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.names.get(text) {
            return id;
        }
        let id = self.names.len() as u32;
        self.names.insert(text.to_owned(), id);
        self.texts.push(text.to_owned());
        id
    }

    /// Takes an object that was admitted behind those before.
    pub fn add(&mut self, module: &Module) {
        let code = &module.code;
        let first_block = self.blocks.len() as u32;
        let first_function = self.functions.len() as u32;
        let (block, call, list) = (first_block, self.calls.len() as u32, self.lists.len() as u32);
        let bases = Bases { block, call, list, site: self.sites, function: first_function };
        let mut layouts: Vec<Layout> = code.functions.iter().map(|_| Layout::default()).collect();
        for call in &code.calls {
            let callee = match call.callee {
                Callee::Here(index) => FlatCallee::Here(first_function + index),
                Callee::Named(name) => FlatCallee::Named(self.name(module.sites.string(name))),
                Callee::Address => FlatCallee::Address,
            };
            self.calls.push(FlatCall { callee, arguments: Vec::new() });
        }
        self.lists.resize(self.lists.len() + code.lists.len(), Vec::new());
        let drafts = code.blocks.iter().map(|b| self.draft(module, b, &mut layouts[b.function as usize], &bases));
        let mut drafts: Vec<Draft> = drafts.collect();
        let mut places: Vec<Places> = code.functions.iter().map(|f| Places::new(f.slots)).collect();
        if self.rearranges {
            rearrange(&mut drafts, &mut places);
        } else {
            drafts.iter_mut().for_each(|draft| draft.insns = grouped(&units(&draft.insns), None));
        }
        for (block, draft) in code.blocks.iter().zip(drafts) {
            self.add_block(module, block, draft, &places[block.function as usize], &bases);
        }
        for (index, ((f, layout), places)) in code.functions.iter().zip(layouts).zip(places).enumerate() {
            let site_function = &module.sites.functions[f.site_function as usize];
            let name = self.name(module.sites.string(site_function.name));
            let constants: Vec<Constant> = layout.order.iter().map(|&c| self.rounded.number(code, c)).collect();
            let (slots, frame) = (places.size(), places.size() + constants.len() as u32 + 1);
            let address = module.addresses.get(index).copied().unwrap_or(0);
            let folded = module.sites.folded(site_function);
            self.functions.push(FlatFunction { name, is_local: f.local, address, frame, slots, constants, folded });
        }
        self.spans.push((module.base, first_block, code.blocks.len() as u32));
        self.site_bases.push(self.sites);
        self.sites += module.sites.sites.len() as u32;
        self.note_makers(first_block);
    }

    /// The block's own instructions, with the names of registers.
    fn draft(&self, module: &Module, block: &Block, layout: &mut Layout, bases: &Bases) -> Draft {
        let mut insns = Vec::new();
        block.steps.iter().for_each(|step| self.lower(step, layout, bases, &mut insns));
        let edges = block.edges.iter().map(|edge| (bases.block + edge.from, layout.lane_moves(&edge.moves))).collect();
        let passed = block.steps.iter().flat_map(|step| passed_by(module, step));
        let passed = passed.map(|&operand| layout.name(operand, 0)).collect();
        Draft { insns, edges, passed, function: block.function }
    }

    fn add_block(&mut self, module: &Module, block: &Block, draft: Draft, places: &Places, bases: &Bases) {
        let mut passed = draft.passed.iter().map(|&register| places.offset(register));
        for step in &block.steps {
            let registers = passed.by_ref().take(passed_by(module, step).len());
            match step.kind {
                Kind::Call => self.calls[(bases.call + step.detail) as usize].arguments = registers.collect(),
                Kind::Return => self.lists[(bases.list + step.detail) as usize] = registers.collect(),
                _ => {}
            }
        }
        let start = self.insns.len();
        self.insns.extend(draft.insns);
        self.insns[start..].iter_mut().for_each(|insn| insn.place_at(places));
        let mut phis: Vec<u32> = Vec::new();
        let mut edges = Vec::new();
        for (from, moves) in draft.edges {
            let moves: Vec<_> = moves.iter().map(|&(to, from)| (places.offset(to), places.offset(from))).collect();
            phis.extend(moves.iter().map(|m| m.0));
            edges.push((from, in_order(moves, places.size())));
        }
        phis.sort_unstable();
        phis.dedup();
        edges.sort_by_key(|edge| edge.0);
        edges.dedup_by_key(|edge| edge.0);
        let function = bases.function + block.function;
        let insns = start..self.insns.len();
        let quick = self.insns[start..].iter().filter(|insn| insn.op.is_quick()).count() as u32;
        self.blocks.push(FlatBlock { function, enters: block.enters, words: block.words, insns, quick, edges, phis });
    }
}

/// What a step passes to a callee, or back.
fn passed_by<'a>(module: &'a Module, step: &Step) -> &'a [Operand] {
    match step.kind {
        Kind::Call => &module.code.calls[step.detail as usize].arguments,
        Kind::Return => &module.code.lists[step.detail as usize],
        _ => &[],
    }
}

struct Bases {
    block: u32,
    call: u32,
    list: u32,
    site: u32,
    function: u32,
}

/// A block whose registers have names, not places.
#[derive(Debug)]
struct Draft {
    insns: Vec<Insn>,
    /// The block that control comes from, and its moves.
    edges: Vec<(u32, Vec<(u32, u32)>)>,
    /// What is passed to callees, or back, step by step.
    passed: Vec<u32>,
    function: u32,
}

/// Operations that can be done four at once come together, and so do their registers.
fn rearrange(drafts: &mut [Draft], places: &mut [Places]) {
    drafts.iter_mut().for_each(|draft| moves::see_through(&mut draft.insns));
    moves::drop_unread(drafts);
    let blocks: Vec<Vec<Unit>> = drafts.iter().map(|draft| units(&draft.insns)).collect();
    // What must stay in one block may not move for another.
    for (draft, units) in drafts.iter().zip(&blocks) {
        fours::fix(units, &mut places[draft.function as usize]);
    }
    let mut arranged = Vec::with_capacity(drafts.len());
    for (draft, units) in drafts.iter().zip(&blocks) {
        arranged.push(grouped(units, Some(&mut places[draft.function as usize])));
    }
    drop(blocks);
    drafts.iter_mut().zip(arranged).for_each(|(draft, insns)| draft.insns = insns);
}
