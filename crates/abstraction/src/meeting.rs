//! Where paths meet by themselves.
//!
//! ```text
//! test --+-- own path ------------------- point P: same place, same integers, same memory but for floats?
//!        +-- other path -- P (waits) ---/      yes: one state for all, and the other path ends
//!                                              no:  both go on to the next point behind P
//! ```
//! A point is good if all ways from the test lead there, but nothing depends on that: whether two processes stand at the same
//! place with the same state is looked at, not believed. All paths of a test meet at once, or none does.

mod join;

use super::domain::Domain;
use super::engine::Abstract;
use super::frames::{Frame, Register};
use super::paths::{Key, Result};
use nonius_abi::Precision;
use nonius_abi::code::{Kind, NO_MEETING, Operand, RETURN};
use nonius_machine::{Arrival, Difference, Look};
use nonius_zonotope::Side;
use nonius_zonotope::wire::{Sink, Source};
use std::collections::{BTreeMap, BTreeSet};

/// A point of a function's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The number of the frame, from the outermost.
    frame: usize,
    key: u32,
    module: usize,
    function: u32,
    number: u32,
}

/// A test whose other paths wait for this one, or are on their way.
pub struct Open<V> {
    /// Where they wait; nowhere: they go on to the end of the program.
    at: Option<Point>,
    paths: Vec<Waiting>,
    /// As it was at the test.
    frames: Vec<Frame<V>>,
    knowledge: Vec<u8>,
    side: Side,
    tag: Option<u64>,
    /// What the own path had asked for by then.
    asked: usize,
    site: u32,
    /// Of the memory's changes since.
    log: usize,
}

/// A path that waits.
pub struct Waiting {
    id: u64,
    result: Result,
}

/// This process as a path of another: where it began, and where it is awaited.
pub struct Begun<V> {
    frames: Vec<Frame<V>>,
    pub at: Option<Point>,
}

/// What is known of tests whose paths have not met.
pub struct Meetings<V> {
    pub open: Vec<Open<V>>,
    pub begun: Option<Begun<V>>,
    /// Where the paths of the pending test will meet.
    next: Option<Point>,
    /// Those of them that wait there already.
    waiting: Vec<Waiting>,
    /// One of them cannot come, and others need it.
    is_broken: bool,
    /// Where the program stands.
    here: Option<(Point, Option<Point>)>,
    /// What the function returns from here, a lane each, if it does.
    returns: Vec<Operand>,
}

impl<V> Default for Meetings<V> {
    fn default() -> Self {
        Meetings {
            open: Vec::new(),
            begun: None,
            next: None,
            waiting: Vec::new(),
            is_broken: false,
            here: None,
            returns: Vec::new(),
        }
    }
}

impl<D: Domain> Abstract<D> {
    /// Where all ways from a step of a block lead next.
    pub(crate) fn next_point(&self, thread: u32, block: u32, step: u32) -> Option<Point> {
        let frames = &self.threads.get(&thread)?.frames;
        let (module, index) = self.core.find(block)?;
        let block = self.core.modules[module].code.blocks.get(index as usize)?;
        let here = block.steps.iter().skip(step as usize + 1).find(|s| s.kind == Kind::Meet).map(|s| s.detail);
        let mut number = here.unwrap_or(block.meets);
        let last = block.steps.get(step as usize).filter(|s| s.kind == Kind::Meet && s.detail == RETURN);
        if last.is_some() {
            number = NO_MEETING;
        }
        for (n, frame) in frames.iter().enumerate().rev() {
            if n + 1 < frames.len() {
                number = frame.meets;
            }
            if number != NO_MEETING {
                let Frame { key, module, function, .. } = *frame;
                return Some(Point { frame: n, key, module, function, number });
            }
        }
        None
    }

    /// The pending test's paths will meet there.
    pub(crate) fn will_meet(&mut self, thread: u32, block: u32, step: u32) {
        let is_free = self.paths.sections.len() == 1;
        self.meetings.next = if is_free { self.next_point(thread, block, step) } else { None };
        (self.meetings.waiting, self.meetings.is_broken) = (Vec::new(), false);
        self.thread = thread;
    }

    /// Paths that begin now go on to the end of the program.
    pub(crate) fn will_not_meet(&mut self) {
        self.meetings.next = None;
        (self.meetings.waiting, self.meetings.is_broken) = (Vec::new(), false);
    }

