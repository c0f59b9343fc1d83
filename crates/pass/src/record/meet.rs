//! Points where paths that parted at a test of floats may meet, and what the program still needs there.
//!
//! ```text
//! if thread.EVENT_MEETS: __nonius_meet(thread, record, header, step, state, words, low, high)
//! ```
//! A point lies at the head of the block that all ways from a test come to (its nearest post-dominator), before each further
//! test of a block and at the end of a block with tests, and before the function returns. Two processes that stand at the
//! same point may become one if everything that is not a float agrees: memory, and those integers and pointers that are
//! used later. The latter are live registers, which the hook is handed; so are the function's stack objects, because the
//! rest of its frame is what the code generator keeps there for itself.

use super::Recorder;
use crate::cfg::Cfg;
use crate::fp::FpType;
use crate::llvm::{Block, IntPredicate, Kind as TypeKind, Opcode, Value};
use nonius_abi::Precision;
use nonius_abi::code::{Kind, NO_MEETING, RETURN, Step};
use nonius_abi::hooks::id;
use nonius_abi::libm::{self, Shape};
use nonius_abi::site::Op;
use nonius_abi::thread::EVENT_MEETS;
use std::collections::{HashMap, HashSet};

/// More live integers than this at a point, and paths go on to a later one.
const MOST_LIVE: usize = 1000;
/// Words that all points of a function hand over, at most. A function into which hundreds were inlined has as many points,
/// and at each of them the stack objects of all: paths meet later there, at last where it returns.
const MOST_WORDS: usize = 1 << 13;

/// The points of a function.
#[derive(Default)]
pub struct Meetings {
    heads: HashMap<Block, Point>,
    /// Inside of blocks, by the test that they lie before, and in their order.
    inner: HashMap<Value, Point>,
    in_block: HashMap<Block, Vec<u32>>,
    /// The next point behind a block's own.
    behind: HashMap<Block, u32>,
    stack_objects: Vec<Value>,
    returns: bool,
    /// The block that is walked, and how many of its inner points are done.
    at: Option<Block>,
    done: usize,
    /// What took the place of tests' outcomes.
    pub decided: HashMap<Value, Value>,
    /// Comparisons of vectors that choose floats and nothing else, and their sites.
    pub picking: HashMap<Value, u32>,
}

#[derive(Clone)]
struct Point {
    number: u32,
    live: Vec<Value>,
}

/// Whether the machine may be asked for the outcome.
pub fn is_asked(i: Value) -> bool {
    if rounds(i) {
        return true;
    }
    let asks = match i.opcode() {
        Opcode::LLVMFCmp | Opcode::LLVMFPToSI | Opcode::LLVMFPToUI => true,
        Opcode::LLVMCall => saturates(i).is_some(),
        _ => false,
    };
    asks && matches!(i.ty().kind(), TypeKind::Integer(bits) if bits <= 64)
}

/// A rounding function of one float, whose result is an integer that stays one.
pub fn rounds(i: Value) -> bool {
    let is_scalar = |i: Value| {
        FpType::of(i.ty())
            .is_some_and(|fp| fp.lanes.is_none() && matches!(fp.precision, Precision::Float | Precision::Double))
    };
    if !i.is(Opcode::LLVMCall) || !is_scalar(i) || !i.callee().is_function() || i.is_musttail() {
        return false;
    }
    let name = i.callee().name();
    let function = match name.strip_prefix("llvm.") {
        Some(intrinsic) => libm::by_intrinsic(intrinsic.split('.').next().unwrap_or_default()),
        None => libm::by_c_name(&name).map(|(function, _)| function),
    };
    let op = function.filter(|f| f.shape == Shape::X).and_then(|f| libm::decision(f.evaluator));
    op.is_some_and(|op| op.rounds() && op != Op::Logb)
}

