//! What a function does once, at its entry: find the thread's block, say that it ran, take its
//! arguments' shadows, load the limits.

use super::Emitter;
use super::call::may_end_the_program;
use crate::formats;
use crate::fp::{FpType, leaves};
use crate::llvm::{Block, Builder, IntPredicate, Module, Opcode, Type, Value};
use crate::options::Options;
use nonius_abi::Precision;
use nonius_abi::hooks::id;

/// Values of a check go through stack slots; this many lanes at once.
pub const MAX_LANES: u32 = 64;
/// Arrays of lanes that a hook can take at a time.
const BUFFERS: u64 = 5;
const BUFFER_ALIGNMENT: u32 = 16;

/// What the function needs, decided before anything is emitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// It computes with floats or moves them.
    pub any: bool,
    pub floats: bool,
    /// It passes or takes floats, so it needs the thread's block.
    pub thread: bool,
    /// Lanes of its widest vector of floats, up to `MAX_LANES`.
    pub lanes: u32,
}

impl Needs {
    pub fn of(module: Module, function: Value, options: &Options) -> Needs {
        let has_floats = |ty: Type| !leaves(module, ty).is_empty();
        let ty = function.function_type();
        let mut needs = Needs { lanes: 1, ..Needs::default() };
        let byval = (0..ty.parameters().len()).any(|i| function.parameter_byval(i as u32).is_some());
        needs.thread = byval || ty.parameters().into_iter().any(has_floats) || has_floats_result(module, ty);
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            let operands = i.operands();
            let touches = has_floats_value(module, i) || operands.iter().any(|o| has_floats_value(module, *o));
            needs.floats |= touches;
            let floats = operands.iter().chain([&i]).flat_map(|v| leaves(module, v.ty()));
            let lanes = floats.map(|leaf| leaf.fp.lane_count()).filter(|&n| n <= MAX_LANES).max();
            needs.lanes = needs.lanes.max(lanes.unwrap_or(1));
            if matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
                let name = if i.callee().is_function() { i.callee().name() } else { String::new() };
                needs.any |= moves_memory(&name) || options.panic_aborts && may_end_the_program(i);
                needs.thread |= touches && !name.starts_with("llvm.") || name.starts_with("llvm.va_start");
                needs.thread |= (0..i.arguments().len()).any(|a| i.argument_byval(a as u32).is_some());
            }
        }
        needs.floats |= !formats::formatted(function).is_empty();
        needs.any |= needs.floats || needs.thread;
        needs
    }
}

fn has_floats_result(module: Module, function_type: Type) -> bool {
    !leaves(module, function_type.result()).is_empty()
}

fn has_floats_value(module: Module, value: Value) -> bool {
    !leaves(module, value.ty()).is_empty()
}

/// Whether a callee moves memory, or ends the process, so that its call is worth a look.
fn moves_memory(name: &str) -> bool {
    use nonius_abi::fortran::{COPIES, COPY_BACK, Input, Made, OUTPUT_ARRAY, Rearrangement, is_not_followed};
    use nonius_abi::libc::{ENDINGS, SCANF, WRAPPED, ends_fortran};
    name.starts_with("llvm.mem")
        || name.starts_with("__nonius_api_")
        || WRAPPED.contains(&name)
        || ENDINGS.contains(&name)
        || ends_fortran(name)
        || name == OUTPUT_ARRAY
        || COPIES.contains(&name)
        || name == COPY_BACK
        || Rearrangement::by_name(name).is_some()
        || Input::by_name(name).is_some()
        || Made::by_name(name).is_some()
        || is_not_followed(name)
        || matches!(name, "memcpy" | "memmove" | "memset")
        || SCANF.iter().any(|(n, _)| *n == name)
}

/// What an invoke or asm goto makes is there on its edges only, and so is its shadow: each such edge whose end has other
/// predecessors gets a block, and phis that only pass the value on are taken out. Says whether there were any.
pub fn give_results_their_edge(function: Value) -> bool {
    let blocks = function.blocks();
    let mut predecessors = std::collections::HashMap::new();
    for block in &blocks {
        for successor in block.successors() {
            *predecessors.entry(successor).or_insert(0) += 1;
        }
    }
    let mut changed = false;
    for block in blocks {
        let Some(call) = block.terminator() else { continue };
        let ends = match call.opcode() {
            Opcode::LLVMInvoke => vec![call.normal_dest()],
            Opcode::LLVMCallBr => block.successors(),
            _ => continue,
        };
        for to in ends {
            if predecessors[&to] > 1 {
                block.split_edge_to(to);
            } else {
                changed |= forward_phis(to);
            }
        }
    }
    changed
}

