//! Code tables as the walker wants them: one flat run of instructions a block, a lane each, with
//! frame offsets in place of operands.
//!
//! A frame has the function's slots, one scratch slot for moves that form a cycle, then the function's
//! constants (so that an operand is an index, whatever it is).

use crate::at_once::in_order;
use crate::format::decode;
use crate::fours::grouped;
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Block, Callee, Code, Kind, Move, Operand, Source, Step, lane_bytes};
use nonius_abi::event::Module;
use nonius_abi::libm::{FUNCTIONS, Shape};
use nonius_abi::site::NONE;
use nonius_oracle::{Complex, Function as MathFunction};
use std::collections::HashMap;

/// What an instruction does; `abi::code::Kind` says it of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    Value,
    Parameter,
    Add,
    Sub,
    Mul,
    Div,
    /// A sum or difference with 1.5 * 2^(bits - 1): it rounds on purpose.
    Trick,
    /// A sum, difference, product or quotient (0 to 3) whose rounding is meant.
    Meant,
    /// A root whose rounding is meant.
    MeantSqrt,
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
}

impl Op {
    pub fn is_quick(self) -> bool {
        matches!(self, Op::QuickAdd | Op::QuickSub | Op::QuickMul | Op::QuickDiv)
    }

    /// The operation that does the same for a lane of this kind in fewer steps, if there is one.
    fn quicker(self, format: Precision, is_recorded: bool) -> Op {
        match self {
            _ if format != Precision::Double => self,
            Op::Load => Op::LoadDouble,
            Op::Store => Op::StoreDouble,
            _ if is_recorded => self,
            Op::Add => Op::QuickAdd,
            Op::Sub => Op::QuickSub,
            Op::Mul => Op::QuickMul,
            Op::Div => Op::QuickDiv,
            _ => self,
        }
    }
}

/// One lane of a step.
#[derive(Clone, Copy, Debug)]
pub struct Insn {
    pub op: Op,
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

#[derive(Debug, Default)]
pub struct FlatBlock {
    pub function: u32,
    pub enters: bool,
    pub words: u32,
    pub insns: std::ops::Range<usize>,
    /// How many of them are sums, products and quotients that have a quick way.
    pub quick: u32,
    /// The block that control comes from, and its moves in an order that is right one by one.
    pub edges: Vec<(u32, Vec<(u32, u32)>)>,
    /// Where phis go, for an edge that is not known.
    pub phis: Vec<u32>,
}

#[derive(Debug)]
pub struct FlatFunction {
    pub name: u32,
    pub is_local: bool,
    pub address: u64,
    /// Slots, scratch and constants.
    pub frame: u32,
    pub slots: u32,
    pub constants: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatCallee {
    Here(u32),
    Named(u32),
    Address,
}

#[derive(Debug)]
pub struct FlatCall {
    pub callee: FlatCallee,
    pub arguments: Vec<u32>,
}

/// Everything that runs, of all objects.
#[derive(Debug, Default)]
pub struct Program {
    pub blocks: Vec<FlatBlock>,
    pub insns: Vec<Insn>,
    pub functions: Vec<FlatFunction>,
    pub calls: Vec<FlatCall>,
    pub lists: Vec<Vec<u32>>,
    /// Evaluators, by `abi::libm::FUNCTIONS`.
    pub math: Vec<Option<MathFunction>>,
    pub complex: Vec<Option<Complex>>,
    /// Base in the stream, first block here, number of blocks.
    spans: Vec<(u32, u32, u32)>,
    names: HashMap<String, u32>,
    texts: Vec<String>,
    /// Nothing is measured: what only measures is left out.
    only_repeats: bool,
    /// First global site of each object.
    pub site_bases: Vec<u32>,
    pub sites: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a function with {slots} slots for floats is more than any compiler makes: the code table is corrupt")]
pub struct TooLarge {
    pub slots: u64,
}

/// More slots than any function has; keeps a corrupt table from filling memory.
const MOST_SLOTS: u64 = 1 << 22;
const MOST_INSNS: u64 = 1 << 26;

/// One function's operands as frame offsets.
struct Layout {
    slots: u32,
    constants: HashMap<u32, u32>,
    order: Vec<u32>,
}

impl Layout {
    fn offset(&mut self, operand: Operand, lane: u32) -> u32 {
        let constant = match operand.source() {
            Source::Slot(slot) => return slot + lane,
            Source::Constant(index) => index + lane,
            Source::Nothing => NONE,
        };
        let next = self.slots + 1 + self.order.len() as u32;
        *self.constants.entry(constant).or_insert_with(|| {
            self.order.push(constant);
            next
        })
    }
}

impl Layout {
    /// Of an operand that may be absent: then nobody looks.
    fn offset_or_none(&mut self, operand: Operand, lane: u32) -> u32 {
        if operand == Operand::NOTHING { 0 } else { self.offset(operand, lane) }
    }
}

impl Program {
    /// `measures`: whether there will be shadows.
    pub fn new(measures: bool) -> Program {
        let math = FUNCTIONS
            .iter()
            .map(|f| match f.shape {
                Shape::ToInteger => None,
                Shape::Sincos => Some(MathFunction::Sin),
                Shape::Remquo => Some(MathFunction::Remainder),
                Shape::LgammaR => Some(MathFunction::Lgamma),
                _ => MathFunction::by_name(f.evaluator),
            })
            .collect();
        let complex = FUNCTIONS.iter().map(|f| Complex::by_name(f.evaluator)).collect();
        Program { math, complex, only_repeats: !measures, ..Program::default() }
    }