    fn frames(&self) -> Vec<Frame<D::Value>> {
        self.threads.get(&self.thread).map_or(Vec::new(), |t| t.frames.clone())
    }

    /// This process is a new path.
    pub(crate) fn begin_as_path(&mut self) {
        let (frames, at) = (self.frames(), self.meetings.next);
        self.meetings = Meetings { begun: Some(Begun { frames, at }), ..Meetings::default() };
        self.core.memory.log_from_here();
    }

    /// The own path goes on from a test; before it learns which way.
    pub(crate) fn open_meeting(&mut self, site: u32) {
        let paths = std::mem::take(&mut self.meetings.waiting);
        if paths.is_empty() {
            return;
        }
        let open = Open {
            at: self.meetings.next.filter(|_| !self.meetings.is_broken),
            paths,
            frames: self.frames(),
            knowledge: self.core.domain.knowledge(),
            side: self.paths.side,
            tag: self.paths.tag,
            asked: self.paths.asked.len(),
            site,
            log: self.core.memory.begin_log(),
        };
        self.meetings.open.push(open);
    }

    /// A path of the pending test (`open` none), or of one whose paths go on, waits at the next point.
    pub(crate) fn path_waits(&mut self, open: Option<usize>, id: u64, bytes: &[u8]) -> bool {
        let Some(mut results) = self.take_over(bytes).filter(|r| !r.is_empty()) else { return false };
        let result = results.remove(0);
        self.paths.sections[0].results.append(&mut results);
        let waiting = Waiting { id, result };
        match open.and_then(|n| self.meetings.open.get_mut(n)) {
            Some(open) => match open.paths.iter_mut().find(|p| p.id == id) {
                Some(path) => *path = waiting,
                None => open.paths.push(waiting),
            },
            None => self.meetings.waiting.push(waiting),
        }
        true
    }

    /// A path has ended. Where float and real are apart, the others of the test cannot meet without it.
    pub(crate) fn path_has_ended(&mut self, open: Option<usize>, id: u64) {
        let is_sided = match open.and_then(|n| self.meetings.open.get(n)) {
            Some(open) => open.paths.iter().any(|p| p.id == id && p.result.tag.is_some_and(|t| Some(t.0) != open.tag)),
            // The way of this number.
            None => self.choices.get(id as usize).is_some_and(|c| c.tag != self.paths.tag),
        };
        match open.and_then(|n| self.meetings.open.get_mut(n)) {
            Some(open) => {
                open.paths.retain(|p| p.id != id);
                if is_sided {
                    open.at = None;
                }
            }
            None => self.meetings.is_broken |= is_sided,
        }
    }

    pub(crate) fn arrived(&mut self, thread: u32, header: u64, words: &[u64], step: u32) -> Arrival {
        let mut taken = self.threads.remove(&thread).unwrap_or_default();
        self.core.block(&mut taken, (header >> 32) as u32, header as u32, words, Some(step as usize));
        if let Some(begun) = &mut taken.begun {
            begun.steps += 1;
        }
        self.threads.insert(thread, taken);
        self.thread = thread;
        self.meetings.here = None;
        let number = self.core.find(header as u32).and_then(|(module, index)| {
            let block = &self.core.modules[module].code.blocks[index as usize];
            block.steps.get(step as usize).filter(|s| s.kind == Kind::Meet).map(|s| s.detail)
        });
        let frames = self.threads.get(&thread).map_or(&[][..], |t| &t.frames);
        let (Some(number), Some(top)) = (number, frames.last()) else { return Arrival::default() };
        if self.paths.sections.len() > 1 {
            return Arrival::default();
        }
        let Frame { key, module, function, .. } = *top;
        let here = Point { frame: frames.len() - 1, key, module, function, number };
        self.meetings.returns = if number == RETURN { self.returns_of(header as u32) } else { Vec::new() };
        self.meetings.here = Some((here, self.next_point(thread, header as u32, step)));
        let tests = (0..self.meetings.open.len()).rev().filter(|&n| self.meetings.open[n].at == Some(here)).collect();
        let is_awaited = self.meetings.begun.as_ref().is_some_and(|b| b.at == Some(here));
        Arrival { tests, is_awaited }
    }

