//! Walks blocks on the program's floats and on a domain's values side by side.

mod operations;
mod picks;
mod words;

use super::domain::{Domain, Test, ToInteger};
use super::frames::{Begun, Pending, Register, Thread};
use super::memory::{Loaded, Memory};
use super::report::Observed;
use nonius_abi::Precision;
use nonius_abi::api::Request;
use nonius_abi::code::{BITS, Code, Kind, LIVE, Operand, Source, Step, TO_INTEGER};
use nonius_abi::event::{CONTROL, EventError, Module, Note};
use nonius_abi::libm::{By, FUNCTIONS, Shape};
use nonius_abi::site::{NONE, Op, Site};
use nonius_machine::decode;
use nonius_options::{Declared, Uncertainty};
use nonius_verdict::verdict::Limits;
use nonius_zonotope::Side;
use std::collections::{BTreeMap, BTreeSet};
use words::{memory_bytes, phis, recorded, rounding};

/// Everything but the threads.
pub struct Core<D: Domain> {
    pub domain: D,
    pub memory: Memory<D::Value>,
    pub modules: Vec<Module>,
    /// The first site of each module.
    pub site_bases: Vec<u32>,
    pub observed: Observed,
    pub operations: u64,
    /// Values that have no domain, by the site where they came in; `NONE` for those that have none.
    pub is_partial: bool,
    /// No tests count, no bounds: the program has asked for that.
    pub is_off: bool,
    /// Inputs that the user names, and how far what is read may be off.
    pub declared: Vec<Given>,
    pub uncertainty: Option<Uncertainty>,
    pub limits: Limits,
    /// Comparisons of vectors that choose floats and nothing else, by module.
    pub picking: BTreeMap<usize, BTreeSet<u32>>,
    /// Tests go the program's way for all inputs.
    pub takes_one_path: bool,
    /// Whose path this is.
    pub side: Side,
}

/// An input by function and parameter.
#[derive(Clone, Debug)]
pub struct Given {
    pub what: Declared,
    /// Its function was called.
    pub is_met: bool,
}

/// A test of the program that a block has come to.
#[derive(Clone, Debug)]
pub struct Tested<V> {
    pub site: u32,
    pub kind: TestKind,
    pub x: Register<V>,
    pub y: Register<V>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    Compare(u32),
    ToInteger(ToInteger),
    /// To an integer that stays a float.
    Round(ToInteger),
}

impl<V> Tested<V> {
    pub fn test(&self) -> Test<'_, V> {
        match self.kind {
            TestKind::Compare(predicate) => {
                Test::Compare { predicate, x: &self.x.value, y: &self.y.value, actual: [self.x.actual, self.y.actual] }
            }
            TestKind::ToInteger(how) | TestKind::Round(how) => {
                Test::ToInteger { how, x: &self.x.value, actual: self.x.actual }
            }
        }
    }

    pub fn is_rounding(&self) -> bool {
        matches!(self.kind, TestKind::Round(_))
    }

    /// As the program's own floats have it.
    pub fn outcome(&self) -> i64 {
        match self.kind {
            TestKind::Compare(predicate) => i64::from(holds(predicate, self.x.actual, self.y.actual)),
            TestKind::ToInteger(how) | TestKind::Round(how) => how.of(self.x.actual) as i64,
        }
    }
}

/// LLVM's predicates: 1 equal, 2 greater, 4 less, 8 not comparable.
pub fn holds(predicate: u32, x: f64, y: f64) -> bool {
    let relation = match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        Some(std::cmp::Ordering::Less) => 4,
        None => 8,
    };
    predicate & relation != 0
}

impl<D: Domain> Core<D> {
    pub fn site(&self, module: usize, site: u32) -> u32 {
        if site == NONE { NONE } else { self.site_bases[module] + site }
    }

