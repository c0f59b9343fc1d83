//! Whether a code table means something: checked once, whole, when it is read, so that nobody who walks it has to.
//!
//! A table says how much is made of it: a step of few bytes has as many instructions as lanes, a call passes as many
//! registers as its list names. [`Size`] counts that, and limits it in proportion to the table's own length.

use super::{
    Arith, Block, CHOICE, Callee, Code, CodeError, Edge, Function, Kind, LIVE, Move, Operand, SIGN, Source, Step,
};
use crate::Precision;
use crate::site::{NONE, Op};

/// How long tables are, and how much is made of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Of 4 bytes, in the file.
    pub words: u64,
    /// Lanes of steps and of edges, registers that calls and returns pass, slots of functions.
    pub lanes: u64,
}

impl Size {
    /// What any program may have: some functions on very long vectors.
    const FREE_LANES: u64 = 1 << 16;
    /// A step has 10 words, so the average step may have 80 lanes.
    const LANES_A_WORD: u64 = 8;
    /// No program has more.
    const MOST_LANES: u64 = 1 << 26;

    /// Whether there are no more lanes than the words explain.
    pub fn is_sound(self) -> bool {
        let most = Size::FREE_LANES + Size::LANES_A_WORD.saturating_mul(self.words);
        self.lanes <= most.min(Size::MOST_LANES)
    }

    pub fn plus(self, other: Size) -> Size {
        Size { words: self.words + other.words, lanes: self.lanes.saturating_add(other.lanes) }
    }
}

impl Code {
    /// Whether the sites, names and functions that the code speaks of are in the site table.
    pub fn fits(&self, sites: &crate::table::Table) -> bool {
        let steps = || self.blocks.iter().flat_map(|b| &b.steps);
        let within = |index: u32, len: usize| (index as usize) < len;
        self.functions.iter().all(|f| within(f.site_function, sites.functions.len()))
            && steps().all(|s| s.site == NONE || within(s.site, sites.sites.len()))
            && self.calls.iter().all(|c| match c.callee {
                Callee::Named(name) => within(name, sites.strings.len()),
                _ => true,
            })
    }

    pub fn size(&self) -> Size {
        let lists = self.lists.iter().map(|list| 1 + list.len());
        let calls = self.calls.iter().map(|call| 3 + call.arguments.len());
        let fixed = 3 * self.functions.len() + 5 * self.constants.len() + calls.sum::<usize>() + lists.sum::<usize>();
        let slots = self.functions.iter().map(|f| u64::from(f.slots)).sum();
        let start = Size { words: fixed as u64, lanes: slots };
        self.blocks.iter().map(|block| self.block_size(block)).fold(start, Size::plus)
    }

    fn block_size(&self, block: &Block) -> Size {
        let moves = || block.edges.iter().flat_map(|edge| &edge.moves);
        let words = 6 + 2 * block.edges.len() + 3 * moves().count() + 10 * block.steps.len();
        let moved: u64 = moves().map(|m| u64::from(m.lanes)).sum();
        let made: u64 = block.steps.iter().map(|step| u64::from(step.lanes)).sum();
        let passed: u64 = block.steps.iter().map(|step| self.passed(step).map_or(0, |list| list.len() as u64)).sum();
        Size { words: words as u64, lanes: moved + made + passed }
    }

    /// What a step passes to a callee, or back; `None` if it names a list that is not there.
    fn passed(&self, step: &Step) -> Option<&[Operand]> {
        match step.kind {
            Kind::Call => Some(&self.calls.get(step.detail as usize)?.arguments),
            Kind::Return => Some(self.lists.get(step.detail as usize)?),
            _ => Some(&[]),
        }
    }

    /// Checks everything that can be wrong in a table by itself; the reader's last step, and a test's for tables made by
    /// hand.
    pub fn validate(&self) -> Result<(), CodeError> {
        // First: what follows takes as long as there are lanes.
        let size = self.size();
        if !size.is_sound() {
            return Err(CodeError::TooLarge { lanes: size.lanes });
        }
        for block in &self.blocks {
            let function = self.functions.get(block.function as usize);
            let function = function.ok_or(CodeError::Corrupt { what: "a block of a function that is not there" })?;
            block.edges.iter().try_for_each(|edge| self.check_edge(edge, function))?;
            block.steps.iter().try_for_each(|step| self.check_step(step, block, function))?;
        }
        let is_there = |call: &super::Call| match call.callee {
            Callee::Here(index) => (index as usize) < self.functions.len(),
            _ => true,
        };
        if !self.calls.iter().all(is_there) {
            return Err(CodeError::Corrupt { what: "a call of a function that is not there" });
        }
        Ok(())
    }

