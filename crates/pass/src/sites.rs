//! From values and debug locations to site records.

use crate::evidence;
use crate::fp::FpType;
use crate::llvm::{BY_NAME, DebugLoc, Opcode, Place, RealPredicate, Value};
use crate::locals;
use crate::places;
use nonius_abi::Precision;
use nonius_abi::site::{Loc, NONE, Observed, Op, Site};
use nonius_abi::table::Builder;
use std::collections::HashSet;

/// The operation that made a value.
#[derive(Clone, Debug)]
pub struct Origin {
    pub op: Op,
    pub name: String,
    /// The narrowest format on the way from the operation to the value.
    pub precision: Option<Precision>,
    /// `None`: it came from elsewhere (memory, a caller), so it is where it is seen.
    pub instruction: Option<Value>,
    /// Of a comparison, as LLVM numbers it; else 0.
    pub predicate: u8,
    /// The value that it was looked for.
    pub value: Option<Value>,
}

/// A position with its inlining chain, as an index into the table.
fn position(table: &mut Builder, loc: Option<DebugLoc>) -> u32 {
    let (line, column) = loc.map_or((0, 0), |loc| (loc.line(), loc.column()));
    position_on(table, loc, line, column)
}

/// The same of an operation: where it was written, wherever it was moved to.
fn position_of_made(table: &mut Builder, instruction: Value) -> u32 {
    let loc = instruction.debug_loc().map(outside_of_rust);
    let moved = |place: &Place| {
        !is_rust_library(&place.file)
            && loc.is_none_or(|loc| loc.line() != place.line || loc.function() != place.function)
    };
    let Some(place) = instruction.noted_place().filter(moved) else { return position(table, loc) };
    let inlined_at = match loc {
        None => NONE,
        Some(loc) if loc.function() == place.function => position(table, loc.inlined_at()),
        // Moved out of what was inlined there.
        Some(loc) => position(table, Some(loc)),
    };
    let (file, function) = (table.string(&place.file), table.string(&place.function));
    let is_small = table.is_small(&place.function);
    table.loc(Loc { file, function, line: place.line, column: place.column, inlined_at, is_small })
}

/// The same for where a value is seen. Stores and calls that the optimizer made of several have no line: there, that of
/// the operation stands in, or of the test that chooses between operations, and last that of the function. It does not hang
/// on what the program does, so every engine names the same place.
fn position_of_seen(table: &mut Builder, seen_by: Value, origin: &Origin) -> u32 {
    let loc = seen_by.debug_loc().map(in_own_code);
    let Some(merged) = loc.filter(|loc| loc.line() == 0) else { return position(table, loc) };
    let here = |(function, line, _): &(String, u32, u32)| *function == merged.function() && *line != 0;
    let choice = origin.value.filter(|v| v.is_instruction()).and_then(choice);
    let place = choice.or(origin.instruction).and_then(place_of).filter(here);
    let place = place.or_else(|| places::branch_before(seen_by.block()).and_then(place_of).filter(here));
    let (line, column) = place.map_or((merged.function_line(), 0), |(_, line, column)| (line, column));
    position_on(table, loc, line, column)
}

/// Function, line and column where an instruction was written.
fn place_of(i: Value) -> Option<(String, u32, u32)> {
    let by_location = || {
        let loc = i.debug_loc()?;
        Some((loc.function(), loc.line(), loc.column()))
    };
    i.noted_place().map(|place| (place.function, place.line, place.column)).or_else(by_location)
}

fn position_on(table: &mut Builder, loc: Option<DebugLoc>, line: u32, column: u32) -> u32 {
    let Some(loc) = loc else { return NONE };
    let inlined_at = position(table, loc.inlined_at());
    let file = table.string(&loc.file());
    let name = loc.function();
    let (function, is_small) = (table.string(&name), table.is_small(&name));
    table.loc(Loc { file, function, line, column, inlined_at, is_small })
}

/// Where the program's own code calls what was inlined from the system's headers.
fn in_own_code(loc: DebugLoc) -> DebugLoc {
    match loc.inlined_at() {
        Some(outer) if loc.file().starts_with("/usr/") || is_rust_library(&loc.file()) => in_own_code(outer),
        _ => loc,
    }
}

/// The same for Rust's own library only: its lines tell a user nothing, for every operator and every
/// iterator has one.
fn outside_of_rust(loc: DebugLoc) -> DebugLoc {
    match loc.inlined_at() {
        Some(outer) if is_rust_library(&loc.file()) => outside_of_rust(outer),
        _ => loc,
    }
}

