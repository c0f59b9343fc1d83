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
//! runtime adds up in another way (Kahan's) that has the same ideal. Both take floats as doubles, so neither overflows alone.
//!
//! An array that the runtime makes of others, along one dimension or as a product of matrices, gets such a loop behind the call,
//! around one over the terms of each element:
//!
//! ```text
//!  c = matmul(a, b)  ->  c = matmul(a, b);  for each element: t = -0; for each term: t = t + load * load;
//!                        store the element, whose ideal is t's
//! ```

use super::{Recorder, one, step};
use crate::emit::made_arguments;
use crate::fp::FpType;
use crate::llvm::{Builder, IntPredicate, Module, Opcode, Value};
use crate::tables::Tables;
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::fortran::{Input, Made, Making, OUTPUT_ARRAY, Rearrangement, Reduction};
use nonius_abi::hooks::id;
use nonius_abi::site::Observed;
use std::collections::HashMap;

/// How the names of the hooks begin that the loops call; they do nothing to floats.
pub const HOOKS: &str = "__nonius_fortran_";

const DOUBLE: FpType = FpType { precision: Precision::Double, lanes: None };

/// What was put into a function.
#[derive(Default)]
pub struct Walked {
    /// Loads of elements, with the calls that print them.
    printed: HashMap<Value, Value>,
    /// The sum that a call should give, in double.
    sums: HashMap<Value, Value>,
    /// Operations of such sums, with the call that they stand for.
    parts: HashMap<Value, Value>,
    /// Loads of elements that a call made, with the call and what the element should be, in double.
    made: HashMap<Value, (Value, Value)>,
    /// Those that are no code, users before what they use.
    steps: Vec<Value>,
}

impl Walked {
    /// The call that an operation stands for.
    pub fn call_of(&self, operation: Value) -> Option<Value> {
        self.parts.get(&operation).copied()
    }

    /// Takes out what was only there to be recorded.
    pub fn take_out(self) {
        for operation in self.steps {
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
        } else if let Some(made) = Made::by_name(&name) {
            walker.make(call, &made, &arguments);
        }
    }
    walker.walked
}

/// The reduction to one float that a call is.
fn reduction(call: Value, name: &str) -> Option<(Reduction, FpType)> {
    let reduction = Reduction::by_name(name)?;
    // (a, file, line, dim, mask), (a, b, file, line)
    Some((reduction, FpType::of(call.ty()).filter(|_| call.arguments().len() >= 4)?))
}