/// Takes out the phis of a block with one predecessor.
fn forward_phis(block: Block) -> bool {
    let mut changed = false;
    for phi in block.phis() {
        let (value, _) = phi.phi_incoming()[0];
        // In code that nothing reaches, a phi may be its own value.
        if value != phi {
            phi.replace_uses_with(value);
            phi.erase();
            changed = true;
        }
    }
    changed
}

/// Where entry code goes, and what it made.
pub struct Entry {
    /// Stands where the program's own code begins; entry code goes before it.
    pub anchor: Value,
    first: Value,
    pub thread: Option<Value>,
    limits: [Option<Value>; 6],
    float_limit: Option<Value>,
    buffer: Option<Value>,
    /// Doubles in each of a buffer's arrays.
    lanes: u32,
    /// Stack objects that are there from the entry on.
    pub allocas: Vec<Value>,
    /// What the function is compiled for.
    pub avx2: bool,
    pub avx512: bool,
}

/// Arrays of doubles for one call of a hook.
pub struct Buffer {
    base: Value,
    /// Where the stack ends without it, if it is not one for the whole function.
    end_of_stack: Option<Value>,
}

impl Entry {
    pub fn at(module: Module, function: Value) -> Entry {
        let instructions = function.blocks()[0].instructions();
        let start = *instructions.iter().find(|i| i.opcode() != Opcode::LLVMAlloca).expect("a terminator");
        let b = module.builder();
        b.before(start);
        let anchor = b.freeze(b.types.i1().zero());
        let first = instructions.first().copied().filter(|&i| i != start).unwrap_or(anchor);
        let allocas = instructions.into_iter().take_while(|i| i.opcode() == Opcode::LLVMAlloca).collect();
        let features = function.string_attribute("target-features").unwrap_or_default();
        Entry {
            anchor,
            first,
            thread: None,
            limits: [None; 6],
            float_limit: None,
            buffer: None,
            lanes: 1,
            allocas,
            avx2: features.contains("+avx2"),
            avx512: features.contains("+avx512f"),
        }
    }
}