/// Rust's conversion to an integer, and whether that has a sign: what is too large becomes the largest.
pub fn saturates(i: Value) -> Option<bool> {
    let name = if i.is(Opcode::LLVMCall) && i.callee().is_function() { i.callee().name() } else { return None };
    [("llvm.fptosi.sat.", true), ("llvm.fptoui.sat.", false)]
        .into_iter()
        .find(|(n, _)| name.starts_with(n))
        .map(|n| n.1)
}

/// Whether all that a comparison of vectors does is choosing floats, in its own block.
pub fn picks(i: Value) -> bool {
    let is_vector = matches!(i.ty().kind(), TypeKind::Vector(_));
    let chooses = |user: Value| {
        user.is(Opcode::LLVMSelect) && user.operand(0) == i && user.block() == i.block() && is_float(user)
    };
    is_vector && i.users().into_iter().all(chooses)
}

impl Meetings {
    pub fn of(blocks: &[(Block, Vec<Value>)], cfg: &Cfg) -> Meetings {
        let tests = |all: &[Value]| all.iter().copied().filter(|&i| is_asked(i)).collect::<Vec<_>>();
        if !blocks.iter().any(|(_, all)| all.iter().any(|&i| is_asked(i))) {
            return Meetings::default();
        }
        let mut meetings = Meetings::default();
        let after = cfg.post_dominators();
        let mut positions: Vec<(Block, Value, bool)> = Vec::new();
        for (block, all) in blocks {
            let tests = tests(all);
            positions.extend(tests.iter().skip(1).map(|&test| (*block, test, false)));
            // What a test picks without a branch is picked by the end of its block; a loop may be one block.
            let last = all.last().copied().filter(|i| i.is(Opcode::LLVMBr) && !tests.is_empty());
            let last = last.filter(|i| i.operand_count() == 1 || !tests.contains(&i.operand(0)));
            positions.extend(last.map(|last| (*block, last, false)));
            let head = after.get(block).filter(|_| !tests.is_empty());
            if let Some(&head) = head.filter(|&&h| !positions.iter().any(|p| p.0 == h && p.2)) {
                let first = blocks
                    .iter()
                    .find(|(b, _)| *b == head)
                    .and_then(|(_, all)| all.iter().copied().find(|i| i.opcode() != Opcode::LLVMPHI));
                positions.extend(first.filter(|i| !is_pad(*i)).map(|first| (head, first, true)));
            }
        }
        // Objects that come and go: nobody knows which are there.
        let entry = blocks[0].0;
        let stays = |i: Value| i.block() == entry && i.operand(0).as_const_int().is_some();
        let all = || blocks.iter().flat_map(|(_, all)| all.iter().copied());
        meetings.stack_objects = all().filter(|i| i.is(Opcode::LLVMAlloca)).collect();
        if !meetings.stack_objects.iter().all(|&i| stays(i)) {
            positions.clear();
        }
        let live = live(blocks, &positions);
        let mut words = 0;
        for (&(block, before, is_head), live) in positions.iter().zip(live) {
            let Some(live) = live else { continue };
            words += live.len() + 2 * meetings.stack_objects.len();
            if words > MOST_WORDS {
                break;
            }
            let number = (meetings.heads.len() + meetings.inner.len()) as u32 + RETURN + 1;
            let point = Point { number, live };
            if is_head {
                meetings.heads.insert(block, point);
            } else {
                meetings.inner.insert(before, point);
                meetings.in_block.entry(block).or_default().push(number);
            }
        }
        let is_simple = |i: Value| {
            !i.is(Opcode::LLVMRet) || i.operand_count() == 0 || is_word(i.operand(0)) || is_float(i.operand(0))
        };
        let is_returning = |i: Value| !matches!(i.opcode(), Opcode::LLVMCall) || !i.is_musttail();
        meetings.returns = all().all(|i| is_simple(i) && is_returning(i));
        for (block, _) in blocks {
            meetings.behind.insert(*block, meetings.first_behind(*block, &after));
        }
        meetings
    }

