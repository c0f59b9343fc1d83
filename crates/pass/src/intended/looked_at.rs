//! What a function intends, as far as that shows once its variables are values and the small functions that it calls are part of it.
//!
//! Unoptimized code keeps every variable in memory, and what one branch or another has put there has no name; a tail that a
//! callee leaves behind a pointer has none at any level. So each function is copied, before any is changed: calls of small
//! functions of the module are inlined in the copy, its variables become values, and what is found there of the function's own
//! operations is noted by numbers that these keep when they are cloned.

use super::value_numbers::ValueNumbers;
use super::{IntendedRoundings, Step, Summaries, is_plain, search};
use crate::cfg::Cfg;
use crate::llvm::{Block, Kind, Look, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Functions of more instructions are not copied.
const LONGEST: usize = 20_000;
/// Nor are calls of longer functions inlined, or more than so many instructions, or in more rounds.
const CALLEE: usize = 400;
const GROWTH: usize = 4_000;
const ROUNDS: usize = 6;

/// What was found, by the numbers of operations.
#[derive(Default)]
pub struct LookedAt {
    rounded: HashSet<u32>,
    low: HashMap<u32, u32>,
    steps: HashMap<u32, Vec<(u32, Step)>>,
    snaps: HashMap<u32, f64>,
    last: u32,
}

impl LookedAt {
    /// Looks at a function, unless it shows all that there is.
    pub fn add(&mut self, function: Value, summaries: &Summaries) {
        let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
        let sizes = &mut HashMap::new();
        let hides = all.iter().any(|&i| i.is(Opcode::LLVMAlloca) || is_small_call(i, function, sizes));
        if all.len() > LONGEST || !hides || !all.iter().any(|&i| is_own(i)) {
            return;
        }
        let look = Look::at(function);
        inline(&look, function, sizes);
        look.promote();
        let copy = look.function();
        let order = Cfg::of(copy).order;
        let found = search(&mut ValueNumbers::of(copy, &order), copy, &order, summaries);
        self.note(&found, &look.originals());
    }

    fn note(&mut self, found: &IntendedRoundings, originals: &HashMap<Value, Value>) {
        let mut number = |copy: &Value| {
            let &own = originals.get(copy)?;
            own.number().or_else(|| {
                self.last += 1;
                own.set_number(self.last);
                own.number()
            })
        };
        let rounded: Vec<u32> = found.rounded.iter().filter_map(&mut number).collect();
        let low: Vec<(u32, u32)> = found.low.iter().filter_map(|(low, of)| Some((number(low)?, number(of)?))).collect();
        let steps = found.steps.iter().filter_map(|(low, steps)| {
            let steps = steps.iter().map(|s| Some((number(&s.operation)?, s.clone()))).collect::<Option<Vec<_>>>();
            Some((number(low)?, steps?))
        });
        let steps: Vec<_> = steps.collect();
        let snaps: Vec<(u32, f64)> = found.snaps.iter().filter_map(|(sum, &half)| Some((number(sum)?, half))).collect();
        self.rounded.extend(rounded);
        self.low.extend(low);
        self.steps.extend(steps);
        self.snaps.extend(snaps);
    }

    /// Adds what was found to what shows in the function, or in a copy of it.
    pub fn add_to(&self, intended: &mut IntendedRoundings, order: &[Block]) {
        if self.last == 0 {
            return;
        }
        let all = order.iter().flat_map(|b| b.instructions());
        let by_number: HashMap<u32, Value> = all.filter_map(|i| Some((i.number()?, i))).collect();
        for (number, &value) in &by_number {
            if let Some(&half) = self.snaps.get(number) {
                intended.snaps.insert(value, half);
            }
            if self.rounded.contains(number) {
                intended.rounded.insert(value);
            }
            let Some(&of) = self.low.get(number).and_then(|of| by_number.get(of)) else { continue };
            if intended.low.contains_key(&value) {
                continue;
            }
            let step =
                |(number, step): &(u32, Step)| Some(Step { operation: *by_number.get(number)?, of: step.of.clone() });
            let steps = self.steps.get(number).map(|steps| steps.iter().map(step).collect::<Option<Vec<_>>>());
            match steps {
                Some(None) => continue,
                Some(Some(steps)) => drop(intended.steps.insert(value, steps)),
                None => {}
            }
            intended.low.insert(value, of);
        }
        intended.forget_words_of_snaps();
    }
}

/// An operation that may be found to be intended.
fn is_own(i: Value) -> bool {
    matches!(i.opcode(), Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul) && is_plain(i)
}

/// Inlines small calls, those of what was inlined too.
fn inline(look: &Look, function: Value, sizes: &mut HashMap<Value, usize>) {
    let mut growth = 0;
    for _ in 0..ROUNDS {
        let all = look.function().blocks().into_iter().flat_map(|b| b.instructions());
        let calls: Vec<Value> = all.filter(|&i| is_small_call(i, function, sizes)).collect();
        let mut changed = false;
        for call in calls {
            growth += size(call.callee(), sizes);
            if growth > GROWTH {
                return;
            }
            changed |= look.inline(call);
        }
        if !changed {
            return;
        }
    }
}

/// A call of a small function of the module that is given floats, or where to find or leave some.
fn is_small_call(i: Value, caller: Value, sizes: &mut HashMap<Value, usize>) -> bool {
    if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
        return false;
    }
    let callee = i.callee();
    let takes = |v: &Value| matches!(v.ty().kind(), Kind::Float | Kind::Double | Kind::Pointer);
    callee.is_function()
        && callee != caller
        && !callee.is_declaration()
        && i.arguments().iter().any(takes)
        && size(callee, sizes) <= CALLEE
}

fn size(function: Value, sizes: &mut HashMap<Value, usize>) -> usize {
    *sizes.entry(function).or_insert_with(|| function.blocks().iter().map(|b| b.instructions().len()).sum())
}