/// The mask of a reduction, or null.
fn mask_of(b: &Builder, reduction: Reduction, arguments: &[Value]) -> Value {
    let has_mask = !matches!(reduction, Reduction::Dot | Reduction::Norm);
    arguments.get(4).copied().filter(|_| has_mask).unwrap_or(b.types.ptr().zero())
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

    fn element(&self, reduction: Reduction, array: Value, mask: Value, index: Value, fp: FpType) -> Value {
        let reduction = self.b.types.i32().const_int(reduction as u64);
        let at = self.hook(id::__nonius_fortran_element, &[reduction, array, mask, index]);
        self.b.load(fp.native(self.b.types), at, fp.precision.store_bytes())
    }

    /// Loops behind a call that makes an array; its format is known only when the program runs.
    fn make(&mut self, call: Value, made: &Made, arguments: &[Value]) {
        let Some([how, to, from, second, dimension]) = made_arguments(&self.b, made, arguments) else { return };
        if made.how == Making::Pick {
            return;
        }
        let next = call.next().expect("a call is no terminator");
        for precision in [Precision::Float, Precision::Double] {
            let fp = FpType { precision, lanes: None };
            self.b.before_with_loc_of(next, call);
            let format = self.b.types.i32().const_int(precision as u64);
            let count = self.hook(id::__nonius_fortran_made_count, &[how, format, to, from, second, dimension]);
            let some = self.b.icmp(IntPredicate::LLVMIntNE, count, self.b.types.i64().zero());
            let then = next.split_if(some);
            self.b.before_with_loc_of(then, call);
            let terms = self.hook(id::__nonius_fortran_terms, &[how, from, second, dimension]);
            let (body, index) = then.split_loop(count);
            let whole = self.sum_of_terms(call, body, made.how, terms, |walker, which, term| {
                let which = walker.b.types.i32().const_int(which);
                let arguments = [how, which, from, second, dimension, index, term];
                let at = walker.hook(id::__nonius_fortran_term, &arguments);
                let value = walker.b.load(fp.native(walker.b.types), at, precision.store_bytes());
                walker.as_double(value)
            });
            self.b.before_with_loc_of(body, call);
            let at = self.hook(id::__nonius_fortran_made_at, &[how, to, from, index]);
            let element = self.b.load(fp.native(self.b.types), at, precision.store_bytes());
            self.walked.made.insert(element, (call, whole));
        }
    }

    /// A loop before `point` over the terms of an element; what it comes to, in double.
    fn sum_of_terms(
        &mut self,
        call: Value,
        point: Value,
        how: Making,
        terms: Value,
        load: impl Fn(&Walker, u64, Value) -> Value,
    ) -> Value {
        let double = DOUBLE.native(self.b.types);
        let entry = point.block();
        let (body, term) = point.split_loop(terms);
        self.b.before_with_loc_of(body.block().instructions()[0], call);
        let so_far = self.b.phi(double);
        self.b.before_with_loc_of(body, call);
        let left = load(self, 0, term);
        let mut operations = Vec::new();
        let value = match how.is_product_of_matrices() {
            true => {
                let product = self.b.fmul(left, load(self, 1, term));
                operations.push(product);
                product
            }
            false => left,
        };
        let (next, start) = match how {
            Making::Product => (self.b.fmul(so_far, value), 1.0),
            Making::Norm => (self.hypotenuse(so_far, value), 0.0),
            _ => (self.b.fadd(so_far, value), -0.0),
        };
        so_far.add_incoming(double.const_real(start), entry);
        so_far.add_incoming(next, body.block());
        operations.insert(0, next);
        self.walked.parts.extend(operations.iter().map(|&operation| (operation, call)));
        if how != Making::Norm {
            operations.push(so_far);
            self.walked.steps.extend(operations);
        }
        next
    }

    /// The array's format is known only when the program runs: a loop for each.
    fn print(&mut self, call: Value, array: Value) {
        for precision in [Precision::Float, Precision::Double] {
            self.b.before_with_loc_of(call, call);
            let count = self.count(array, precision);
            let some = self.b.icmp(IntPredicate::LLVMIntNE, count, self.b.types.i64().zero());
            let (body, index) = call.split_if(some).split_loop(count);
            self.b.before_with_loc_of(body, call);
            let null = self.b.types.ptr().zero();
            let element = self.element(Reduction::Sum, array, null, index, FpType { precision, lanes: None });
            self.walked.printed.insert(element, call);
        }
    }

    fn reduce(&mut self, call: Value, reduction: Reduction, fp: FpType, arguments: &[Value]) {
        // Its value tells which element it is.
        if reduction == Reduction::Pick {
            return;
        }
        let double = DOUBLE.native(self.b.types);
        self.b.before_with_loc_of(call, call);
        let count = self.count(arguments[0], fp.precision);
        let none = self.b.icmp(IntPredicate::LLVMIntEQ, count, self.b.types.i64().zero());
        // An empty array has one turn, on an element that changes nothing.
        let turns = self.b.select(none, self.b.types.i64().const_int(1), count);
        let entry = call.block();
        let (body, index) = call.split_loop(turns);
        self.b.before_with_loc_of(body.block().instructions()[0], call);
        let so_far = self.b.phi(double);
        self.b.before_with_loc_of(body, call);
        let mask = mask_of(&self.b, reduction, arguments);
        let element = |array| self.as_double(self.element(reduction, array, mask, index, fp));
        let term = match reduction {
            Reduction::Dot => {
                let left = element(arguments[0]);
                self.b.fmul(left, element(arguments[1]))
            }
            _ => element(arguments[0]),
        };
        let (next, start) = match reduction {
            Reduction::Product => (self.b.fmul(so_far, term), 1.0),
            Reduction::Norm => (self.hypotenuse(so_far, term), 0.0),
            _ => (self.b.fadd(so_far, term), -0.0),
        };
        so_far.add_incoming(double.const_real(start), entry);
        so_far.add_incoming(next, body.block());
        self.walked.sums.insert(call, next);
        let mut operations = vec![next];
        operations.extend((reduction == Reduction::Dot).then_some(term));
        self.walked.parts.extend(operations.iter().map(|&operation| (operation, call)));
        if reduction != Reduction::Norm {
            operations.push(so_far);
            self.walked.steps.extend(operations);
        }
    }

    fn as_double(&self, element: Value) -> Value {
        let double = DOUBLE.native(self.b.types);
        if element.ty() == double { element } else { self.b.fpext(element, double) }
    }

    /// A square of its own would overflow where a norm does not. A machine takes the function's value along, so this is code.
    fn hypotenuse(&self, x: Value, y: Value) -> Value {
        let double = DOUBLE.native(self.b.types);
        let ty = self.b.types.function(double, &[double, double]);
        self.b.call(self.tables.runtime_function("hypot", ty), ty, &[x, y])
    }
}

