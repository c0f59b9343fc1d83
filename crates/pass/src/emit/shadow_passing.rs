//! Shadows of arguments and results, through the thread's block (see `nonius_abi::thread`).

use super::lost::Callee;
use super::{Emitter, Shadow};
use crate::by_address;
use crate::fp::{FpType, leaves};
use crate::llvm::{IntPredicate, Kind, Module, Type, Value};
use nonius_abi::hooks::id;
use nonius_abi::site::{Loss, Observed};
use nonius_abi::thread::*;

/// Where the shadows of a function's arguments or result lie.
struct Layout {
    slots: Vec<Slot>,
    /// Part of the tag, so that caller and callee agree on more than the address.
    hash: u64,
}

struct Slot {
    /// Which argument, and which of its floats; `None`: the address a byval argument came from.
    argument: usize,
    leaf: Option<(usize, FpType, Vec<u32>)>,
    offset: u32,
}

impl Emitter<'_> {
    /// `types` with, for byval arguments, the type behind the pointer.
    fn layout(&self, types: &[(Type, Option<Type>)], bytes: u32) -> Layout {
        let mut layout = Layout { slots: Vec::new(), hash: 0 };
        let mut offset = 0;
        let mut add = |argument, leaf: Option<(usize, FpType, Vec<u32>)>, size: u32, code: u64| {
            layout.hash = (layout.hash ^ code).wrapping_mul(0x100_0000_01b3) % 0xffff;
            if offset + size <= bytes {
                layout.slots.push(Slot { argument, leaf, offset });
                offset += size;
            }
        };
        for (argument, (ty, byval)) in types.iter().enumerate() {
            if let Some(inner) = byval {
                add(argument, None, 16, 7 + self.module.alloc_bytes(*inner));
                continue;
            }
            for (index, leaf) in leaves(self.module, *ty).into_iter().enumerate() {
                let code = argument as u64 * 64 + leaf.fp.precision as u64 * 8 + u64::from(leaf.fp.lane_count());
                add(argument, Some((index, leaf.fp, leaf.path)), leaf.fp.passed_bytes(), code + 1000);
            }
        }
        layout
    }

    /// The tag of a function's address with a layout.
    fn tag(&self, function: Value, layout: &Layout) -> Value {
        let address = self.b.ptr_to_int(function, self.b.types.i64());
        self.b.add(address, self.b.types.i64().const_int(layout.hash << 48))
    }

    fn parameter_types(function: Value) -> Vec<(Type, Option<Type>)> {
        let types = function.function_type().parameters();
        types.into_iter().enumerate().map(|(i, ty)| (ty, function.parameter_byval(i as u32))).collect()
    }

    /// At entry: the parameters' shadows, if the caller left them for this function.
    pub fn take_arguments(&mut self) {
        let layout = self.layout(&Self::parameter_types(self.function), ARGS_BYTES);
        if layout.slots.is_empty() {
            return;
        }
        let parameters = self.function.parameters();
        self.b.before(self.entry.anchor);
        let (i64_type, thread) = (self.b.types.i64(), self.thread());
        let tag = self.b.load(i64_type, thread, 8);
        let mine = self.tag(self.function, &layout);
        let fits = self.b.icmp(IntPredicate::LLVMIntEQ, tag, mine);
        self.b.store(i64_type.zero(), thread, 8);
        self.count_arguments(fits);
        for slot in &layout.slots {
            let at = self.b.offset(thread, i64::from(ARGS + slot.offset));
            let parameter = parameters[slot.argument];
            match &slot.leaf {
                Some((index, fp, path)) => {
                    let value = self.member(parameter, path);
                    let passed = self.b.load(fp.shadow(self.b.types), at, 16);
                    let shadow = self.b.select(fits, passed, self.exact(value, *fp));
                    self.shadows.set(parameter, *index, Shadow::Known(shadow));
                }
                None => {
                    let from = self.b.load(self.b.types.ptr(), at, 16);
                    let then = self.entry.anchor.split_if(fits);
                    self.b.before(then);
                    let ty = self.function.parameter_byval(slot.argument as u32).expect("byval");
                    let bytes = i64_type.const_int(self.module.alloc_bytes(ty));
                    self.copy_planes(then, parameter, from, bytes);
                    self.b.before(self.entry.anchor);
                }
            }
        }
    }

    /// Floats that a caller handed over without their shadows, if others than instrumented functions may call.
    fn count_arguments(&mut self, fits: Value) {
        let floats = self.function.parameters().into_iter().filter(|p| !p.users().is_empty());
        let floats: u64 = floats.map(|p| self.floats_of(p)).sum();
        let is_known = self.callers_are_known;
        if floats > 0 && !is_known {
            let name = self.function.name();
            self.count_unless(fits, &name, Loss::Argument, floats);
        }
    }

    /// Before a call: checks the floats it hands over and leaves their shadows for the callee.
    pub fn hand_over(&mut self, call: Value, observed: Observed) {
        let arguments = call.arguments();
        let fixed = call.callee_type().parameters().len();
        let before = self.parts_of_remainder(call, &arguments);
        for &argument in &arguments {
            self.check_all(argument, observed, call);
        }
        let types: Vec<(Type, Option<Type>)> =
            (0..fixed).map(|i| (arguments[i].ty(), call.argument_byval(i as u32))).collect();
        let layout = self.layout(&types, ARGS_BYTES);
        if !layout.slots.is_empty() && !call.callee().is_inline_asm() {
            let thread = self.thread();
            for slot in &layout.slots {
                let at = self.b.offset(thread, i64::from(ARGS + slot.offset));
                let argument = arguments[slot.argument];
                match &slot.leaf {
                    Some((index, fp, path)) => {
                        let shadow = self.shadows.get(argument, *index);
                        let value = if shadow == Shadow::Exact { self.member(argument, path) } else { argument };
                        self.b.store(self.materialize(value, *fp, shadow), at, 16);
                    }
                    None => self.b.store(argument, at, 16),
                }
            }
            self.b.store(self.tag(call.callee(), &layout), thread, 8);
        }
        if call.callee_type().is_variadic() && arguments.len() > fixed {
            self.hand_over_variable(call);
        }
        for (argument, shadow) in before {
            self.shadows.set(argument, 0, shadow);
        }
    }

    /// Arguments of a call that takes a remainder, without what is nothing beside the whole. Returns their shadows of before.
    fn parts_of_remainder(&mut self, call: Value, arguments: &[Value]) -> Vec<(Value, Shadow)> {
        let Some(&whole) = self.intended.beside.get(&call) else { return Vec::new() };
        let mut before = Vec::new();
        for &argument in arguments.iter().filter(|a| a.ty() == whole.ty()) {
            let (fp, shadow) = (FpType::of(argument.ty()).expect("a float"), self.shadow(argument));
            let part = self.beside(argument, fp, shadow, Some(whole));
            if part != shadow {
                self.shadows.set(argument, 0, part);
                before.push((argument, shadow));
            }
        }
        before
    }

    /// After a call: its result's shadow, if the callee left one.
    pub fn take_result(&mut self, call: Value) {
        let layout = self.layout(&[(call.ty(), None)], RET_BYTES);
        if layout.slots.is_empty() {
            return;
        }
        let thread = self.thread();
        let tag = self.b.load(self.b.types.i64(), self.b.offset(thread, i64::from(RET_TAG)), 8);
        let expected = self.tag(call.callee(), &layout);
        let fits = self.b.icmp(IntPredicate::LLVMIntEQ, tag, expected);
        let mut by_address = None;
        match self.callee_of(call) {
            Callee::Seen => {}
            Callee::Named(name) => self.count_unless(fits, &name, Loss::Result, self.floats_of(call)),
            Callee::Address => by_address = self.ask_by_address(call, fits),
        }
        for slot in &layout.slots {
            let (index, fp, path) = slot.leaf.as_ref().expect("results have no byval");
            let at = self.b.offset(thread, i64::from(RET + slot.offset));
            let passed = self.b.load(fp.shadow(self.b.types), at, 16);
            let value = self.member(call, path);
            let other = by_address.unwrap_or_else(|| self.exact(value, *fp));
            let shadow = self.b.select(fits, passed, other);
            self.shadows.set(call, *index, Shadow::Known(shadow));
        }
    }

    /// Behind a call by address whose result came without a shadow, unless it `fits`: the shadow that the runtime has for
    /// it, if the call's type is one of a mathematical function's.
    fn ask_by_address(&mut self, call: Value, fits: Value) -> Option<Value> {
        let known = by_address::signature(call);
        let point = self.b.point();
        let head = point.block();
        let then = point.split_if(self.b.not(fits));
        self.b.before(then);
        let i32_type = self.b.types.i32();
        let Some((signature, fp)) = known else {
            let (hook, ty) = self.tables.hook(id::__nonius_lost);
            self.b.call(hook, ty, &[call.callee(), i32_type.const_int(self.floats_of(call))]);
            self.b.before(point);
            return None;
        };
        self.tables.sites.set_flag(nonius_abi::table::FLAG_CALLS_BY_ADDRESS);
        let code = i32_type.const_int(u64::from(signature.code(fp.precision)));
        let (hook, ty) = self.tables.hook(id::__nonius_evaluator);
        let evaluator = self.b.call(hook, ty, &[call.callee(), code]);
        let made = self.evaluated_at(call, fp, evaluator);
        self.b.before(point);
        let shadow = self.b.phi(made.ty());
        shadow.add_incoming(made.ty().zero(), head);
        shadow.add_incoming(made, then.block());
        Some(shadow)
    }

    pub fn visit_ret(&mut self, i: Value) {
        if i.operand_count() == 0 || self.ends_in_musttail(i) {
            return;
        }
        let value = i.operand(0);
        let layout = self.layout(&[(value.ty(), None)], RET_BYTES);
        if layout.slots.is_empty() {
            return;
        }
        self.check_all(value, Observed::Return, i);
        let thread = self.thread();
        for slot in &layout.slots {
            let (index, fp, path) = slot.leaf.as_ref().expect("results have no byval");
            let at = self.b.offset(thread, i64::from(RET + slot.offset));
            let shadow = self.shadows.get(value, *index);
            let member = if shadow == Shadow::Exact { self.member(value, path) } else { value };
            self.b.store(self.materialize(member, *fp, shadow), at, 16);
        }
        let tag = self.tag(self.function, &layout);
        self.b.store(tag, self.b.offset(thread, i64::from(RET_TAG)), 8);
    }

    /// Nothing may stand between a musttail call and its ret.
    fn ends_in_musttail(&self, ret: Value) -> bool {
        let block = ret.block().instructions();
        block.len() >= 2 && block.iter().rev().skip(1).take(2).any(|i| i.is_musttail())
    }

    /// The variable arguments' shadows, with where `va_arg` will look for each.
    fn hand_over_variable(&mut self, call: Value) {
        let entries = variable_floats(self.module, call);
        if entries.is_empty() {
            return;
        }
        let (thread, i64_type) = (self.thread(), self.b.types.i64());
        for (n, &(place, value, fp)) in entries.iter().enumerate() {
            let at = i64::from(VA) + n as i64 * i64::from(VA_ENTRY_BYTES);
            let shadow = self.materialize(value, fp, self.shadow(value));
            let (v, e) = self.as_doubles(value, fp, shadow);
            self.b.store(i64_type.const_int(place), self.b.offset(thread, at), 8);
            self.b.store(v, self.b.offset(thread, at + 8), 8);
            self.b.store(e, self.b.offset(thread, at + 16), 8);
        }
        let count = i64_type.const_int(entries.len() as u64);
        self.b.store(count, self.b.offset(thread, i64::from(VA_COUNT)), 8);
        let callee = self.b.ptr_to_int(call.callee(), i64_type);
        self.b.store(callee, self.b.offset(thread, i64::from(VA_TAG)), 8);
    }
}

