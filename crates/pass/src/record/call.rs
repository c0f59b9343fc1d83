//! Calls, their results, parameters and returns.

use super::fortran::HOOKS;
use super::segment::Segment;
use super::{Recorder, code, one, step};
use crate::by_address;
use crate::fp::{FpType, leaves};
use crate::llvm::{IntPredicate, Opcode, Type, Value};
use crate::sites::{self, Origin};
use nonius_abi::by_address::Signature;
use nonius_abi::code::{Call, Callee, Kind, Operand, Step};
use nonius_abi::hooks::id;
use nonius_abi::libc::{ENDINGS, INPUT, MOVERS, OUTPUT, SCANF, WRAPPED_IN_CLONES, wrapper};
use nonius_abi::site::{NONE, Observed, Op};
use nonius_abi::thread::{ARG_TAG, ARGS};
use nonius_abi::{Precision, api, fortran, libm};

impl Recorder<'_> {
    /// The parameters' values, with which the caller's shadows prove themselves.
    pub fn parameters(&mut self, function: Value) {
        self.open();
        self.take_copies(function);
        let mut lane = 0;
        for parameter in function.parameters() {
            let parts = leaves(self.module, parameter.ty());
            if parts.is_empty() {
                continue;
            }
            let mut slot = self.name(parameter);
            for part in parts {
                let value = self.member_of(parameter, &part);
                let word = self.put(value);
                self.step(Step { detail: lane, result: slot, word, ..step(Kind::Parameter, part.fp) });
                lane += part.fp.lane_count();
                slot += part.fp.lane_count();
            }
        }
    }

    pub fn call(&mut self, i: Value) {
        let callee = i.callee();
        // What an invoke gives is there behind its normal edge only.
        let ends_block = i.opcode() == Opcode::LLVMInvoke;
        if callee.is_inline_asm() {
            return if ends_block { self.step_over(i) } else { self.restart(i) };
        }
        let name = if callee.is_function() { callee.name() } else { String::new() };
        if name.starts_with("llvm.") {
            return if ends_block { self.step_over(i) } else { self.intrinsic(i, &name) };
        }
        if name.starts_with(HOOKS) {
            return;
        }
        if let Some(request) = api::request(&name).filter(|_| !ends_block) {
            return self.request(i, request);
        }
        let external = callee.is_function() && callee.is_declaration();
        // The C++ library's own templates may be defined here too.
        if (external || name.starts_with("_Z")) && OUTPUT.contains(&name.as_str()) {
            i.arguments().into_iter().for_each(|a| self.check(a, Observed::Output, i));
            // One that is defined here may record.
            return if external && !ends_block { self.restart(i) } else { self.step_over(i) };
        }
        if external && i.opcode() == Opcode::LLVMCall && !i.is_musttail() && self.library(i, &name) {
            return;
        }
        self.plain_call(i, &name);
    }

    /// A call of the C library that records nothing; `false` if this is none.
    fn library(&mut self, i: Value, name: &str) -> bool {
        let arguments = i.arguments();
        if OPERATIONS.contains(&name.strip_suffix(['f', 'l']).unwrap_or(name)) || OPERATIONS.contains(&name) {
            let base = if OPERATIONS.contains(&name) { name } else { &name[..name.len() - 1] };
            if self.operation(i, base, &arguments) {
                return true;
            }
        }
        if let Some(op) = fortran::remainder(name) {
            self.fortran_remainder(i, op, &arguments);
            return true;
        }
        if let Some((function, _)) = libm::by_c_name(name) {
            if let Some((_, op)) = crate::emit::TO_INTEGER.iter().find(|(n, _)| *n == function.name) {
                self.float_to_integer(i, arguments[0], *op);
            } else if !self.function(i, function, &arguments) {
                self.restart(i);
            }
            return true;
        }
        match name {
            "memcpy" | "memmove" if arguments.len() == 3 => {
                self.b.before(i);
                self.copy(arguments[0], arguments[1], arguments[2]);
            }
            "malloc" | "free" => {}
            _ if self.overwrites(i, name, &arguments) => {}
            _ if WRAPPED_IN_CLONES.contains(&name) => {
                let wrapped = self.tables.runtime_function(&wrapper(name), i.callee_type());
                i.set_callee(wrapped);
            }
            _ if MOVERS.contains(&name) => {
                let wrapped = self.tables.runtime_function(&wrapper(name), i.callee_type());
                i.set_callee(wrapped);
                self.step_over(i);
            }
            _ if (name == fortran::COPY_BACK || fortran::COPIES.contains(&name)) && arguments.len() >= 2 => {
                if name == fortran::COPY_BACK {
                    self.cut(i, i);
                } else {
                    self.step_over(i);
                }
                self.b.before(self.segment.head);
                let (hook, ty) = self.tables.hook(id::__nonius_fortran_copied);
                self.b.call(hook, ty, &[arguments[0], arguments[1]]);
            }
            _ if self.read_in(i, name) || self.rearranged(i, name) || self.reduction(i, name) => {}
            _ if self.makes_array(i, name) => {}
            _ if INPUT.contains(&name) => self.input(i),
            _ => return false,
        }
        true
    }

    /// A call that writes memory without shadows, which must not meet equal values that were there.
    fn overwrites(&mut self, i: Value, name: &str, arguments: &[Value]) -> bool {
        let scanned = SCANF.iter().find(|(n, _)| *n == name).map(|(_, format)| *format as usize + 1);
        self.stand_behind(i);
        match (name, arguments) {
            ("memset", &[to, _, bytes]) => self.clear(to, &[bytes]),
            ("calloc", &[count, size]) => self.clear(i, &[count, size]),
            ("fread" | "fread_unlocked", &[to, size, count, _]) => self.read(to, &[size, count]),
            ("read" | "pread" | "pread64" | "recv" | "recvfrom", &[_, to, bytes, ..]) => self.read(to, &[bytes]),
            _ => {
                let Some(first) = scanned else { return false };
                let pointers = arguments.iter().skip(first).filter(|a| a.ty() == self.b.types.ptr());
                let bytes = self.b.types.i64().const_int(8);
                for &pointer in pointers.collect::<Vec<_>>() {
                    self.read(pointer, &[bytes]);
                }
            }
        }
        true
    }

    /// A call of code that may record: the record ends before it.
    fn plain_call(&mut self, i: Value, name: &str) {
        let returns = !leaves(self.module, i.ty()).is_empty();
        let mut arguments: Vec<Operand> = Vec::new();
        self.b.before(i);
        for argument in i.arguments().into_iter().filter(|a| FpType::of(a.ty()).is_some() || a.is_instruction()) {
            if leaves(self.module, argument.ty()).is_empty() {
                continue;
            }
            let before = if argument.is_constant() { None } else { self.part_of_remainder(argument, i) };
            self.check(argument, Observed::Argument, i);
            arguments.extend(self.operands(argument));
            if let Some(before) = before {
                self.slots.set(argument, before);
            }
        }
        self.hand_over_variable(i);
        if returns || !arguments.is_empty() || is_in_rust_library(i.callee()) {
            self.b.before(i);
            self.note_call(i, name, arguments);
        }
        self.hand_over_copies(i);
        if ENDINGS.contains(&name) {
            self.close(i);
            self.b.before(i);
            let (hook, ty) = self.tables.hook(id::__nonius_flush);
            self.b.call(hook, ty, &[]);
        }
        self.step_over(i);
        self.take_over_live(i);
        self.call_clone_elsewhere(i);
    }

    /// Ends the record before a call; the next begins behind it, with the call's results.
    pub fn step_over(&mut self, i: Value) {
        let returns = !leaves(self.module, i.ty()).is_empty();
        if i.opcode() == Opcode::LLVMInvoke {
            if returns {
                self.results.insert(i.normal_dest(), i);
            }
            return;
        }
        let next = i.next().expect("a call is no terminator");
        self.cut(i, next);
        if returns && !i.is_musttail() {
            self.results_of(i);
        }
    }

    /// Arguments that are copied for the callee: it learns from where, if it is told in the callee's name.
    fn hand_over_copies(&mut self, i: Value) {
        let copied: Vec<Value> = copied_arguments(i).map(|(argument, _)| argument).collect();
        if copied.is_empty() {
            return;
        }
        self.b.before(i);
        for (n, pointer) in copied.into_iter().take(MOST_COPIES).enumerate() {
            self.b.store(pointer, self.b.offset(self.thread, copy_slot(n)), 8);
        }
        self.b.store(i.callee(), self.b.offset(self.thread, i64::from(ARG_TAG)), 8);
    }

    /// Memory that the caller copied for this function, as the caller told.
    fn take_copies(&mut self, function: Value) {
        let original = self.tables.code.originals[self.code_function as usize];
        let parameters = function.parameters().into_iter().enumerate();
        let copied: Vec<(Value, u64)> = parameters
            .filter_map(|(n, p)| Some((p, self.module.alloc_bytes(function.parameter_byval(n as u32)?))))
            .collect();
        if copied.is_empty() {
            return;
        }
        let ptr = self.b.types.ptr();
        let tag_at = self.b.offset(self.thread, i64::from(ARG_TAG));
        let tag = self.b.load(ptr, tag_at, 8);
        let told = self.b.icmp(IntPredicate::LLVMIntEQ, tag, original);
        self.b.store(ptr.zero(), tag_at, 8);
        for (n, (to, bytes)) in copied.into_iter().take(MOST_COPIES).enumerate() {
            let from = self.b.load(ptr, self.b.offset(self.thread, copy_slot(n)), 8);
            let from = self.b.select(told, from, to);
            let bytes = self.b.types.i64().const_int(bytes);
            self.copy(to, from, bytes);
        }
    }

    fn note_call(&mut self, i: Value, name: &str, arguments: Vec<Operand>) {
        let callee = i.callee();
        let here = self.tables.code.index(callee).filter(|_| callee.is_function() && code::is_local(callee));
        let (callee, place) = match here {
            Some(index) => (Callee::Here(index), NONE),
            None if name.is_empty() => (Callee::Address, self.put(callee)),
            None => (Callee::Named(self.tables.sites.string(name)), NONE),
        };
        let detail = self.tables.code.call(Call { callee, arguments });
        let origin = Origin::new(Op::Call, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, Precision::Double, Observed::Operation, i, function);
        let offset = i32::from(i.is_musttail());
        self.step(Step { detail, place, offset, site, ..Step::new(Kind::Call, Precision::Double, 1) });
    }

    /// The results of a call, at the segment's head.
    pub fn results_of(&mut self, call: Value) {
        if call.users().is_empty() {
            return;
        }
        let mut slot = self.name(call);
        let mut lane = 0;
        let head = self.segment.head;
        if let Some((signature, fp)) = by_address::signature(call) {
            return self.result_by_address(call, signature, fp, slot);
        }
        for part in leaves(self.module, call.ty()) {
            self.b.before_with_loc_of(head, call);
            let value = part.path.iter().fold(call, |v, &index| self.b.extract_value(v, index));
            let word = self.put(value);
            let site = self.call_site(call, part.fp);
            self.step(Step { detail: lane, result: slot, word, site, ..step(Kind::Result, part.fp) });
            lane += part.fp.lane_count();
            slot += part.fp.lane_count();
        }
    }

    /// The site of a call, with the callee's name: what its result is blamed on if nobody saw how it came about.
    fn call_site(&mut self, call: Value, fp: FpType) -> u32 {
        let name = if call.callee().is_function() { call.callee().name() } else { String::new() };
        let origin = Origin { name, ..Origin::new(Op::Call, Some(call)) };
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        sites::site(sites, &origin, fp.precision, Observed::Operation, call, function)
    }

    /// The result of a call by address whose callee may be a mathematical function: the runtime says which.
    fn result_by_address(&mut self, call: Value, signature: Signature, fp: FpType, result: u32) {
        self.b.before_with_loc_of(self.segment.head, call);
        let code = self.b.types.i32().const_int(u64::from(signature.code(fp.precision)));
        let (hook, ty) = self.tables.hook(id::__nonius_function_at);
        let number = self.b.call(hook, ty, &[call.callee(), code]);
        let (place, word) = (self.put(number), self.put(call));
        let mut args = [Operand::NOTHING; 3];
        let (floats, others): (Vec<Value>, Vec<Value>) =
            call.arguments().into_iter().partition(|a| a.ty() == call.ty());
        for (arg, float) in args.iter_mut().zip(floats) {
            *arg = self.operands(float)[0];
        }
        let integer = others.first().and_then(|&n| self.integer_word(n));
        let offset = integer.map_or(-1, |word| word as i32);
        let site = self.call_site(call, fp);
        self.step(Step { result, args, word, place, offset, site, ..step(Kind::ByAddress, fp) });
    }

    /// Begins the segment of a block that an invoke returns to.
    pub fn begin_after_invoke(&mut self, invoke: Value, head: Value) {
        self.segment = Segment::at(head);
        self.results_of(invoke);
    }

    pub fn ret(&mut self, i: Value) {
        let before = std::iter::successors(i.previous(), |p| p.previous());
        if before.take(2).any(Value::is_musttail) {
            return;
        }
        let mut list = Vec::new();
        if i.operand_count() > 0 {
            let value = i.operand(0);
            self.check(value, Observed::Return, i);
            list = self.operands(value);
        }
        let detail = self.tables.code.list(list);
        self.step(Step { detail, ..Step::new(Kind::Return, Precision::Double, 1) });
    }

    /// A call of `nonius.h`.
    fn request(&mut self, i: Value, request: api::Request) {
        let Some(&value) = i.arguments().first() else { return self.restart(i) };
        let Some(fp) = FpType::of(value.ty()).filter(|fp| fp.lanes.is_none()) else { return self.restart(i) };
        let operands = self.operands(value);
        let a = operands[0];
        self.b.before(i);
        let place = match i.arguments().get(1) {
            Some(&text) => self.put(text),
            None => NONE,
        };
        let origin = sites::origin(value);
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Api, i, function);
        let result = if request == api::Request::Resume { self.name(i) } else { NONE };
        self.step(Step { detail: request as u32, args: one(a), place, result, site, ..step(Kind::Request, fp) });
        if matches!(request, api::Request::Print | api::Request::Ulps | api::Request::Capture) {
            // The runtime asks the machine, which must have come by here.
            self.step_over_request(i);
        }
    }

    /// Ends the record before a request; what it answers is the program's own number.
    fn step_over_request(&mut self, i: Value) {
        let next = i.next().expect("a call is no terminator");
        self.cut(i, next);
        self.input(i);
    }
}

/// Whether a function is defined here and its lines are those of Rust's library, which tell a user nothing: then the
/// lines of those that call it do.
fn is_in_rust_library(callee: Value) -> bool {
    let file = || {
        let mut all = callee.blocks().into_iter().flat_map(|b| b.instructions());
        all.find_map(|i| i.debug_loc()).map(|loc| loc.file())
    };
    callee.is_function() && !callee.is_declaration() && file().is_some_and(|file| sites::is_rust_library(&file))
}

/// Arguments by value that a call hands over; further ones restart.
const MOST_COPIES: usize = 32;

fn copy_slot(n: usize) -> i64 {
    i64::from(ARGS) + 8 * n as i64
}

/// The arguments of a call that are copied for the callee, with their types.
fn copied_arguments(i: Value) -> impl Iterator<Item = (Value, Type)> {
    let arguments = i.arguments().into_iter().enumerate();
    arguments.filter_map(move |(n, argument)| Some((argument, i.argument_byval(n as u32)?)))
}

const OPERATIONS: &[&str] = &["sqrt", "fabs", "fma", "fmin", "fmax", "copysign"];