impl Recorder<'_> {
    /// Behind a load: if it is of an element that is printed, it is observed.
    pub fn printed(&mut self, load: Value) {
        if let Some(&call) = self.walked.printed.get(&load) {
            self.check(load, Observed::Output, call);
        }
    }

    /// A load of an element that a call made, whose ideal is what it was made of; `false` if this is none.
    pub fn made(&mut self, load: Value) -> bool {
        let Some(&(call, whole)) = self.walked.made.get(&load) else { return false };
        let fp = FpType::of(load.ty()).expect("a float");
        self.reduced(call, load, whole, fp);
        let operand = self.operands(load)[0];
        self.stand_behind(load);
        let place = self.put_shared(load.operand(0));
        self.step(Step { args: one(operand), place, ..step(Kind::Store, fp) });
        true
    }

    /// A call that makes an array; `false` if this is none.
    pub fn makes_array(&mut self, call: Value, name: &str) -> bool {
        let Some(made) = Made::by_name(name) else { return false };
        let Some(arguments) = made_arguments(&self.b, &made, &call.arguments()) else { return false };
        self.step_over(call);
        if made.how == Making::Pick {
            self.b.before(self.segment.head);
            let (hook, ty) = self.tables.hook(id::__nonius_fortran_made);
            self.b.call(hook, ty, &arguments);
        }
        true
    }

    /// Floats come from outside; `false` if this call does no such thing.
    pub fn read_in(&mut self, call: Value, name: &str) -> bool {
        let Some((input, at)) = Input::by_name(name) else { return false };
        let Some(&to) = call.arguments().get(at) else { return false };
        match input {
            Input::Scalar(bytes) => {
                self.stand_behind(call);
                self.clear(to, &[self.b.types.i64().const_int(bytes)]);
            }
            Input::Array => {
                self.step_over(call);
                self.b.before(self.segment.head);
                let (hook, ty) = self.tables.hook(id::__nonius_fortran_read);
                self.b.call(hook, ty, &[to]);
            }
        }
        true
    }

    /// A copy of an array in another order; `false` if this call is none.
    pub fn rearranged(&mut self, call: Value, name: &str) -> bool {
        let arguments = call.arguments();
        let Some(how) = Rearrangement::by_name(name).filter(|_| arguments.len() >= 4) else { return false };
        // The runtime writes of it into the thread's stream, so it stands between two records.
        self.step_over(call);
        self.b.before(self.segment.head);
        crate::emit::rearranged(&self.b, self.tables, how, &arguments);
        true
    }

    /// A reduction of an array; `false` if this call is none that is followed.
    pub fn reduction(&mut self, call: Value, name: &str) -> bool {
        let Some((reduction, fp)) = reduction(call, name) else { return false };
        match self.walked.sums.get(&call) {
            Some(&sum) => self.reduced(call, call, sum, fp),
            None if reduction == Reduction::Pick => self.picked(call, fp),
            None => return false,
        }
        true
    }

    /// The ideal of `value`, which a call gave, is that of `sum`, which is rounded to its format or added to nothing; the
    /// value is the program's own.
    fn reduced(&mut self, call: Value, value: Value, sum: Value, fp: FpType) {
        let sum = self.operands(sum)[0];
        let nothing = self.operands(value.ty().const_real(-0.0))[0];
        self.stand_behind(value);
        let word = self.put(value);
        let site = self.operation_site(call, fp);
        let result = self.name(value);
        let (kind, detail, args) = match fp.precision {
            Precision::Double => (Kind::Arith, Arith::Add as u32, [sum, nothing, Operand::NOTHING]),
            _ => (Kind::Convert, Precision::Double as u32, one(sum)),
        };
        self.step(Step { detail, result, args, word, site, ..step(kind, fp) });
    }

    /// The call gives one of the elements: it is loaded from where that lies.
    fn picked(&mut self, call: Value, fp: FpType) {
        let arguments = call.arguments();
        let (array, mask) = (arguments[0], mask_of(&self.b, Reduction::Pick, &arguments));
        self.stand_behind(call);
        let double = DOUBLE.native(self.b.types);
        let value = if call.ty() == double { call } else { self.b.fpext(call, double) };
        let (hook, ty) = self.tables.hook(id::__nonius_fortran_picked);
        let at = self.b.call(hook, ty, &[array, mask, value]);
        let place = self.put(at);
        let word = self.put(call);
        let result = self.name(call);
        self.step(Step { result, place, word, ..step(Kind::Load, fp) });
    }
}