    fn first_behind(&self, block: Block, after: &HashMap<Block, Block>) -> u32 {
        let (mut at, mut steps) = (block, 0);
        while let Some(&next) = after.get(&at).filter(|_| steps < after.len()) {
            if let Some(point) = self.heads.get(&next) {
                return point.number;
            }
            if let Some(first) = self.in_block.get(&next).and_then(|all| all.first()) {
                return *first;
            }
            (at, steps) = (next, steps + 1);
        }
        if self.returns { RETURN } else { NO_MEETING }
    }

    /// The next point from where the walk stands.
    pub fn next(&self) -> u32 {
        let Some(block) = self.at else { return NO_MEETING };
        let inner = self.in_block.get(&block).and_then(|all| all.get(self.done)).copied();
        inner.or_else(|| self.behind.get(&block).copied()).unwrap_or(NO_MEETING)
    }
}

fn is_pad(i: Value) -> bool {
    matches!(
        i.opcode(),
        Opcode::LLVMLandingPad | Opcode::LLVMCatchPad | Opcode::LLVMCleanupPad | Opcode::LLVMCatchSwitch
    )
}

/// A value that is handed over as one word.
fn is_word(value: Value) -> bool {
    match value.ty().kind() {
        TypeKind::Integer(bits) => bits <= 64,
        TypeKind::Pointer => true,
        _ => false,
    }
}

/// The machine has it, whatever it is.
fn is_float(value: Value) -> bool {
    FpType::of(value.ty()).is_some()
}

/// For each position, the values before it that are used behind it and are no floats; `None` if one of them cannot be handed
/// over.
fn live(blocks: &[(Block, Vec<Value>)], positions: &[(Block, Value, bool)]) -> Vec<Option<Vec<Value>>> {
    let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
    for (block, _) in blocks {
        block.successors().into_iter().for_each(|to| predecessors.entry(to).or_default().push(*block));
    }
    let order: HashMap<Value, usize> =
        blocks.iter().flat_map(|(_, all)| all.iter().enumerate().map(|(n, &i)| (i, n))).collect();
    let mut live: Vec<Option<Vec<Value>>> = vec![Some(Vec::new()); positions.len()];
    let mut of_block: HashMap<Block, Vec<usize>> = HashMap::new();
    positions.iter().enumerate().for_each(|(n, p)| of_block.entry(p.0).or_default().push(n));
    for (home, all) in blocks {
        for &value in all.iter().filter(|v| !is_float(**v) && !v.is(Opcode::LLVMAlloca)) {
            let lives = Lives::of(value, *home, &predecessors);
            if lives.into.is_empty() && lives.out.is_empty() && lives.uses.is_empty() {
                continue;
            }
            let all = lives.into.iter().chain([home]).collect::<HashSet<_>>();
            for n in all.into_iter().filter_map(|block| of_block.get(block)).flatten().copied() {
                let (block, before, _) = positions[n];
                let is_there = lives.into.contains(&block) || block == *home && order[&value] < order[&before];
                let is_used = || {
                    lives.out.contains(&block)
                        || lives
                            .uses
                            .iter()
                            .any(|u| u.0 == block && order.get(&u.1).is_some_and(|at| *at >= order[&before]))
                };
                if is_there && is_used() {
                    match &mut live[n] {
                        Some(values) if is_word(value) && values.len() < MOST_LIVE => values.push(value),
                        other => *other = None,
                    }
                }
            }
        }
    }
    live
}

/// Where a value lives on.
struct Lives {
    into: HashSet<Block>,
    out: HashSet<Block>,
    uses: Vec<(Block, Value)>,
}