    /// A site of all modules.
    pub fn site_of<'a>(&self, modules: &'a [Module], number: u32) -> Option<&'a Site> {
        let module = self.site_bases.partition_point(|&base| base <= number).checked_sub(1)?;
        modules.get(module)?.sites.sites.get((number - self.site_bases[module]) as usize)
    }

    pub fn find(&self, number: u32) -> Option<(usize, u32)> {
        let module = self.modules.partition_point(|m| m.base <= number).checked_sub(1)?;
        let block = number - self.modules[module].base;
        ((block as usize) < self.modules[module].code.blocks.len()).then_some((module, block))
    }

    /// Walks a chunk of a thread's events.
    pub fn chunk(&mut self, thread: &mut Thread<D::Value>, words: &[u64]) -> Result<(), EventError> {
        let mut at = 0;
        while at < words.len() {
            let header = words[at];
            let number = header as u32;
            if number >= CONTROL {
                let &word = words.get(at + 1).ok_or(EventError::Truncated { at })?;
                self.note(thread, Note::of(header).ok_or(EventError::Block { at, block: number })?, word);
                at += 2;
                continue;
            }
            let (module, block) = self.find(number).ok_or(EventError::Block { at, block: number })?;
            let end = at + 1 + self.modules[module].code.blocks[block as usize].words as usize;
            let record = words.get(at + 1..end).ok_or(EventError::Truncated { at })?;
            self.block(thread, (header >> 32) as u32, number, record, None);
            at = end;
        }
        Ok(())
    }

    fn note(&mut self, thread: &mut Thread<D::Value>, note: Note, word: u64) {
        match note {
            // What lies between tasks was not recorded.
            Note::Lost | Note::End | Note::BeginTask | Note::EndTask => *thread = Thread::default(),
            Note::To => thread.moved.0 = word,
            Note::From => thread.moved.1 = word,
            Note::Copy => self.memory.copy(thread.moved.0, thread.moved.1, word),
            _ => {}
        }
    }

    /// Walks a block, or the part of it before a step; then returns the test that the step is.
    pub fn block(
        &mut self,
        thread: &mut Thread<D::Value>,
        key: u32,
        number: u32,
        words: &[u64],
        until: Option<usize>,
    ) -> Option<Tested<D::Value>> {
        let (module, index) = self.find(number)?;
        self.is_partial |= self.memory.forgotten > 0;
        let begun = thread.begun.take().filter(|b| b.key == key && b.number == number);
        let modules = std::mem::take(&mut self.modules);
        let code = &modules[module].code;
        let block = &code.blocks[index as usize];
        let mut first = 0;
        match begun {
            Some(begun) => first = begun.steps,
            None => {
                thread.arrive(key, module, block.function, block.enters, &modules);
                phis(thread, code, block, &mut self.domain);
            }
        }
        let end = until.unwrap_or(block.steps.len()).min(block.steps.len());
        for step in block.steps.iter().take(end).skip(first) {
            self.step(thread, &modules, module, step, words);
        }
        let mut tested = None;
        match until {
            Some(steps) => {
                thread.begun = Some(Begun { key, number, steps });
                tested = block.steps.get(steps).and_then(|step| self.tested(thread, &modules, module, step, 0));
            }
            None => {
                if let Some(top) = thread.frames.last_mut().filter(|top| top.key == key) {
                    (top.last, top.meets) = (index, block.meets);
                    top.picks.clear();
                }
            }
        }
        self.modules = modules;
        tested
    }

    /// The test that a step is.
    fn tested(
        &mut self,
        thread: &Thread<D::Value>,
        modules: &[Module],
        module: usize,
        step: &Step,
        lane: u32,
    ) -> Option<Tested<D::Value>> {
        let site = self.site(module, step.site);
        if step.kind != Kind::Decide {
            return None;
        }
        let code = &modules[module].code;
        let x = self.operand(thread, code, step.args[0], lane);
        if step.detail == BITS {
            return None;
        }
        if step.detail < TO_INTEGER {
            let y = self.operand(thread, code, step.args[1], lane);
            return Some(Tested { site, kind: TestKind::Compare(step.detail & 15), x, y });
        }
        let how = match u8::try_from(step.detail - TO_INTEGER).ok().and_then(Op::from_u8)? {
            Op::ToInteger => ToInteger::Truncate,
            Op::ToIntegerRint => ToInteger::NearestEven,
            Op::ToIntegerRound => ToInteger::Nearest,
            _ => {
                let how = rounding(Op::from_u8(u8::try_from(step.detail - TO_INTEGER).ok()?)?)?;
                return Some(Tested { site, kind: TestKind::Round(how), y: x.clone(), x });
            }
        };
        Some(Tested { site, kind: TestKind::ToInteger(how), y: x.clone(), x })
    }

    pub fn operand(
        &mut self,
        thread: &Thread<D::Value>,
        code: &Code,
        operand: Operand,
        lane: u32,
    ) -> Register<D::Value> {
        let known = match operand.source() {
            Source::Slot(slot) => {
                thread.frames.last().and_then(|f| f.registers.get((slot + lane) as usize)).cloned().flatten()
            }
            Source::Constant(index) => code.constants.get((index + lane) as usize).map(|c| {
                let (actual, low) = decode(c.precision, c.bits);
                Register { actual, value: self.domain.lift(actual, low) }
            }),
            Source::Nothing => None,
        };
        known.unwrap_or_else(|| Register { actual: f64::NAN, value: self.domain.unknown() })
    }

    fn step(&mut self, thread: &mut Thread<D::Value>, modules: &[Module], module: usize, step: &Step, words: &[u64]) {
        let code = &modules[module].code;
        match step.kind {
            Kind::Copy => {
                let word = |n: u32| words.get((step.place + n) as usize).copied().unwrap_or(0);
                if step.detail == 1 && self.uncertainty.is_some() {
                    self.memory.was_read(word(0), word(2));
                }
                return self.memory.copy(word(0), word(1), word(2));
            }
            Kind::Call => return self.call(thread, code, module, step, words),
            Kind::Return => {
                let list = code.lists.get(step.detail as usize).cloned().unwrap_or_default();
                let values = list.iter().map(|&o| Some(self.operand(thread, code, o, 0))).collect();
                let values = thread.joined.take().unwrap_or(values);
                thread.frames.pop();
                thread.returned = Some(values);
                return;
            }
            _ => {}
        }
        for lane in 0..u32::from(step.lanes) {
            self.lane(thread, modules, module, step, words, lane);
        }
    }

    fn call(&mut self, thread: &mut Thread<D::Value>, code: &Code, module: usize, step: &Step, words: &[u64]) {
        let Some(call) = code.calls.get(step.detail as usize) else { return };
        let arguments = call.arguments.iter().map(|&o| Some(self.operand(thread, code, o, 0))).collect();
        let address = words.get(step.place as usize).copied().unwrap_or(0);
        let pending = Pending { module, callee: call.callee, address, arguments, is_tail: step.offset == 1 };
        if let Some(top) = thread.frames.last_mut() {
            top.pending = Some(pending);
        }
        thread.returned = None;
    }

    fn lane(
        &mut self,
        thread: &mut Thread<D::Value>,
        modules: &[Module],
        module: usize,
        step: &Step,
        words: &[u64],
        lane: u32,
    ) {
        let code = &modules[module].code;
        let recorded = |format: Precision| recorded(format, step, words, lane);
        let site = self.site(module, step.site);
        let word = |at: u32| words.get(at as usize).copied().unwrap_or(0);
        let address = || match step.kind {
            Kind::Gather | Kind::Scatter => word(step.place + lane),
            _ => word(step.place)
                .wrapping_add_signed(i64::from(step.offset) + i64::from(lane * memory_bytes(step.precision))),
        };
        let result = match step.kind {
            Kind::Value => {
                let (actual, low) = recorded(step.precision);
                if step.detail == LIVE {
                    let before = self.operand(thread, code, Operand::slot(step.result), lane);
                    if before.actual.to_bits() == actual.to_bits() {
                        return;
                    }
                }
                let value = match step.detail {
                    0 => self.taken_from_outside(actual, low, step.precision, site),
                    _ => self.lost(site),
                };
                Register { actual, value }
            }
            Kind::Parameter => {
                let (actual, low) = recorded(step.precision);
                let arguments = thread.frames.last().map(|f| &f.arguments);
                let passed = arguments.and_then(|a| a.get((step.detail + lane) as usize)).cloned().flatten();
                match self.given(modules, module, thread, step.detail + lane, actual, step.precision) {
                    Some(value) => Register { actual, value },
                    None => self.handed_over(passed, actual, low, site),
                }
            }
            Kind::Result => {
                let (actual, low) = recorded(step.precision);
                let returned = thread.returned.as_ref();
                let passed = returned.and_then(|r| r.get((step.detail + lane) as usize)).cloned().flatten();
                self.handed_over(passed, actual, low, site)
            }
            Kind::ByAddress => {
                let (actual, low) = recorded(step.precision);
                let function = FUNCTIONS.get(usize::try_from(word(step.place)).unwrap_or(usize::MAX));
                match function.and_then(|f| f.by.real()) {
                    Some(f) => {
                        let n = if step.offset >= 0 { word(step.offset as u32) as i64 } else { 0 };
                        let args = [0, 1, 2].map(|n| self.operand(thread, code, step.args[n], lane));
                        self.function(f, Shape::X, n, &args, actual, step.precision, site)
                    }
                    None => {
                        let returned = thread.returned.as_ref();
                        let passed = returned.and_then(|r| r.get((step.detail + lane) as usize)).cloned().flatten();
                        self.handed_over(passed, actual, low, site)
                    }
                }
            }
            Kind::Load | Kind::Gather => {
                let (actual, low) = recorded(step.precision);
                let address = address();
                if address == 0 && step.kind == Kind::Gather {
                    return;
                }
                let value = match self.memory.load(address, step.precision, actual) {
                    Loaded::Known(value) => value,
                    Loaded::Nothing if self.uncertainty.is_some() && self.memory.is_read(address) => {
                        let value = self.taken_from_outside(actual, low, step.precision, site);
                        // Whoever reads it again gets the same.
                        self.memory.store(address, step.precision, Register { actual, value: value.clone() });
                        value
                    }
                    Loaded::Nothing if !self.is_partial => self.domain.lift(actual, low),
                    Loaded::Nothing | Loaded::Changed => self.lost(site),
                };
                Register { actual, value }
            }
            Kind::Store | Kind::Scatter => {
                let (address, from) = (address(), self.operand(thread, code, step.args[0], lane));
                if address != 0 {
                    self.memory.store(address, step.precision, from);
                    // What had a domain and was dropped is no constant.
                    self.is_partial |= self.memory.forgotten > 0;
                }
                return;
            }
            Kind::FromInteger => {
                let word = word(step.word + lane);
                self.integer(word, step.detail != 1, step.precision, site)
            }
            Kind::Select => {
                let bit = if step.detail == 1 { 0 } else { lane.min(63) };
                let takes_first = word(step.place) >> bit & 1 != 0;
                let taken = self.operand(thread, code, step.args[usize::from(!takes_first)], lane);
                let key = (site, lane);
                match thread.frames.last().and_then(|f| f.picks.get(&key)).filter(|_| step.site != NONE).cloned() {
                    Some(picking) => {
                        let both = [0, 1].map(|n| self.operand(thread, code, step.args[n], lane));
                        self.picked(&picking, &both, taken.actual, step.precision)
                    }
                    None => taken,
                }
            }
            Kind::Move => self.operand(thread, code, step.args[0], lane),
            Kind::Decide => {
                match self.tested(thread, modules, module, step, lane) {
                    Some(tested) if step.lanes > 1 && self.picks(module, code, step.site) => {
                        self.picks_lane(thread, tested, lane);
                    }
                    Some(tested) => self.came_to(thread, &tested),
                    None => {
                        let x = self.operand(thread, code, step.args[0], lane);
                        self.took_bits(&x.value);
                    }
                }
                return;
            }
            // What another machine checks there, `Decide` says too.
            Kind::Compare | Kind::ToInteger | Kind::Meet => return,
            Kind::Check => {
                let x = self.operand(thread, code, step.args[0], lane);
                return self.observe(modules, site, &x);
            }
            Kind::Request => {
                let x = self.operand(thread, code, step.args[0], lane);
                if step.detail != Request::Resume as u32 {
                    if step.detail == Request::Check as u32 {
                        self.observe(modules, site, &x);
                    }
                    if step.detail == Request::Capture as u32 {
                        thread.captured = Some((x, step.precision));
                    }
                    return;
                }
                Register { actual: x.actual, value: self.domain.lift(x.actual, 0.0) }
            }
            Kind::Complex => {
                let (actual, _) = recorded(step.precision);
                Register { actual, value: self.lost(site) }
            }
            Kind::Function => {
                let (actual, _) = recorded(step.precision);
                let args = [0, 1, 2].map(|n| self.operand(thread, code, step.args[n], lane));
                let n = if step.place == NONE { 0 } else { word(step.place) as i64 };
                if let Some(register) = self.decided(thread, step, actual) {
                    register
                } else {
                    match FUNCTIONS.get(step.detail as usize) {
                        Some(f) => match f.by {
                            By::Real(by) => self.function(by, f.shape, n, &args, actual, step.precision, site),
                            _ => Register { actual, value: self.lost(site) },
                        },
                        None => Register { actual, value: self.lost(site) },
                    }
                }
            }
            Kind::Arith | Kind::Convert => {
                let args = [0, 1, 2].map(|n| self.operand(thread, code, step.args[n], lane));
                let given = (step.word != NONE).then(|| recorded(step.precision).0);
                self.arithmetic(step, &args, given, site)
            }
            Kind::Copy | Kind::Call | Kind::Return => return,
        };
        if step.result != NONE
            && let Some(slot) =
                thread.frames.last_mut().and_then(|f| f.registers.get_mut((step.result + lane) as usize))
        {
            *slot = Some(result);
        }
    }
}
