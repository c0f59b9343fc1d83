//! What flang's runtime does with whole arrays, as code that a machine can follow.
//!
//! The runtime reads arrays through descriptors and records nothing. So, before its clone records, a function gets a
//! loop in front of each such call, which goes through the array's elements where they lie:
//!
//! ```text
//!  print *, a    ->  for each element: load it, observe it;  print *, a
//!  s = sum(a)    ->  t = -0; for each element: t = t + load it;  s = sum(a), whose ideal is t's
//! ```
//! The loads are real, the sums are not: they are steps for the machine, and are taken out of the code once they are
//! recorded, for they could raise exceptions that the program does not. The value of `s` is the program's own: flang's
//! runtime adds up in another way (Kahan's, or in double precision) that has the same ideal.
//!
//! Misses: masked reductions and those along one dimension; they restart.

use super::{Recorder, step};
use crate::fp::FpType;
use crate::llvm::{Builder, IntPredicate, Module, Opcode, Value};
use crate::tables::Tables;
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::fortran::{OUTPUT_ARRAY, Reduction};
use nonius_abi::hooks::id;
use nonius_abi::site::Observed;
use std::collections::HashMap;

/// How the names of the hooks begin that the loops call; they do nothing to floats.
pub const HOOKS: &str = "__nonius_fortran_";

/// What was put into a function.
#[derive(Default)]
pub struct Walked {
    /// Loads of elements, with the calls that print them.
    printed: HashMap<Value, Value>,
    /// The sum that a call should give.
    sums: HashMap<Value, Value>,
    /// Operations of such sums, with the call that they stand for; users come before what they use.
    parts: Vec<(Value, Value)>,
}

impl Walked {
    /// The call that an operation stands for.
    pub fn call_of(&self, operation: Value) -> Option<Value> {
        self.parts.iter().find(|(part, _)| *part == operation).map(|(_, call)| *call)
    }

    /// Takes out what was only there to be recorded.
    pub fn take_out(self) {
        for (operation, _) in self.parts {
            operation.replace_uses_with(operation.ty().zero());
            operation.erase();
        }
    }
}

/// Puts loops in front of the calls of a function that print arrays or reduce them.
pub fn walk_arrays(module: Module, function: Value, tables: &Tables) -> Walked {
    let mut walker = Walker { b: module.builder(), tables, walked: Walked::default() };
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let calls = all.filter(|i| i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().is_declaration());
    for call in calls.collect::<Vec<_>>() {
        let (name, arguments) = (call.callee().name(), call.arguments());
        if name == OUTPUT_ARRAY && arguments.len() == 2 {
            walker.print(call, arguments[1]);
        } else if let Some((reduction, fp)) = reduction(call, &name) {
            walker.reduce(call, reduction, fp, &arguments);
        }
    }
    walker.walked
}

/// The reduction of whole arrays that a call is.
fn reduction(call: Value, name: &str) -> Option<(Reduction, FpType)> {
    let reduction = Reduction::by_name(name)?;
    // (a, file, line, dim, mask), (a, b, file, line)
    let arguments = call.arguments();
    let is_whole = arguments.len() >= 4 && arguments.get(4).is_none_or(|mask| *mask == mask.ty().zero());
    Some((reduction, FpType::of(call.ty()).filter(|_| is_whole)?))
}

struct Walker<'a> {
    b: Builder,
    tables: &'a Tables,
    walked: Walked,
}