impl Lives {
    fn of(value: Value, home: Block, predecessors: &HashMap<Block, Vec<Block>>) -> Lives {
        let mut lives = Lives { into: HashSet::new(), out: HashSet::new(), uses: Vec::new() };
        let mut ends: Vec<Block> = Vec::new();
        for user in value.users().into_iter().filter(|u| u.is_instruction()) {
            if user.is(Opcode::LLVMPHI) {
                ends.extend(user.phi_incoming().into_iter().filter(|(v, _)| *v == value).map(|(_, block)| block));
                continue;
            }
            lives.uses.push((user.block(), user));
            if user.block() != home && lives.into.insert(user.block()) {
                ends.extend(predecessors.get(&user.block()).into_iter().flatten());
            }
        }
        while let Some(block) = ends.pop() {
            if lives.out.insert(block) && block != home && lives.into.insert(block) {
                ends.extend(predecessors.get(&block).into_iter().flatten());
            }
        }
        lives
    }
}

impl Recorder<'_> {
    /// The walk comes to a block.
    pub fn meet_at_head(&mut self, block: Block) {
        (self.meetings.at, self.meetings.done) = (Some(block), 0);
        if let Some(point) = self.meetings.heads.get(&block).cloned() {
            self.meet(point, self.segment.head);
        }
    }

    /// A test, or the function's return, comes next.
    pub fn meet_before(&mut self, i: Value) {
        if let Some(point) = self.meetings.inner.get(&i).cloned() {
            self.meetings.done += 1;
            self.meet(point, i);
        } else if i.is(Opcode::LLVMRet) && self.meetings.returns {
            let live = i.operands().into_iter().filter(|v| is_word(*v)).collect();
            self.meet(Point { number: RETURN, live }, i);
        }
    }

    fn meet(&mut self, point: Point, before: Value) {
        self.step(Step { detail: point.number, ..Step::new(Kind::Meet, nonius_abi::Precision::Double, 1) });
        let (at, index, number) = self.open_record();
        self.b.before_with_loc_of(before, before);
        let (i64_type, ptr) = (self.b.types.i64(), self.b.types.ptr());
        let flag = self.b.load(i64_type, self.b.offset(self.thread, i64::from(EVENT_MEETS)), 8);
        let asked = self.b.icmp(IntPredicate::LLVMIntNE, flag, i64_type.const_int(0));
        let then = before.split_if(asked);
        self.b.before_with_loc_of(then, before);
        let low = self.b.intrinsic("llvm.stacksave", &[ptr], &[]);
        let high = self.b.intrinsic("llvm.addressofreturnaddress", &[ptr], &[]);
        // What lies on the stack of a function that returns is nothing any more.
        let objects = if point.number == RETURN { Vec::new() } else { self.meetings.stack_objects.clone() };
        // Where the frame is counts as much as what it holds.
        let mut words = vec![i64_type.const_int(2 + point.live.len() as u64)];
        words.extend([low, high].map(|at| self.b.ptr_to_int(at, i64_type)));
        for value in point.live {
            let value = self.meetings.decided.get(&value).copied().unwrap_or(value);
            words.push(self.as_word(value));
        }
        for object in objects {
            let count = object.operand(0).as_const_int().unwrap_or(1);
            words.push(self.b.ptr_to_int(object, i64_type));
            words.push(i64_type.const_int(self.module.alloc_bytes(object.allocated_type()) * count));
        }
        let state = self.b.alloca(i64_type.array(words.len() as u64), 8);
        let count = i64_type.const_int(words.len() as u64);
        for (n, word) in words.into_iter().enumerate() {
            self.b.store(word, self.b.offset(state, 8 * n as i64), 8);
        }
        let header = self.b.add(self.header, i64_type.const_int(u64::from(index)));
        let step = self.b.types.i32().const_int(u64::from(number));
        let (hook, ty) = self.tables.hook(id::__nonius_meet);
        self.b.call(hook, ty, &[self.thread, at, header, step, state, count, low, high]);
        self.b.intrinsic("llvm.stackrestore", &[ptr], &[low]);
    }

    fn as_word(&mut self, value: Value) -> Value {
        let i64_type = self.b.types.i64();
        match value.ty().kind() {
            TypeKind::Pointer => self.b.ptr_to_int(value, i64_type),
            TypeKind::Integer(64) => value,
            _ => self.b.zext(value, i64_type),
        }
    }
}