    fn check_edge(&self, edge: &Edge, function: &Function) -> Result<(), CodeError> {
        if edge.from as usize >= self.blocks.len() {
            return Err(CodeError::Corrupt { what: "an edge from a block that is not there" });
        }
        let fits = |m: &Move| m.lanes > 0 && has_slots(m.to, m.lanes, function) && self.has(m.from, m.lanes, function);
        if !edge.moves.iter().all(fits) {
            return Err(CodeError::Corrupt { what: "an edge moves slots that are not there" });
        }
        // They happen at once, so each slot gets one value.
        let mut written: Vec<(u32, u32)> = edge.moves.iter().map(|m| (m.to, m.lanes)).collect();
        written.sort_unstable();
        if written.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
            return Err(CodeError::Corrupt { what: "an edge moves two values to one slot" });
        }
        Ok(())
    }

    fn check_step(&self, step: &Step, block: &Block, function: &Function) -> Result<(), CodeError> {
        let lanes = u32::from(step.lanes);
        if lanes == 0 {
            return Err(CodeError::Corrupt { what: "a step without lanes" });
        }
        let slots = (step.result == NONE || has_slots(step.result, lanes, function))
            && step.args.iter().all(|&a| self.has(a, lanes, function));
        if !slots {
            return Err(CodeError::Corrupt { what: "a step names slots that are not there" });
        }
        let within = |at: u32, words: u32| at == NONE || at.checked_add(words).is_some_and(|end| end <= block.words);
        if !within(step.word, step.recorded_words()) || !within(step.place, step.place_words()) {
            return Err(CodeError::Corrupt { what: "a step names words outside its record" });
        }
        let integer = u32::try_from(step.offset).ok().filter(|_| step.kind == Kind::ByAddress);
        if integer.is_some_and(|at| !within(at, 1)) {
            return Err(CodeError::Corrupt { what: "a step names an integer outside its record" });
        }
        if !self.passed(step).is_some_and(|list| list.iter().all(|&o| self.has(o, 1, function))) {
            return Err(CodeError::Corrupt { what: "a call or return of slots that are not there" });
        }
        step.check_fields()
    }

    fn has(&self, operand: Operand, lanes: u32, function: &Function) -> bool {
        match operand.source() {
            Source::Slot(first) => has_slots(first, lanes, function),
            Source::Constant(first) => first as usize + lanes as usize <= self.constants.len(),
            Source::Nothing => true,
        }
    }
}

fn has_slots(first: u32, lanes: u32, function: &Function) -> bool {
    first.checked_add(lanes).is_some_and(|end| end <= function.slots)
}

impl Step {
    /// Whether the fields that the kind needs are there and have a meaning.
    fn check_fields(&self) -> Result<(), CodeError> {
        let detail = match self.kind {
            Kind::Arith => u8::try_from(self.detail).is_ok_and(|d| Arith::from_u8(d).is_some()),
            Kind::Function => (self.detail as usize) < crate::libm::FUNCTIONS.len(),
            Kind::Complex => (self.detail as usize) < crate::libm::FUNCTIONS.len() && self.lanes == 2,
            Kind::Convert => u8::try_from(self.detail).is_ok_and(|d| Precision::from_u8(d).is_some()),
            Kind::Compare => matches!(self.detail & !15, 0 | CHOICE | SIGN),
            Kind::ToInteger => u8::try_from(self.detail).ok().and_then(Op::from_u8).is_some_and(Op::steps),
            Kind::Decide if self.detail < crate::code::TO_INTEGER => {
                self.detail < 16 || self.detail == crate::code::BITS
            }
            Kind::Decide => {
                let op = u8::try_from(self.detail - crate::code::TO_INTEGER).ok().and_then(Op::from_u8);
                op.is_some_and(|op| op.converts() || op.rounds() && op != Op::Logb)
            }
            Kind::Value => self.detail <= LIVE,
            Kind::FromInteger | Kind::Select | Kind::Store => self.detail < 2,
            // The number of the first of so many lanes.
            Kind::Parameter | Kind::Result | Kind::ByAddress => {
                self.detail.checked_add(u32::from(self.lanes)).is_some()
            }
            // Lists were looked up; a request that nobody knows is none.
            Kind::Call | Kind::Return | Kind::Request => true,
            Kind::Move | Kind::Load | Kind::Gather | Kind::Scatter | Kind::Copy | Kind::Check | Kind::Meet => true,
        };
        let complete = detail
            && (!self.kind.needs_result() || self.result != NONE)
            && (!self.kind.needs_word() || self.word != NONE)
            && (!self.kind.needs_place() || self.place != NONE);
        if complete { Ok(()) } else { Err(CodeError::Corrupt { what: "a step lacks a field" }) }
    }
}

impl Kind {
    fn needs_result(self) -> bool {
        use Kind::*;
        match self {
            Value | Parameter | Arith | Function | Convert | FromInteger | Select | Move | Load | Gather | Result
            | ByAddress | Complex => true,
            ToInteger | Compare | Decide | Meet | Store | Scatter | Copy | Check | Call | Return | Request => false,
        }
    }

    fn needs_word(self) -> bool {
        use Kind::*;
        matches!(self, Value | Parameter | Function | Complex | FromInteger | Load | Gather | Result | ByAddress)
    }

    fn needs_place(self) -> bool {
        use Kind::*;
        matches!(self, Select | Load | Store | Gather | Scatter | Copy | ByAddress)
    }
}