    /// What a block that ends with a return returns.
    fn returns_of(&self, block: u32) -> Vec<Operand> {
        let Some((module, index)) = self.core.find(block) else { return Vec::new() };
        let code = &self.core.modules[module].code;
        let last = code.blocks[index as usize].steps.last().filter(|s| s.kind == Kind::Return);
        last.and_then(|s| code.lists.get(s.detail as usize)).cloned().unwrap_or_default()
    }

    /// The floats that the function is about to return. The slots that they lie in are not the same at each return.
    fn returned(&mut self) -> Vec<Register<D::Value>> {
        let operands = self.meetings.returns.clone();
        let modules = std::mem::take(&mut self.core.modules);
        let mut all = Vec::new();
        if let Some(thread) = self.threads.get(&self.thread)
            && let Some(top) = thread.frames.last()
        {
            let code = &modules[top.module].code;
            if let Some(joined) = &thread.joined {
                all.extend(joined.iter().flatten().cloned());
            } else {
                all.extend(operands.into_iter().map(|o| self.core.operand(thread, code, o, 0)));
            }
        }
        self.core.modules = modules;
        all
    }

    fn is_return(&self) -> bool {
        self.meetings.here.is_some_and(|(here, _)| here.number == RETURN)
    }

    pub(crate) fn paths_of(&self, open: usize) -> Vec<u64> {
        self.meetings.open.get(open).map_or(Vec::new(), |o| o.paths.iter().map(|p| p.id).collect())
    }

    /// The paths of a test go on from here, and this one does.
    pub(crate) fn go_on_from(&mut self, open: Option<usize>) {
        let next = self.meetings.here.and_then(|(_, next)| next);
        match open {
            Some(n) => {
                if let Some(open) = self.meetings.open.get_mut(n) {
                    open.at = next;
                }
            }
            None => {
                if let Some(begun) = &mut self.meetings.begun {
                    begun.at = next;
                }
            }
        }
    }

    /// Whether this frame's callers have still the floats that they had.
    fn callers_are_same(&self, before: &[Frame<D::Value>]) -> bool {
        let Some(now) = self.threads.get(&self.thread).map(|t| &t.frames) else { return false };
        let below = now.len().saturating_sub(1);
        let same = |a: &Frame<D::Value>, b: &Frame<D::Value>| {
            let registers = a.registers.iter().zip(&b.registers).all(|(x, y)| self.is_same(x, y));
            a.key == b.key && a.function == b.function && a.module == b.module && registers
        };
        before.len() >= below && now[..below].iter().zip(before).all(|(a, b)| same(a, b))
    }