    /// The flat block of a number in the stream.
    #[inline]
    pub fn find(&self, number: u32) -> Option<u32> {
        for &(base, first, count) in self.spans.iter().rev() {
            let index = number.wrapping_sub(base);
            if index < count {
                return Some(first + index);
            }
        }
        None
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

    pub fn add(&mut self, module: &Module) -> Result<(), TooLarge> {
        let code = &module.code;
        let lanes: u64 = code.blocks.iter().flat_map(|b| &b.steps).map(|s| u64::from(s.lanes)).sum();
        let largest = code.functions.iter().map(|f| u64::from(f.slots)).max().unwrap_or(0);
        if largest > MOST_SLOTS || lanes > MOST_INSNS {
            return Err(TooLarge { slots: largest.max(lanes) });
        }
        let first_block = self.blocks.len() as u32;
        let first_function = self.functions.len() as u32;
        let first_call = self.calls.len() as u32;
        let first_list = self.lists.len() as u32;
        let bases = Bases { block: first_block, call: first_call, list: first_list, site: self.sites };
        let mut layouts: Vec<Layout> = code
            .functions
            .iter()
            .map(|f| Layout { slots: f.slots, constants: HashMap::new(), order: Vec::new() })
            .collect();
        for call in &code.calls {
            let callee = match call.callee {
                Callee::Here(index) => FlatCallee::Here(first_function + index),
                Callee::Named(name) => FlatCallee::Named(self.name(module.sites.string(name))),
                Callee::Address => FlatCallee::Address,
            };
            self.calls.push(FlatCall { callee, arguments: Vec::new() });
        }
        self.lists.resize(self.lists.len() + code.lists.len(), Vec::new());
        for block in &code.blocks {
            self.add_block(module, block, &mut layouts[block.function as usize], first_function, &bases);
        }
        for (index, (f, layout)) in code.functions.iter().zip(layouts).enumerate() {
            let site_function = &module.sites.functions[f.site_function as usize];
            let name = self.name(module.sites.string(site_function.name));
            let constants = layout.order.iter().map(|&c| constant(code, c)).collect();
            let frame = f.slots + layout.order.len() as u32 + 1;
            let address = module.addresses.get(index).copied().unwrap_or(0);
            self.functions.push(FlatFunction { name, is_local: f.local, address, frame, slots: f.slots, constants });
        }
        self.spans.push((module.base, first_block, code.blocks.len() as u32));
        self.site_bases.push(self.sites);
        self.sites += module.sites.sites.len() as u32;
        Ok(())
    }

    fn add_block(&mut self, module: &Module, block: &Block, layout: &mut Layout, first_function: u32, bases: &Bases) {
        let start = self.insns.len();
        for step in &block.steps {
            match step.kind {
                Kind::Call => {
                    let arguments = &module.code.calls[step.detail as usize].arguments;
                    let arguments = arguments.iter().map(|&o| layout.offset(o, 0)).collect();
                    self.calls[(bases.call + step.detail) as usize].arguments = arguments;
                }
                Kind::Return => {
                    let list = module.code.lists[step.detail as usize].iter().map(|&o| layout.offset(o, 0)).collect();
                    self.lists[(bases.list + step.detail) as usize] = list;
                }
                _ => {}
            }
            self.add_step(module, step, layout, bases);
        }
        grouped(&mut self.insns, start);
        let scratch = layout.slots;
        let mut phis: Vec<u32> = Vec::new();
        let mut edges = Vec::new();
        for edge in &block.edges {
            let moves = lane_moves(&edge.moves, layout);
            phis.extend(moves.iter().map(|m| m.0));
            edges.push((bases.block + edge.from, in_order(moves, scratch)));
        }
        phis.sort_unstable();
        phis.dedup();
        let function = first_function + block.function;
        let insns = start..self.insns.len();
        let quick = self.insns[start..].iter().filter(|insn| insn.op.is_quick()).count() as u32;
        self.blocks.push(FlatBlock { function, enters: block.enters, words: block.words, insns, quick, edges, phis });
    }

    fn add_step(&mut self, module: &Module, step: &Step, layout: &mut Layout, bases: &Bases) {
        let lanes = if step.kind == Kind::Copy { 1 } else { u32::from(step.lanes).max(1) };
        let site = if step.site == NONE { NONE } else { bases.site + step.site };
        let Some((op, detail)) = self.operation(module, step, bases) else { return };
        if self.only_repeats && matches!(op, Op::Check | Op::Compare | Op::ToInteger | Op::Store | Op::Copy) {
            return;
        }
        for lane in 0..lanes {
            let byte = lane * lane_bytes(step.precision);
            let value_at = |byte: u32| step.word.saturating_add(byte / 8);
            let (word, shift) = match (step.kind, step.word) {
                // The lane's bit in the word that says whether it counts.
                (Kind::Compare, _) => (NONE, lane.min(63) as u8),
                (_, NONE) => (NONE, 0),
                (Kind::FromInteger, word) => (word + lane, 0),
                _ => (value_at(byte), (byte % 8 * 8) as u8),
            };
            let stride = i64::from(lane * memory_bytes(step.precision));
            let (place, offset) = match step.kind {
                Kind::Gather | Kind::Scatter => (step.place + lane, 0),
                Kind::Load | Kind::Store => (step.place, i64::from(step.offset) + stride),
                Kind::Complex => (NONE, i64::from(layout.offset_or_none(step.args[1], 1))),
                _ => (step.place, i64::from(step.offset)),
            };
            let detail = match step.kind {
                Kind::Parameter | Kind::Result => detail + lane,
                Kind::Complex => 2 * detail + lane,
                // The bit of the lane.
                Kind::Select => {
                    if step.detail == 1 {
                        0
                    } else {
                        lane
                    }
                }
                _ => detail,
            };
            let out = if step.result == NONE { 0 } else { step.result + lane };
            let args = match step.kind {
                Kind::Complex => [(0, 0), (0, 1), (1, 0)].map(|(n, part)| layout.offset_or_none(step.args[n], part)),
                _ => step.args.map(|o| layout.offset_or_none(o, lane)),
            };
            let is_signed = !(step.kind == Kind::FromInteger && step.detail == 1);
            self.insns.push(Insn {
                op: op.quicker(step.precision, word != NONE),
                format: step.precision,
                shift,
                is_signed,
                out,
                args,
                word,
                place,
                offset,
                site,
                detail,
            });
        }
    }

    /// The instruction for a step, and its detail.
    fn operation(&self, module: &Module, step: &Step, bases: &Bases) -> Option<(Op, u32)> {
        let detail = step.detail;
        Some(match step.kind {
            Kind::Value => (Op::Value, detail),
            Kind::Parameter => (Op::Parameter, detail),
            Kind::Arith => arith(module, step)?,
            Kind::Function => (Op::Function, detail),
            Kind::Complex => (Op::Complex, detail),
            Kind::Convert => (Op::Convert, detail),
            Kind::FromInteger => (Op::FromInteger, 0),
            Kind::ToInteger => (Op::ToInteger, detail),
            Kind::Compare => (Op::Compare, detail),
            Kind::Select => (Op::Select, 0),
            Kind::Move => (Op::Move, 0),
            Kind::Load | Kind::Gather => (Op::Load, 0),
            Kind::Store | Kind::Scatter => (Op::Store, 0),
            Kind::Copy => (Op::Copy, 0),
            Kind::Check => (Op::Check, 0),
            Kind::Call => (Op::Call, bases.call + detail),
            Kind::Result => (Op::Result, detail),
            Kind::Return => (Op::Return, bases.list + detail),
            Kind::Request => (Op::Request, detail),
        })
    }
}

struct Bases {
    block: u32,
    call: u32,
    list: u32,
    site: u32,
}

fn arith(module: &Module, step: &Step) -> Option<(Op, u32)> {
    let which = u8::try_from(step.detail).ok().and_then(Arith::from_u8)?;
    let magic = 1.5 * f64::exp2(f64::from(step.precision.bits()) - 1.0);
    let is_magic = |o: &Operand| match o.source() {
        Source::Constant(index) => constant(&module.code, index).0.abs() == magic,
        _ => false,
    };
    let on_purpose = step.args.iter().any(is_magic);
    Some(match which {
        Arith::Add if on_purpose => (Op::Trick, 0),
        Arith::Sub if on_purpose => (Op::Trick, 1),
        Arith::MeantAdd => (Op::Meant, 0),
        Arith::MeantSub => (Op::Meant, 1),
        Arith::MeantMul => (Op::Meant, 2),
        Arith::LowAdd => (Op::Low, 0),
        Arith::LowSub => (Op::Low, 1),
        Arith::LowFma => (Op::Low, 2),
        Arith::MeantDiv => (Op::Meant, 3),
        Arith::MeantSqrt => (Op::MeantSqrt, 0),
        Arith::Beside => (Op::Beside, 0),
        Arith::Seed => (Op::Beside, 1),
        Arith::Add => (Op::Add, 0),
        Arith::Sub => (Op::Sub, 0),
        Arith::Mul => (Op::Mul, 0),
        Arith::Div => (Op::Div, 0),
        Arith::Rem => (Op::Rem, 0),
        Arith::Neg => (Op::Neg, 0),
        Arith::Abs => (Op::Abs, 0),
        Arith::Sqrt => (Op::Sqrt, 0),
        Arith::Fma => (Op::Fma, 0),
        Arith::CopySign => (Op::CopySign, 0),
        Arith::MinNum => (Op::Pick, 0),
        Arith::MaxNum => (Op::Pick, 1),
        Arith::Minimum => (Op::Pick, 2),
        Arith::Maximum => (Op::Pick, 3),
    })
}

fn constant(code: &Code, index: u32) -> (f64, f64) {
    code.constants.get(index as usize).map_or((0.0, 0.0), |c| decode(c.precision, c.bits))
}

/// Bytes from a lane to the next in memory: vectors of x87 do not pack.
fn memory_bytes(precision: Precision) -> u32 {
    match precision {
        Precision::X87 => 16,
        other => other.store_bytes(),
    }
}

fn lane_moves(moves: &[Move], layout: &mut Layout) -> Vec<(u32, u32)> {
    let mut lanes = Vec::new();
    for m in moves {
        for lane in 0..m.lanes {
            let from = layout.offset(m.from, lane);
            lanes.push((m.to + lane, from));
        }
    }
    lanes.retain(|(to, from)| to != from);
    lanes
}
