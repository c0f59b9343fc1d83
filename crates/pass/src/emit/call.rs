//! Calls: of the program's functions, of the C library, of Nonius's own interface.

use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::{Family, FpType};
use crate::llvm::{IntPredicate, Opcode, Value};
use nonius_abi::hooks::id;
use nonius_abi::libc::{ENDINGS, INPUT, OUTPUT, SCANF, WRAPPED, ends_fortran, wrapper};
use nonius_abi::site::{Observed, Op};
use nonius_abi::{Precision, api, fortran, libm};

/// Operations between a value that is asked for and what it was computed from, at most, that the runtime is told of.
const REQUEST_DEPTH: u32 = 3;

impl Emitter<'_> {
    pub fn visit_call(&mut self, i: Value) {
        let callee = i.callee();
        if callee.is_inline_asm() {
            return self.lose(i, "inline asm");
        }
        let name = if callee.is_function() { callee.name() } else { String::new() };
        if name.starts_with("llvm.") {
            return self.visit_intrinsic(i, &name);
        }
        if let Some(request) = api::request(&name) {
            return self.visit_request(i, request);
        }
        if self.formats.contains_key(&i) {
            self.b.before(i);
            return self.visit_formatted(i);
        }
        let external = callee.is_function() && callee.is_declaration();
        // The C++ library's own templates may be defined here too.
        if (external || name.starts_with("_Z")) && OUTPUT.contains(&name.as_str()) {
            return self.visit_output(i);
        }
        if external && i.opcode() == Opcode::LLVMCall && !i.is_musttail() && self.visit_library(i, &name) {
            return;
        }
        self.visit_plain_call(i, external.then_some(name.as_str()));
    }

    /// A call of the C library that has its own shadow; `false` if this is none.
    fn visit_library(&mut self, i: Value, name: &str) -> bool {
        if let (Some(op), Some(fp)) = (fortran::remainder(name), FpType::of(i.ty())) {
            self.remainder(i, fp, op, [i.operand(0), i.operand(1)]);
            return true;
        }
        if self.visit_operation(i, name) || name.starts_with("_FortranA") && self.visit_fortran(i, name) {
            return true;
        }
        if let Some((function, _)) = libm::by_c_name(name) {
            return self.visit_known(i, function);
        }
        if WRAPPED.contains(&name) {
            let replacement = self.tables.runtime_function(&wrapper(name), i.callee_type());
            i.set_callee(replacement);
            return true;
        }
        if INPUT.contains(&name) {
            self.count_call();
            return true;
        }
        let arguments = i.arguments();
        match name {
            "memcpy" | "memmove" if arguments.len() == 3 => {
                self.move_shadows(i, arguments[0], arguments[1], arguments[2]);
                return true;
            }
            "memset" if arguments.len() == 3 => {
                self.clear_shadows(i, arguments[0], arguments[2]);
                return true;
            }
            _ => {}
        }
        if let Some((_, format)) = SCANF.iter().find(|(n, _)| *n == name) {
            self.visit_scanf(i, *format as usize);
            return true;
        }
        false
    }

    /// Floats become text: this is what the program's user sees.
    fn visit_output(&mut self, i: Value) {
        self.b.before(i);
        for argument in i.arguments() {
            self.check_all(argument, Observed::Output, i);
        }
        self.count_call();
    }

    /// The C functions that are operations of the machine.
    fn visit_operation(&mut self, i: Value, name: &str) -> bool {
        let Some(fp) = FpType::of(i.ty()) else { return false };
        let base = name.strip_suffix(['f', 'l']).filter(|b| OPERATIONS.contains(b)).unwrap_or(name);
        let arguments = i.arguments();
        if base == "nexttoward" && arguments.len() == 2 && arguments[0].ty() == i.ty() {
            self.neighbour(i, fp, arguments[0]);
            return true;
        }
        if !OPERATIONS.contains(&base) || arguments.iter().any(|a| a.ty() != i.ty()) {
            return false;
        }
        match (base, arguments.as_slice()) {
            ("sqrt", &[x]) => self.sqrt(i, fp, x),
            ("fabs", &[x]) => self.fabs(i, fp, x),
            ("fma", [_, _, _]) => self.fused(i, fp, &arguments),
            ("fmin" | "fmax", &[x, y]) => self.pick(i, fp, &base[1..], [x, y]),
            ("copysign", &[x, sign]) => self.copysign(i, x, sign),
            _ => return false,
        }
        true
    }

    /// A function of the program, or one of which nothing is known.
    fn visit_plain_call(&mut self, i: Value, external: Option<&str>) {
        self.b.before(i);
        if external.is_some_and(ends_fortran) {
            let (hook, ty) = self.tables.hook(id::__nonius_own_exceptions);
            self.b.call(hook, ty, &[]);
        }
        let panics = self.options.panic_aborts && may_end_the_program(i);
        if panics || external.is_some_and(|name| ENDINGS.contains(&name)) {
            let (hook, ty) = self.tables.hook(id::__nonius_flush);
            self.b.call(hook, ty, &[]);
        }
        let passes = i
            .arguments()
            .iter()
            .enumerate()
            .any(|(n, a)| !self.leaves(*a).is_empty() || i.argument_byval(n as u32).is_some());
        let returns = !self.leaves(i).is_empty();
        self.count_memory_call(i);
        if !passes && !returns {
            return;
        }
        self.hand_over(i, Observed::Argument);
        self.count_call();
        if i.is_musttail() || !returns {
            return;
        }
        i.set_not_tail();
        let after = match i.opcode() {
            Opcode::LLVMInvoke => i.normal_dest().first_insertion_point(),
            _ => i.next().expect("a call is no terminator"),
        };
        self.b.before_with_loc_of(after, i);
        self.take_result(i);
    }

    /// Counts a call that passes or returns floats. Where the other side turns out to have no shadows, and something
    /// comes from there, the runtime strikes the call off: another object may define the function, instrumented.
    pub fn count_call(&mut self) {
        self.counts.calls += 1;
        self.counts.calls_shadowed += 1;
    }

    fn visit_scanf(&mut self, i: Value, format: usize) {
        let arguments = i.arguments();
        let pointers: Vec<Value> = arguments.iter().skip(format + 1).copied().collect();
        if arguments.len() <= format || pointers.is_empty() {
            return;
        }
        let ptr = self.b.types.ptr();
        let position = self.b.save();
        self.b.before(self.entry_head());
        let array = self.b.alloca(ptr.array(pointers.len() as u64), 8);
        self.b.restore(position);
        for (n, &pointer) in pointers.iter().enumerate().filter(|(_, p)| p.ty() == ptr) {
            self.b.store(pointer, self.b.offset(array, n as i64 * 8), 8);
        }
        let count = self.b.types.i32().const_int(pointers.len() as u64);
        let (hook, ty) = self.tables.hook(id::__nonius_scanned);
        self.b.call(hook, ty, &[arguments[format], count, array]);
    }

    /// A call of `nonius.h`: the runtime gets the shadow too.
    fn visit_request(&mut self, i: Value, request: api::Request) {
        let Some(&value) = i.arguments().first() else { return };
        let Some(fp) = FpType::of(value.ty()).filter(|fp| fp.lanes.is_none()) else { return };
        if request == api::Request::Resume {
            // Behind the call, which returns the value as it is, nothing is known: it restarts.
            return;
        }
        self.b.before(i);
        let shadow = self.materialize(value, fp, self.shadow(value));
        let (v, e) = self.as_doubles(value, fp, shadow);
        let site = self.site(value, fp, Observed::Api, i);
        let text = i.arguments().get(1).copied().unwrap_or(self.b.types.ptr().zero());
        let site = self.b.types.i32().const_int(u64::from(site));
        let slope = self.b.types.double().const_real(1.0);
        self.tell_operands(site, value, fp, slope, REQUEST_DEPTH);
        let arguments = [self.tables.table(), site, v, e, text];
        let types: Vec<_> = arguments.iter().map(|a| a.ty()).collect();
        let (name, result) = match request {
            api::Request::Check => (api::CHECK, self.b.types.void()),
            api::Request::Print => (api::PRINT, self.b.types.void()),
            api::Request::Capture => (api::CAPTURE, self.b.types.void()),
            _ => (api::ULPS, self.b.types.double()),
        };
        let ty = self.b.types.function(result, &types);
        let function = self.tables.runtime_function(name, ty);
        let made = self.b.call(function, ty, &arguments);
        if request == api::Request::Ulps {
            i.replace_uses_with(made);
            self.shadows.set(made, 0, Shadow::Exact);
        }
    }

    /// Tells the runtime what a value was computed from: one of that may have been found, and its shadow restarted.
    fn tell_operands(&mut self, site: Value, value: Value, fp: FpType, slope: Value, depth: u32) {
        if depth == 0 || fp.family() != Family::Residue || !matches!(fp.precision, Precision::Double | Precision::Float)
        {
            return;
        }
        let value = self.through_local(value);
        let as_double = |emitter: &Self, x: Value| match FpType::of(x.ty()).map(|fp| fp.precision) {
            Some(Precision::Double) => x,
            _ => emitter.b.fpext(x, emitter.b.types.double()),
        };
        let operands: Vec<(Value, Value)> = match Made::by(value) {
            Made::Sum([x, y]) if value.is(Opcode::LLVMFSub) => vec![(x, slope), (y, self.b.fneg(slope))],
            Made::Sum([x, y]) => vec![(x, slope), (y, slope)],
            Made::Product([x, y]) => {
                let by = |factor| self.b.fmul(slope, as_double(self, factor));
                vec![(x, by(y)), (y, by(x))]
            }
            Made::Quotient(x, y) => {
                let by_x = self.b.fdiv(slope, as_double(self, y));
                vec![(x, by_x), (y, self.b.fneg(self.b.fmul(by_x, as_double(self, value))))]
            }
            Made::Negated(x) => vec![(x, self.b.fneg(slope))],
            Made::Root(x) => {
                let twice = self.b.fadd(as_double(self, value), as_double(self, value));
                vec![(x, self.b.fdiv(slope, twice))]
            }
            Made::Converted(x, _) => vec![(x, slope)],
            _ => return,
        };
        for (operand, slope) in operands {
            let Some(fp) = FpType::of(operand.ty()).filter(|fp| fp.lanes.is_none()) else { continue };
            if operand.is_constant() || !matches!(fp.precision, Precision::Double | Precision::Float) {
                continue;
            }
            let arguments = [self.tables.table(), site, as_double(self, operand), slope];
            let types: Vec<_> = arguments.iter().map(|a| a.ty()).collect();
            let ty = self.b.types.function(self.b.types.void(), &types);
            let function = self.tables.runtime_function(api::MADE_OF, ty);
            self.b.call(function, ty, &arguments);
            self.tell_operands(site, operand, fp, slope, depth - 1);
        }
    }

    pub fn move_shadows(&mut self, i: Value, to: Value, from: Value, bytes: Value) {
        self.b.before(i);
        let bytes = self.as_u64(bytes);
        self.call_if_shadows(i, id::__nonius_copy, &[to, from, bytes]);
    }

    pub fn clear_shadows(&mut self, i: Value, to: Value, bytes: Value) {
        self.b.before(i);
        let bytes = self.as_u64(bytes);
        self.call_if_shadows(i, id::__nonius_clear, &[to, bytes]);
    }

    /// Calls a hook before `i`, if any object of the process puts shadows into memory: a program
    /// that has no floats there pays for a load, not for a call.
    fn call_if_shadows(&mut self, i: Value, hook: &str, arguments: &[Value]) {
        let byte = self.b.types.i8();
        let flag = self.b.load(byte, self.tables.floats_flag(), 1);
        let any = self.b.icmp(IntPredicate::LLVMIntNE, flag, byte.zero());
        let then = i.split_if(any);
        self.b.before(then);
        let (hook, ty) = self.tables.hook(hook);
        self.b.call(hook, ty, arguments);
    }

    fn as_u64(&self, n: Value) -> Value {
        let wide = self.b.types.i64();
        if n.ty() == wide { n } else { self.b.zext(n, wide) }
    }
}

/// Whether what follows a call may never run, although the call is no terminator.
pub fn may_end_the_program(i: Value) -> bool {
    if !i.is(Opcode::LLVMCall) || !i.callee().is_function() {
        return false;
    }
    i.callee().has_attribute(c"noreturn") || ends_fortran(&i.callee().name())
}

const OPERATIONS: &[&str] = &["sqrt", "fabs", "fma", "fmin", "fmax", "copysign", "nexttoward"];

/// `lrint` and its like are conversions.
pub const TO_INTEGER: &[(&str, Op)] = &[
    ("lrint", Op::ToIntegerRint),
    ("llrint", Op::ToIntegerRint),
    ("lround", Op::ToIntegerRound),
    ("llround", Op::ToIntegerRound),
    ("ilogb", Op::Exponent),
    ("fptosi", Op::ToInteger),
    ("fptoui", Op::ToInteger),
];