impl Emitter<'_> {
    pub fn emit_entry(&mut self, needs: &Needs) {
        // Made before any split, so that it stays in the entry block.
        self.b.before(self.entry.first);
        if needs.floats || needs.thread {
            self.entry.lanes = needs.lanes;
            // Frames with other alignments would need one more register to find their variables.
            let plain = self.entry.allocas.iter().all(|a| a.alignment() <= BUFFER_ALIGNMENT);
            if !(self.options.unoptimized && plain) {
                self.entry.buffer = Some(self.allocate_buffer());
            }
            self.mark_ran();
        }
        if needs.thread {
            self.find_thread();
            self.take_arguments();
        }
    }

    /// Calls a hook on a cold path.
    pub fn call_cold(&self, hook: &str, arguments: &[Value]) {
        // AVX-512 has more registers than any hook keeps.
        if self.entry.avx2 && !self.entry.avx512 {
            let (hook, ty) = self.tables.preserving_hook(hook);
            self.b.call(hook, ty, arguments).keep_registers();
        } else {
            let (hook, ty) = self.tables.hook(hook);
            self.b.call(hook, ty, arguments);
        }
    }

    fn allocate_buffer(&self) -> Value {
        let doubles = self.b.types.double().array(u64::from(self.entry.lanes) * BUFFERS);
        self.b.alloca(doubles, BUFFER_ALIGNMENT)
    }

    /// Arrays for a hook on a cold path, up to [`Self::end_buffer`]. In unoptimized code they are on the stack only there:
    /// frames are large as it is, and calls may go deep.
    pub fn begin_buffer(&self) -> Buffer {
        if let Some(base) = self.entry.buffer {
            return Buffer { base, end_of_stack: None };
        }
        let end_of_stack = Some(self.b.intrinsic("llvm.stacksave", &[self.b.types.ptr()], &[]));
        Buffer { base: self.allocate_buffer(), end_of_stack }
    }

    pub fn end_buffer(&self, buffer: Buffer) {
        if let Some(end) = buffer.end_of_stack {
            self.b.intrinsic("llvm.stackrestore", &[self.b.types.ptr()], &[end]);
        }
    }

    /// One of a buffer's arrays: `lanes` doubles each.
    pub fn array(&self, buffer: &Buffer, index: u32) -> Value {
        self.b.offset(buffer.base, i64::from(index * self.entry.lanes * 8))
    }

    /// Fills one of a buffer's arrays with lanes.
    pub fn fill(&self, buffer: &Buffer, index: u32, lanes: Value) {
        self.b.store(self.to_double(lanes), self.array(buffer, index), 8);
    }

    /// Where stack slots are made: the first instruction of the entry block.
    pub fn entry_head(&self) -> Value {
        self.function.entry_block().first().expect("a terminator")
    }

    pub fn thread(&self) -> Value {
        self.entry.thread.expect("planned by Needs")
    }

    fn mark_ran(&mut self) {
        self.b.before(self.entry.anchor);
        let byte = self.tables.ran_byte(&self.b, self.index);
        let ran = self.b.load(self.b.types.i8(), byte, 1);
        let first = self.b.icmp(IntPredicate::LLVMIntEQ, ran, self.b.types.i8().zero());
        // A store a call would make threads fight for the line; a load does not.
        let then = self.entry.anchor.split_if(first);
        self.b.before(then);
        self.b.store(self.b.types.i8().const_int(1), byte, 1);
    }

    fn find_thread(&mut self) {
        self.b.before(self.entry.anchor);
        let ptr = self.b.types.ptr();
        let known = self.b.load(ptr, self.tables.thread_pointer(), 8);
        let missing = self.b.icmp(IntPredicate::LLVMIntEQ, known, ptr.zero());
        let head = self.entry.anchor.block();
        let then = self.entry.anchor.split_if(missing);
        self.b.before(then);
        let (make, ty) = self.tables.hook(id::__nonius_thread);
        let made = self.b.call(make, ty, &[]);
        self.b.before(self.entry.anchor);
        let thread = self.b.phi(ptr);
        thread.add_incoming(known, head);
        thread.add_incoming(made, then.block());
        self.entry.thread = Some(thread);
    }

    /// The relative error up to which a check of this precision stays on its fast path. Loaded once, but in unoptimized
    /// code, where it would take room on the stack through every call.
    pub fn limit(&mut self, fp: FpType) -> Value {
        let index = fp.precision as usize;
        if self.options.unoptimized {
            return self.limit_now(fp, 0);
        }
        if let Some(limit) = self.entry.limits[index] {
            return limit;
        }
        let position = self.b.save();
        self.b.before(self.entry.anchor);
        let at = self.b.offset(self.tables.limits(), index as i64 * 8);
        let limit = self.b.load(self.b.types.double(), at, 8);
        self.b.restore(position);
        self.entry.limits[index] = Some(limit);
        limit
    }

    /// The limit of floats, lowered by more than a float's rounding can hide.
    pub fn float_limit(&mut self) -> Value {
        if let Some(limit) = self.entry.float_limit {
            return limit;
        }
        let limit = self.limit(FpType { precision: Precision::Float, lanes: None });
        let lower = |b: &Builder| {
            let lowered = b.fmul(limit, b.types.double().const_real(1.0 - 2f64.powi(-20)));
            b.fptrunc(lowered, b.types.float())
        };
        if self.options.unoptimized {
            return lower(&self.b);
        }
        let position = self.b.save();
        self.b.before(self.entry.anchor);
        let lowered = lower(&self.b);
        self.b.restore(position);
        self.entry.float_limit = Some(lowered);
        lowered
    }

    /// One of the runtime's other limits, loaded where it is needed.
    pub fn limit_now(&self, fp: FpType, which: usize) -> Value {
        let index = which * Precision::ALL.len() + fp.precision as usize;
        let at = self.b.offset(self.tables.limits(), index as i64 * 8);
        self.b.load(self.b.types.double(), at, 8)
    }
}

/// The order of limits in the runtime's array is the order of precisions.
const _: () = assert!(Precision::Quad as usize == 5);