/// As compiled by whoever released it, or from the sources that rustup installs; and the requests of
/// Nonius's own crate.
pub fn is_rust_library(file: &str) -> bool {
    file.starts_with("/rustc/")
        || file.contains("/lib/rustlib/src/rust/library/")
        || file.ends_with("/nonius_requests.rs")
        || file.ends_with("/nonius_assertions.rs")
}

/// A site for a value of `precision` that `origin` made, observed at `seen_by`.
pub fn site(
    table: &mut Builder,
    origin: &Origin,
    precision: Precision,
    observed: Observed,
    seen_by: Value,
    function: u32,
) -> u32 {
    let seen = position_of_seen(table, seen_by, origin);
    let made = origin.instruction.map_or(NONE, |i| position_of_made(table, i));
    let at = if made == NONE { seen } else { made };
    let op = written_as(origin);
    let name = table.string(&origin.name);
    let precision = origin.precision.map_or(precision, |p| narrower(p, precision));
    let predicate = origin.predicate;
    let marks = evidence::of(origin, table);
    table.site(Site { op, precision, observed, predicate, marks, at, seen, name, function })
}

/// The operation as the source has it.
fn written_as(origin: &Origin) -> Op {
    if !matches!(origin.op, Op::Add | Op::Mul) {
        return origin.op;
    }
    let place = origin.instruction.and_then(Value::noted_place);
    match (origin.op, place.map(|place| place.opcode).as_deref()) {
        (Op::Add, Some("fsub")) => Op::Sub,
        (Op::Mul, Some("fdiv" | BY_NAME)) => Op::Div,
        (op, _) => op,
    }
}

fn narrower(a: Precision, b: Precision) -> Precision {
    if a.bits() < b.bits() { a } else { b }
}

impl Origin {
    pub fn new(op: Op, instruction: Option<Value>) -> Origin {
        let comparison = instruction.filter(|i| i.is(Opcode::LLVMFCmp));
        let predicate = comparison.map_or(0, |i| i.real_predicate() as u8);
        Origin { op, name: String::new(), precision: None, instruction, predicate, value: None }
    }

    /// A decision that the function `name` makes by a comparison.
    pub fn named(op: Op, name: &str, instruction: Value, predicate: RealPredicate) -> Origin {
        Origin { name: name.to_owned(), predicate: predicate as u8, ..Origin::new(op, Some(instruction)) }
    }

    /// The value went through this format too.
    fn through(mut self, value: Value) -> Origin {
        if let Some(fp) = FpType::of(value.ty()) {
            self.precision = Some(self.precision.map_or(fp.precision, |p| narrower(p, fp.precision)));
        }
        self
    }
}

/// Finds the operation behind a value, through copies and loop-carried phis.
pub fn origin(value: Value) -> Origin {
    let mut seen = HashSet::new();
    let found = search(value, &mut seen).unwrap_or_else(|| Origin::new(Op::Unknown, None));
    Origin { value: Some(value), ..found }
}

/// Whether values come from different operations, or one of them from none. Constants have no errors, and do not count.
pub fn are_different(values: &[Value]) -> bool {
    let mut made = values.iter().filter(|v| !v.is_constant()).map(|v| origin(*v).instruction);
    let first = made.next();
    first.is_some_and(|first| made.any(|other| other != first))
}

/// The test that chooses between the operations that may have made a value, where there are several.
fn choice(value: Value) -> Option<Value> {
    match value.opcode() {
        Opcode::LLVMSelect => are_different(&value.operands()[1..]).then_some(value),
        Opcode::LLVMPHI => {
            let incoming: Vec<Value> = value.phi_incoming().into_iter().map(|(v, _)| v).collect();
            are_different(&incoming).then(|| places::branch_before(value.block())).flatten()
        }
        _ => None,
    }
}

fn search(value: Value, seen: &mut HashSet<Value>) -> Option<Origin> {
    if !value.is_instruction() {
        return (!value.is_constant()).then(|| Origin::new(Op::Parameter, None).through(value));
    }
    if !seen.insert(value) || seen.len() > 64 {
        return None;
    }
    search_instruction(value, seen).map(|origin| origin.through(value))
}

/// What was inserted at the place that `extract` reads, or the whole it is part of.
fn member(extract: Value) -> Value {
    let path = extract.indices();
    let mut whole = extract.operand(0);
    while whole.is(Opcode::LLVMInsertValue) {
        let at = whole.indices();
        if at == path {
            return whole.operand(1);
        }
        if at.starts_with(&path) || path.starts_with(&at) {
            break;
        }
        whole = whole.operand(0);
    }
    whole
}