    fn is_same(&self, x: &Option<Register<D::Value>>, y: &Option<Register<D::Value>>) -> bool {
        match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => {
                x.actual.to_bits() == y.actual.to_bits() && self.core.domain.is_same(&x.value, &y.value)
            }
            _ => false,
        }
    }

    /// Slots of the top frame that are not what they were, by number.
    fn changed_slots(&self, before: &[Frame<D::Value>]) -> BTreeSet<u32> {
        let Some(frames) = self.threads.get(&self.thread).map(|t| &t.frames) else { return BTreeSet::new() };
        let Some(top) = frames.last() else { return BTreeSet::new() };
        let was = before.get(frames.len() - 1).filter(|f| f.key == top.key && f.function == top.function);
        let was = |n: usize| was.and_then(|f| f.registers.get(n)).unwrap_or(&None);
        (0..top.registers.len()).filter(|&n| !self.is_same(&top.registers[n], was(n))).map(|n| n as u32).collect()
    }

    /// What this path has, for the process that awaits it here. `None` if nobody could do anything with it.
    pub(crate) fn waits(&mut self, look: &mut Look<'_>) -> Option<Vec<u8>> {
        let begun = self.meetings.begun.as_ref()?;
        let mut values = Vec::new();
        if self.callers_are_same(&begun.frames) {
            values.push((Key::Fits, Vec::new()));
        }
        let frames = begun.frames.clone();
        if self.is_return() {
            for (n, register) in self.returned().iter().enumerate() {
                values.push((
                    Key::Slot(n as u32),
                    entry(register.actual.to_bits(), &self.core.domain.pack(&register.value)),
                ));
            }
        } else {
            let top = self.threads.get(&self.thread)?.frames.last()?;
            for n in self.changed_slots(&frames) {
                let packed = top.registers[n as usize].as_ref();
                let packed = packed.map(|r| entry(r.actual.to_bits(), &self.core.domain.pack(&r.value)));
                values.push((Key::Slot(n), packed.unwrap_or_default()));
            }
        }
        for (at, old) in self.core.memory.changed_since(0) {
            let cell = self.core.memory.cell(at).or(old.as_ref());
            let Some(format) = cell.map(|c| c.format) else { continue };
            let (bits, packed) = self.float_at(None, at, format, look);
            values.push((Key::Cell(at, format.store_bytes() as u8), entry(bits, &packed)));
        }
        Some(self.result(values))
    }

    /// The float of the own process there.
    fn float_at(&mut self, _: Option<u64>, at: u64, format: Precision, look: &mut Look<'_>) -> (u64, Vec<u8>) {
        let raw = look(None, at, format.store_bytes() as usize).unwrap_or(u64::MAX);
        let known = self.core.memory.cell(at).filter(|c| c.format == format);
        let (own, other) =
            (known.map(|c| (bits_of(c.register.actual, format), c.register.value.clone())), self.lifted(raw, format));
        match own {
            Some((Some(bits), value)) if bits == raw => (raw, self.core.domain.pack(&value)),
            Some(_) => (raw, self.core.domain.pack(&self.core.domain.unknown())),
            None => (raw, self.core.domain.pack(&other)),
        }
    }

    /// What nothing is known of is as it is; where some functions have no events, it is not known.
    fn lifted(&mut self, raw: u64, format: Precision) -> D::Value {
        match number_of(raw, format).filter(|_| !self.core.is_partial) {
            Some(x) => self.core.domain.lift(x, 0.0),
            None => self.core.domain.unknown(),
        }
    }

    /// Whether a path that waits is where this one is, but for floats: these words of memory differ.
    pub(crate) fn may_meet(&mut self, open: usize, id: u64, differences: &[Difference]) -> bool {
        let Some(test) = self.meetings.open.get(open) else { return false };
        let Some(path) = test.paths.iter().find(|p| p.id == id) else { return false };
        let later = self.meetings.open[open + 1..].iter();
        let (side, tag) = (self.paths.side, self.paths.tag);
        if !later.clone().all(|o| (o.side, o.tag) == (side, tag)) || !self.callers_are_same(&test.frames) {
            return false;
        }
        let values: BTreeMap<&Key, &Vec<u8>> = path.result.values.iter().map(|(k, v)| (k, v)).collect();
        if !values.contains_key(&Key::Fits) {
            return false;
        }
        let of_other = |at: u64, bytes: u8| values.get(&Key::Cell(at, bytes)).and_then(|e| Source(e).word());
        let is_float = |at: u64, bytes: u8, own: u64, other: u64| {
            let cell = self.core.memory.cell(at);
            let format = if bytes == 4 { Precision::Float } else { Precision::Double };
            let own_is = cell.filter(|c| c.format == format).and_then(|c| bits_of(c.register.actual, format));
            let other_is = of_other(at, bytes);
            (own_is.is_some() || other_is.is_some())
                && own_is.is_none_or(|bits| bits == own)
                && other_is.is_none_or(|bits| bits == other)
        };
        let half = |word: u64, n: u64| word >> (32 * n) & 0xffff_ffff;
        differences.iter().all(|&Difference { at, own, other }| {
            is_float(at, 8, own, other)
                || (0..2).all(|n| {
                    let (own, other) = (half(own, n), half(other, n));
                    own == other || is_float(at + 4 * n, 4, own, other)
                })
        })
    }

    /// Paths that wait for this process, all of them: it is at its end, or has met with another.
    pub(crate) fn all_waiting(&self) -> Vec<u64> {
        self.meetings.open.iter().flat_map(|o| o.paths.iter().map(|p| p.id)).collect()
    }
}

/// A value's bits in memory, and what is known of it.
fn entry(bits: u64, packed: &[u8]) -> Vec<u8> {
    let mut sink = Sink::default();
    sink.word(bits);
    sink.0.extend_from_slice(packed);
    sink.0
}

fn bits_of(x: f64, format: Precision) -> Option<u64> {
    match format {
        Precision::Float => Some(u64::from((x as f32).to_bits())),
        Precision::Double => Some(x.to_bits()),
        _ => None,
    }
}

fn number_of(bits: u64, format: Precision) -> Option<f64> {
    match format {
        Precision::Float => Some(f64::from(f32::from_bits(bits as u32))),
        Precision::Double => Some(f64::from_bits(bits)),
        _ => None,
    }
}