/// The floats among a call's variable arguments, as many as a thread's block has room for, with where `va_arg` will look
/// for each (x86-64 System V: the first eight floats of at most 8 bytes in the register save area, the rest, and every
/// x87 value, in the overflow area among the other arguments).
pub fn variable_floats(module: Module, call: Value) -> Vec<(u64, Value, FpType)> {
    let fixed = call.callee_type().parameters().len();
    let mut places = Places::default();
    let mut entries = Vec::new();
    for (i, argument) in call.arguments().into_iter().enumerate() {
        let byval = call.argument_byval(i as u32).map(|ty| module.alloc_bytes(ty));
        let place = places.next(module.store_bytes(argument.ty()), argument.ty(), byval);
        let scalar = FpType::of(argument.ty()).filter(|fp| i >= fixed && fp.lanes.is_none());
        if let (Some(fp), Some(place)) = (scalar, place) {
            entries.push((place, argument, fp));
        }
    }
    entries.truncate(VA_ENTRIES as usize);
    entries
}

/// Walks arguments as the calling convention places them.
#[derive(Default)]
struct Places {
    integers: u64,
    vectors: u64,
    overflow: u64,
}

impl Places {
    /// The place of the next argument, as a VA entry names it; `None` in an integer register.
    pub fn next(&mut self, bytes: u64, ty: Type, byval: Option<u64>) -> Option<u64> {
        if let Some(bytes) = byval {
            self.overflow += bytes.next_multiple_of(8);
            return None;
        }
        let in_vector = match ty.kind() {
            Kind::X87 => {
                self.overflow = self.overflow.next_multiple_of(16) + 16;
                return Some(VA_OVERFLOW + self.overflow - 16);
            }
            Kind::Half | Kind::Bfloat | Kind::Float | Kind::Double | Kind::Quad | Kind::Vector(_) => true,
            _ => false,
        };
        let (used, registers) = if in_vector { (&mut self.vectors, 8) } else { (&mut self.integers, 6) };
        if *used < registers {
            *used += 1;
            return in_vector.then(|| 48 + 16 * (self.vectors - 1));
        }
        let at = self.overflow;
        self.overflow += bytes.next_multiple_of(8);
        Some(VA_OVERFLOW + at)
    }
}