fn search_instruction(value: Value, seen: &mut HashSet<Value>) -> Option<Origin> {
    let made = |op| Some(Origin::new(op, Some(value)));
    match value.opcode() {
        Opcode::LLVMFAdd if value.operands().into_iter().any(is_negated) => made(Op::Sub),
        Opcode::LLVMFAdd => made(Op::Add),
        Opcode::LLVMFSub => made(Op::Sub),
        Opcode::LLVMFMul => made(Op::Mul),
        Opcode::LLVMFDiv => made(Op::Div),
        Opcode::LLVMFRem => made(Op::Rem),
        Opcode::LLVMSIToFP | Opcode::LLVMUIToFP => made(Op::FromInteger),
        Opcode::LLVMLoad => {
            let stored = locals::stored_values(value).into_iter().filter_map(|v| search(v, seen));
            let made = stored.into_iter().find(|o| o.instruction.is_some());
            made.or(Some(Origin::new(Op::Load, None)))
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => made(Op::Atomic),
        Opcode::LLVMCall | Opcode::LLVMInvoke => Some(call_origin(value)),
        Opcode::LLVMFPTrunc => {
            let inner = search(value.operand(0), seen);
            inner.filter(|o| o.instruction.is_some()).or_else(|| made(Op::Convert))
        }
        Opcode::LLVMPHI => {
            // What a loop computes comes before what entered it.
            let incoming = value.phi_incoming().into_iter();
            let found: Vec<Origin> = incoming.filter_map(|(v, _)| search(v, seen)).collect();
            let made = || found.iter().filter(|o| o.instruction.is_some());
            let carried = made().find(|o| o.instruction.is_some_and(|i| is_carried(i, 4)));
            carried.or_else(|| made().next()).or(found.first()).cloned()
        }
        Opcode::LLVMSelect => search(value.operand(1), seen)
            .filter(|o| o.instruction.is_some())
            .or_else(|| search(value.operand(2), seen)),
        Opcode::LLVMFNeg
        | Opcode::LLVMFPExt
        | Opcode::LLVMFreeze
        | Opcode::LLVMBitCast
        | Opcode::LLVMExtractElement => search(value.operand(0), seen),
        Opcode::LLVMExtractValue => search(member(value), seen),
        Opcode::LLVMShuffleVector => search(value.operand(0), seen)
            .filter(|o| o.instruction.is_some())
            .or_else(|| search(value.operand(1), seen)),
        Opcode::LLVMInsertElement | Opcode::LLVMInsertValue => search(value.operand(1), seen)
            .filter(|o| o.instruction.is_some())
            .or_else(|| search(value.operand(0), seen)),
        _ => None,
    }
}

/// A sum with such an operand is a difference in the source: `c - x * y` is compiled as `(-x) * y + c`.
fn is_negated(value: Value) -> bool {
    value.is(Opcode::LLVMFNeg)
        || value.is(Opcode::LLVMFMul) && value.operands().into_iter().any(|o| o.is(Opcode::LLVMFNeg))
}

/// Whether an operation takes part in a loop: a phi is among what it is computed from.
fn is_carried(instruction: Value, depth: u32) -> bool {
    instruction
        .operands()
        .into_iter()
        .filter(|&o| o.is_instruction() && is_fp(o))
        .any(|o| o.opcode() == Opcode::LLVMPHI || depth > 0 && is_carried(o, depth - 1))
}

fn call_origin(call: Value) -> Origin {
    let callee = call.callee();
    let name = if callee.is_function() { callee.name() } else { String::new() };
    let Some(intrinsic) = name.strip_prefix("llvm.") else {
        use nonius_abi::fortran::{Made, Reduction};
        if Reduction::by_name(&name).is_some() || Made::by_name(&name).is_some() {
            return Origin::new(Op::Reduce, Some(call));
        }
        let known = nonius_abi::libm::by_c_name(&name).is_some();
        let op = if known { Op::Function } else { Op::Call };
        return Origin { name, ..Origin::new(op, known.then_some(call)) };
    };
    let intrinsic = intrinsic.strip_prefix("experimental.constrained.").unwrap_or(intrinsic);
    let base = intrinsic.split('.').next().unwrap_or_default();
    let (op, name) = match base {
        "fadd" => (Op::Add, ""),
        "fsub" => (Op::Sub, ""),
        "fmul" => (Op::Mul, ""),
        "fdiv" => (Op::Div, ""),
        "frem" => (Op::Rem, ""),
        "fma" | "fmuladd" => (Op::Fma, ""),
        "sqrt" => (Op::Sqrt, ""),
        "vector" => (Op::Reduce, ""),
        other => (Op::Function, other),
    };
    Origin { name: name.to_owned(), ..Origin::new(op, Some(call)) }
}

/// Whether a value is a float or a vector of them.
pub fn is_fp(value: Value) -> bool {
    FpType::of(value.ty()).is_some()
}