impl Walker<'_> {
    fn hook(&self, name: &str, arguments: &[Value]) -> Value {
        let (hook, ty) = self.tables.hook(name);
        self.b.call(hook, ty, arguments)
    }

    /// How many floats of a format an array has.
    fn count(&self, array: Value, precision: Precision) -> Value {
        self.hook(id::__nonius_fortran_count, &[array, self.b.types.i32().const_int(precision as u64)])
    }

    fn element(&self, array: Value, index: Value, fp: FpType) -> Value {
        let at = self.hook(id::__nonius_fortran_element, &[array, index]);
        self.b.load(fp.native(self.b.types), at, fp.precision.store_bytes())
    }

    /// The array's format is known only when the program runs: a loop for each.
    fn print(&mut self, call: Value, array: Value) {
        for precision in [Precision::Float, Precision::Double] {
            self.b.before_with_loc_of(call, call);
            let count = self.count(array, precision);
            let some = self.b.icmp(IntPredicate::LLVMIntNE, count, self.b.types.i64().zero());
            let (body, index) = call.split_if(some).split_loop(count);
            self.b.before_with_loc_of(body, call);
            let element = self.element(array, index, FpType { precision, lanes: None });
            self.walked.printed.insert(element, call);
        }
    }

    fn reduce(&mut self, call: Value, reduction: Reduction, fp: FpType, arguments: &[Value]) {
        // Its value tells which element it is.
        if reduction == Reduction::Pick {
            return;
        }
        self.b.before_with_loc_of(call, call);
        let count = self.count(arguments[0], fp.precision);
        let none = self.b.icmp(IntPredicate::LLVMIntEQ, count, self.b.types.i64().zero());
        // An empty array has one turn, on an element that changes nothing.
        let turns = self.b.select(none, self.b.types.i64().const_int(1), count);
        let entry = call.block();
        let (body, index) = call.split_loop(turns);
        self.b.before_with_loc_of(body.block().instructions()[0], call);
        let so_far = self.b.phi(call.ty());
        self.b.before_with_loc_of(body, call);
        let element = self.element(arguments[0], index, fp);
        let (next, start) = match reduction {
            Reduction::Product => {
                let factor = self.b.select(none, call.ty().const_real(1.0), element);
                (self.b.fmul(so_far, factor), 1.0)
            }
            Reduction::Dot => {
                let other = self.element(arguments[1], index, fp);
                let product = self.b.fmul(element, other);
                (self.b.fadd(so_far, product), -0.0)
            }
            _ => (self.b.fadd(so_far, element), -0.0),
        };
        so_far.add_incoming(call.ty().const_real(start), entry);
        so_far.add_incoming(next, body.block());
        self.walked.sums.insert(call, next);
        let product = next.operand(1);
        self.walked.parts.push((next, call));
        if reduction == Reduction::Dot {
            self.walked.parts.push((product, call));
        }
        self.walked.parts.push((so_far, call));
    }
}

impl Recorder<'_> {
    /// Behind a load: if it is of an element that is printed, it is observed.
    pub fn printed(&mut self, load: Value) {
        if let Some(&call) = self.walked.printed.get(&load) {
            self.check(load, Observed::Output, call);
        }
    }

    /// A reduction of an array; `false` if this call is none that is followed.
    pub fn reduction(&mut self, call: Value, name: &str) -> bool {
        let Some((reduction, fp)) = reduction(call, name) else { return false };
        match self.walked.sums.get(&call) {
            Some(&sum) => self.reduced(call, sum, fp),
            None if reduction == Reduction::Pick => self.picked(call, fp),
            None => return false,
        }
        true
    }

    /// The call's ideal is that of `sum`: it is added to nothing, and the value is the call's own.
    fn reduced(&mut self, call: Value, sum: Value, fp: FpType) {
        let nothing = call.ty().const_real(-0.0);
        let args = [self.operands(sum)[0], self.operands(nothing)[0], Operand::NOTHING];
        self.stand_behind(call);
        let word = self.put(call);
        let site = self.operation_site(call, fp);
        let result = self.name(call);
        self.step(Step { detail: Arith::Add as u32, result, args, word, site, ..step(Kind::Arith, fp) });
    }

    /// The call gives one of the elements: it is loaded from where that lies.
    fn picked(&mut self, call: Value, fp: FpType) {
        let array = call.arguments()[0];
        self.stand_behind(call);
        let double = FpType { precision: Precision::Double, lanes: None }.native(self.b.types);
        let value = if call.ty() == double { call } else { self.b.fpext(call, double) };
        let (hook, ty) = self.tables.hook(id::__nonius_fortran_picked);
        let at = self.b.call(hook, ty, &[array, value]);
        let place = self.put(at);
        let word = self.put(call);
        let result = self.name(call);
        self.step(Step { result, place, word, ..step(Kind::Load, fp) });
    }
}
