//! Which values are the same, and what is done with them.

use super::{NEAR, Product, Sum, Term, is_plain};
use crate::cfg::Cfg;
use crate::fp::FpType;
use crate::llvm::{Block, Kind, Opcode, Type, Value};
use crate::locals;
use nonius_abi::libm;
use std::collections::{HashMap, HashSet};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    object: Value,
    steps: Vec<u64>,
}

/// Which values are the same: at -O0 each use of a local variable is a load of its own.
pub struct ValueNumbers {
    /// The only block before each that has one.
    above: HashMap<Block, Block>,
    known: HashMap<Value, Value>,
    /// The first constant of each size and type: a difference is a sum with the other sign, once it is optimized.
    constants: HashMap<(Type, u64), Term>,
    /// All instructions, until what they write is known.
    all: Vec<Value>,
    /// Objects that the function writes to, or lets others write to.
    written: HashSet<Value>,
    /// The first load of each place in other objects.
    read_only: HashMap<(Place, Type), Value>,
    /// The first load of a place since it may have changed.
    since: HashMap<(Place, Type, Value), Value>,
    cfg: Option<Cfg>,
    /// Which stack objects are registers in disguise: those of long functions have thousands of uses.
    registers: HashMap<Value, bool>,
}

/// What is looked for in a place.
#[derive(Clone, Copy)]
pub struct Sought {
    ty: Type,
    by: Value,
    /// Copies of copies that are followed.
    copies: u32,
}

impl Sought {
    fn by(value: Value) -> Sought {
        Sought { copies: COPIES, by: value, ty: value.ty() }
    }

    /// A number of what `load` loads.
    pub fn member(load: Value, ty: Type) -> Sought {
        Sought { copies: COPIES, by: load, ty }
    }
}

const COPIES: u32 = 8;
/// Changes of sign that are looked through.
const SIGNS: usize = 16;

impl ValueNumbers {
    pub fn of(function: Value, order: &[Block]) -> ValueNumbers {
        let mut above: HashMap<Block, Vec<Block>> = HashMap::new();
        for &block in order {
            for next in block.successors() {
                above.entry(next).or_default().push(block);
            }
        }
        let entry = function.blocks()[0];
        let above = above.into_iter().filter(|(b, from)| *b != entry && from.len() == 1);
        ValueNumbers {
            above: above.map(|(b, from)| (b, from[0])).collect(),
            known: HashMap::new(),
            constants: HashMap::new(),
            all: order.iter().flat_map(|b| b.instructions()).collect(),
            written: HashSet::new(),
            read_only: HashMap::new(),
            since: HashMap::new(),
            cfg: None,
            registers: HashMap::new(),
        }
    }

    /// Whether the function leaves an object as it was. A call is taken to leave alone what it is not given.
    fn only_reads(&mut self, object: Value) -> bool {
        for i in std::mem::take(&mut self.all) {
            let written = match i.opcode() {
                Opcode::LLVMStore => vec![i.operand(1)],
                Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => vec![i.operand(0)],
                Opcode::LLVMCall | Opcode::LLVMInvoke => given_to_write(i),
                _ => Vec::new(),
            };
            for pointer in written.into_iter().filter(|p| p.ty().kind() == Kind::Pointer) {
                let object = self.object(pointer);
                self.written.insert(object);
            }
        }
        !object.is(Opcode::LLVMPHI) && !object.is(Opcode::LLVMSelect) && !self.written.contains(&object)
    }

    pub fn sum(&mut self, i: Value) -> Option<Sum> {
        let sign = match i.opcode() {
            Opcode::LLVMFAdd => 1,
            Opcode::LLVMFSub => -1,
            _ => return None,
        };
        if !is_plain(i) {
            return None;
        }
        let [left, right] = [0, 1].map(|index| self.term(i.operand(index)));
        Some(Sum { result: i, terms: [left, Term { sign: sign * right.sign, ..right }] })
    }

    pub fn product(&mut self, i: Value) -> Option<Product> {
        if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
            return None;
        }
        let name = if i.callee().is_function() { i.callee().name() } else { String::new() };
        let is_fused = name.starts_with("llvm.fma.") || matches!(name.as_str(), "fma" | "fmaf");
        if !is_fused && (name.starts_with("llvm.") || libm::by_c_name(&name).is_some()) {
            return None;
        }
        let mut terms = Vec::new();
        for argument in i.arguments().into_iter().filter(|a| FpType::of(a.ty()).is_some()) {
            terms.push(self.term(argument));
        }
        let least = if is_fused { 3 } else { 1 };
        let has_pointers = || i.arguments().into_iter().any(|a| a.ty().kind() == Kind::Pointer);
        if !is_fused && terms.is_empty() && has_pointers() && !name.is_empty() {
            return Some(Product { result: i, factors: terms, plus: Term { name: i, sign: 1 }, is_call: true });
        }
        let plus = *terms.last().filter(|_| terms.len() >= least)?;
        let factors = if is_fused { terms[..2].to_vec() } else { terms };
        Some(Product { result: i, factors, plus, is_call: !is_fused })
    }

    /// Whether `error` is a fused multiply-add that takes a product from itself.
    pub fn is_error_of(&mut self, error: &Product, product: Value) -> bool {
        if error.is_call || !product.is(Opcode::LLVMFMul) || !is_plain(product) {
            return false;
        }
        let [a, b] = [0, 1].map(|index| self.term(product.operand(index)));
        let [x, y] = [error.factors[0], error.factors[1]];
        let same = (a.name, b.name) == (x.name, y.name) || (a.name, b.name) == (y.name, x.name);
        same && x.sign * y.sign * error.plus.sign * a.sign * b.sign == -1
    }

    /// The operations that take a quotient times its divisor from its dividend, if there are any.
    pub fn remainder_of(&mut self, q: Value, products: &[Product], sums: &[Sum], meant: &HashSet<Value>) -> Vec<Value> {
        let [a, b] = [0, 1].map(|index| self.term(q.operand(index)).name);
        let has_both = |factors: &[Term]| [q, b].iter().all(|&f| factors.iter().any(|t| t.name == f));
        let is_taken_from = sums.iter().any(|s| s.terms.iter().any(|t| t.name == a));
        let asks = |p: &&Product| {
            has_both(&p.factors)
                && if p.is_call { is_taken_from } else { p.plus.name == a || meant.contains(&p.plus.name) }
        };
        products.iter().filter(asks).map(|p| p.result).collect()
    }

    pub fn is_register(&mut self, alloca: Value) -> bool {
        *self.registers.entry(alloca).or_insert_with(|| locals::is_register(alloca))
    }

    /// Whether a value is used for something else than `pattern`.
    pub fn is_kept(&mut self, value: Value, pattern: &[Value]) -> bool {
        value.users().into_iter().any(|user| {
            let is_choice = user.is(Opcode::LLVMPHI) || user.is(Opcode::LLVMSelect);
            if !user.is_instruction() || pattern.contains(&user) && !is_choice {
                return false;
            }
            match user.opcode() {
                Opcode::LLVMFNeg => self.is_kept(user, pattern),
                Opcode::LLVMStore => self.is_kept_in(user, value, pattern),
                // One that is part of the pattern, and maybe more than that.
                _ if is_choice && pattern.contains(&user) => user.users().iter().any(|u| !pattern.contains(u)),
                _ => true,
            }
        })
    }

    /// The same for what `store` puts into a local variable.
    fn is_kept_in(&mut self, store: Value, value: Value, pattern: &[Value]) -> bool {
        let place = store.operand(1);
        let Some(alloca) = locals::base(place).filter(|&a| self.is_register(a) || is_variable(a)) else {
            return true;
        };
        if place != alloca {
            return true;
        }
        let name = self.name(value);
        alloca.users().into_iter().any(|user| match user.opcode() {
            Opcode::LLVMStore => false,
            Opcode::LLVMLoad if user.ty() == value.ty() && self.name(user) == name => self.is_kept(user, pattern),
            Opcode::LLVMCall => !given_to_write(user).is_empty(),
            _ => true,
        })
    }

    /// Whether a value is used for one thing, as a sign or being 0 is asked for.
    pub fn is_only_tested(&mut self, value: Value) -> bool {
        let is_zero = |v: Value| v.as_const_real() == Some(0.0);
        let users = value.users();
        !users.is_empty()
            && users.into_iter().all(|user| match user.opcode() {
                _ if !user.is_instruction() => false,
                Opcode::LLVMFCmp => is_zero(user.operand(0)) || is_zero(user.operand(1)),
                Opcode::LLVMFNeg => self.is_only_tested(user),
                Opcode::LLVMStore => self.is_only_tested_in(user, value),
                _ => false,
            })
    }

    /// The same for what `store` puts into a local variable.
    fn is_only_tested_in(&mut self, store: Value, value: Value) -> bool {
        let place = store.operand(1);
        if !place.is(Opcode::LLVMAlloca) || store.operand(0) != value {
            return false;
        }
        let mut loads = Vec::new();
        for user in place.users() {
            match user.opcode() {
                Opcode::LLVMLoad if user.ty() == value.ty() => loads.push(user),
                Opcode::LLVMStore if user.operand(1) == place => {}
                Opcode::LLVMCall if given_to_write(user).is_empty() => {}
                _ => return false,
            }
        }
        let name = self.name(value);
        loads.retain(|&load| self.name(load) == name);
        !loads.is_empty() && loads.into_iter().all(|load| self.is_only_tested(load))
    }

    pub fn term(&mut self, value: Value) -> Term {
        let mut term = Term { name: self.name(value), sign: 1 };
        // A loop that changes a sign in every round may have the value of the round before for its own.
        for _ in 0..SIGNS {
            if !term.name.is(Opcode::LLVMFNeg) {
                break;
            }
            term = Term { name: self.name(term.name.operand(0)), sign: -term.sign };
        }
        if let Some(constant) = term.name.as_const_real().filter(|c| *c != 0.0) {
            let own = Term { name: term.name, sign: if constant < 0.0 { -1 } else { 1 } };
            let first = *self.constants.entry((value.ty(), constant.abs().to_bits())).or_insert(own);
            return Term { name: first.name, sign: term.sign * own.sign * first.sign };
        }
        term
    }

    pub fn name(&mut self, value: Value) -> Value {
        if !value.is(Opcode::LLVMLoad) && !value.is(Opcode::LLVMExtractValue) {
            return value;
        }
        if let Some(&name) = self.known.get(&value) {
            return name;
        }
        self.known.insert(value, value);
        let origin = match value.is(Opcode::LLVMLoad) {
            true => self.origin(value),
            false => self.taken_from(value),
        };
        let name = origin.map_or(value, |stored| self.name(stored));
        self.known.insert(value, name);
        name
    }

    /// What the place of a load was given, or an earlier load of the same.
    fn origin(&mut self, load: Value) -> Option<Value> {
        let pointer = load.operand(0);
        let Some(alloca) = locals::base(pointer).filter(|&a| self.is_register(a)) else {
            return self.origin_in_memory(load);
        };
        let same = |place: Value, ty| locals::same_place(place, pointer) && ty == load.ty();
        let mut earlier = None;
        let before: Vec<Value> = self.backwards(load).take(locals::NEAR).collect();
        for at in before {
            match at.opcode() {
                Opcode::LLVMStore if same(at.operand(1), at.operand(0).ty()) => return Some(at.operand(0)),
                Opcode::LLVMStore if at.operand(0).ty() != load.ty() && locals::base(at.operand(1)) == Some(alloca) => {
                    return earlier;
                }
                Opcode::LLVMCall if is_copy_to(at, alloca) => return earlier.or_else(|| self.origin_of_copy(at, load)),
                Opcode::LLVMLoad if same(at.operand(0), at.ty()) => earlier = Some(at),
                _ => {}
            }
        }
        match locals::stored_values(load)[..] {
            [one] if one.ty() == load.ty() && earlier.is_none() => Some(one),
            _ => earlier.or_else(|| self.stored_above(load)),
        }
    }

    /// What was stored to a variable where all ways to `load` come from, if none of them stores there again. Not in loops.
    fn stored_above(&mut self, load: Value) -> Option<Value> {
        let cfg = self.cfg.get_or_insert_with(|| Cfg::of(load.block().function()));
        let place = |i: Value| cfg.index(i.block()).filter(|&at| !cfg.is_in_loop(at));
        let here = place(load)?;
        let above: HashSet<usize> = cfg.dominators(here).skip(1).collect();
        let mut stores = Vec::new();
        for store in locals::stores(load) {
            stores.push((cfg.index(store.block())?, store));
        }
        let &(at, last) = stores.iter().filter(|(at, _)| *at < here).max_by_key(|(at, _)| *at)?;
        let is_only = stores.iter().filter(|(other, _)| *other == at || *other == here).count() == 1;
        let is_one = is_only && above.contains(&at) && place(last).is_some() && last.operand(0).ty() == load.ty();
        is_one.then(|| last.operand(0))
    }

    /// The same for memory of others.
    fn origin_in_memory(&mut self, load: Value) -> Option<Value> {
        FpType::of(load.ty())?;
        let place = self.place(load.operand(0))?;
        if load.is_volatile() {
            // A local variable so that no compiler simplifies the sum: what was put there, but not what is from outside.
            let is_local = place.object.is(Opcode::LLVMAlloca);
            return self
                .last_in(&place, load, Sought::by(load))
                .filter(|v| is_local && !v.is(Opcode::LLVMLoad) && !v.is_constant());
        }
        if self.only_reads(place.object) {
            return Some(*self.read_only.entry((place, load.ty())).or_insert(load)).filter(|&first| first != load);
        }
        self.last_in(&place, load, Sought::by(load))
    }

    /// What an extractvalue takes, if that is known as a value of its own.
    fn taken_from(&mut self, taken: Value) -> Option<Value> {
        let [index] = taken.indices()[..] else { return None };
        FpType::of(taken.ty())?;
        let mut at = taken.operand(0);
        while at.is(Opcode::LLVMInsertValue) {
            if at.indices() == [index] {
                return Some(at.operand(1));
            }
            at = at.operand(0);
        }
        self.member(at, index, Sought::by(taken))
    }

    /// A number of what is loaded from a local variable as a whole.
    pub fn member(&mut self, load: Value, index: u32, sought: Sought) -> Option<Value> {
        if !load.is(Opcode::LLVMLoad) || load.is_volatile() {
            return None;
        }
        let mut place = self.place(load.operand(0)).filter(|p| p.steps.is_empty())?;
        if index != 0 {
            place.steps = vec![0, u64::from(index)];
        }
        self.last_in(&place, load, sought)
    }

    /// What a copy put into the variable that `load` reads.
    fn origin_of_copy(&mut self, copy: Value, load: Value) -> Option<Value> {
        let place = self.place(load.operand(0))?;
        FpType::of(load.ty())?;
        self.copied_to(&place, copy, Sought::by(load))
    }

    /// What a copy of a whole object put into `place`.
    fn copied_to(&mut self, place: &Place, copy: Value, sought: Sought) -> Option<Value> {
        let is_copy = copy.callee().is_function() && copy.callee().name().starts_with("llvm.memcpy.");
        if !is_copy || sought.copies == 0 {
            return None;
        }
        let [to, from] = [0, 1].map(|n| self.place(copy.arguments()[n]).filter(|p| p.steps.is_empty()));
        let from = Place { steps: place.steps.clone(), ..from? };
        let is_whole = to?.object == place.object;
        is_whole.then(|| self.last_in(&from, copy, Sought { copies: sought.copies - 1, ..sought })).flatten()
    }

    /// What `place` has before `from`, of this type. A call is taken to leave alone what it is not given: if it does
    /// not, a rounding that is not asked for may pass for one that is, no more.
    fn last_in(&mut self, place: &Place, from: Value, sought: Sought) -> Option<Value> {
        let before: Vec<Value> = self.backwards(from).take(NEAR).collect();
        let mut earlier = None;
        for &at in &before {
            match at.opcode() {
                Opcode::LLVMStore if self.place(at.operand(1)).as_ref() == Some(place) => {
                    return Some(at.operand(0)).filter(|v| v.ty() == sought.ty).or(earlier);
                }
                Opcode::LLVMStore if self.may_change(at, place, sought.ty) => {
                    return earlier.or_else(|| self.first_since(at, place, sought));
                }
                Opcode::LLVMCall | Opcode::LLVMInvoke
                    if given_to_write(at).into_iter().any(|a| self.is_within(a, place.object)) =>
                {
                    let copied = earlier.or_else(|| self.copied_to(place, at, sought));
                    return copied.or_else(|| self.first_since(at, place, sought));
                }
                Opcode::LLVMLoad if at.ty() == sought.ty && self.place(at.operand(0)).as_ref() == Some(place) => {
                    earlier = Some(at);
                }
                _ => {}
            }
        }
        let start = *before.last().unwrap_or(&from);
        earlier.or_else(|| (before.len() < NEAR).then(|| self.first_since(start, place, sought)).flatten())
    }

    /// Whether a store to another place may be one to this.
    fn may_change(&mut self, store: Value, place: &Place, ty: Type) -> bool {
        let to = self.object(store.operand(1));
        let is_other_member = store.operand(0).ty() == ty && self.place(store.operand(1)).is_some();
        !to.is(Opcode::LLVMAlloca) || to == place.object && !is_other_member
    }

    /// The load that first asked for what is in a place since `start`, if it is another one.
    fn first_since(&mut self, start: Value, place: &Place, sought: Sought) -> Option<Value> {
        let first = *self.since.entry((place.clone(), sought.ty, start)).or_insert(sought.by);
        (first != sought.by).then_some(first)
    }

    /// The object that a pointer leads into, and how far, if that is constant.
    fn place(&mut self, pointer: Value) -> Option<Place> {
        let (mut at, mut steps) = (pointer, Vec::new());
        while at.is(Opcode::LLVMGetElementPtr) {
            for index in at.operands().into_iter().skip(1) {
                steps.push(index.as_const_int()?);
            }
            at = at.operand(0);
        }
        // A first member is at the object's own address.
        while steps.last() == Some(&0) {
            steps.pop();
        }
        Some(Place { object: self.name(at), steps })
    }

    /// The object that a pointer leads into.
    pub fn object(&mut self, pointer: Value) -> Value {
        let mut at = pointer;
        while at.is(Opcode::LLVMGetElementPtr) {
            at = at.operand(0);
        }
        self.name(at)
    }

    /// What a variable of one float is given once, and passed on by pointer.
    pub fn only_value_in(&self, object: Value) -> Option<Value> {
        if !object.is(Opcode::LLVMAlloca) {
            return None;
        }
        let stores = object.users().into_iter().filter(|u| u.is(Opcode::LLVMStore) && u.operand(1) == object);
        match stores.map(|s| s.operand(0)).collect::<Vec<_>>()[..] {
            [one] if FpType::of(one.ty()).is_some() => Some(one),
            _ => None,
        }
    }

    fn is_within(&mut self, pointer: Value, object: Value) -> bool {
        pointer.ty().kind() == Kind::Pointer && self.object(pointer) == object
    }

    /// What ran before an instruction, as far as that is certain.
    fn backwards(&self, from: Value) -> impl Iterator<Item = Value> + '_ {
        std::iter::successors(Some(from), |at| {
            at.previous().or_else(|| self.above.get(&at.block()).and_then(|b| b.terminator()))
        })
        .skip(1)
    }
}

/// Whether an object is a variable that is only read and written, even if that is volatile.
fn is_variable(alloca: Value) -> bool {
    alloca.users().into_iter().all(|user| match user.opcode() {
        Opcode::LLVMLoad => true,
        Opcode::LLVMStore => user.operand(0) != alloca,
        Opcode::LLVMCall => given_to_write(user).is_empty(),
        _ => false,
    })
}

/// The arguments of a call that it may write to.
fn given_to_write(call: Value) -> Vec<Value> {
    let name = if call.callee().is_function() { call.callee().name() } else { String::new() };
    match () {
        () if name.starts_with("llvm.memcpy.") => call.arguments()[..1].to_vec(),
        () if name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") => Vec::new(),
        () => call.arguments(),
    }
}

fn is_copy_to(call: Value, alloca: Value) -> bool {
    let is_copy = !call.callee().is_function() || call.callee().name().starts_with("llvm.mem");
    is_copy && call.arguments().into_iter().any(|a| locals::base(a) == Some(alloca))
}
