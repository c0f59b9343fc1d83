//! Where registers are: neighbours, if they are done at once.
//!
//! While a function is put together, its registers have names: slots their numbers, constants those from [`CONSTANT`]
//! on. A slot that should be a neighbour of others, and is not one for another reason already, moves to a place behind
//! the slots. In the end ([`Places::offset`]) all become offsets in the frame: slots, places, scratch, constants.

use std::collections::{HashMap, HashSet};

/// Names of constants begin here; no function has so many slots.
pub const CONSTANT: u32 = 1 << 30;

#[derive(Debug, Default)]
pub struct Places {
    slots: u32,
    /// Where slots have moved to, counted from the last slot on.
    moved: HashMap<u32, u32>,
    count: u32,
    /// Slots that are to stay.
    fixed: HashSet<u32>,
}

/// Four registers, as an operation on them sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// One, four times.
    Same,
    Neighbours,
    /// They can be made neighbours.
    Free,
}

impl Places {
    pub fn new(slots: u32) -> Places {
        Places { slots, ..Places::default() }
    }

    pub fn keep(&mut self, register: u32) {
        self.fixed.insert(register);
    }

    pub fn row(&self, four: [u32; 4]) -> Option<Row> {
        let [first, ..] = four;
        if four.iter().all(|&register| register == first) {
            return Some(Row::Same);
        }
        let are_neighbours = |at: [u32; 4]| (at[0]..).zip(at).all(|(wanted, at)| at == wanted);
        let [a, b, c, d] = four.map(|register| self.moved.get(&register).copied());
        match (a, b, c, d) {
            (Some(a), Some(b), Some(c), Some(d)) => are_neighbours([a, b, c, d]).then_some(Row::Neighbours),
            (None, None, None, None) if are_neighbours(four) => Some(Row::Neighbours),
            (None, None, None, None) => self.are_free(four).then_some(Row::Free),
            _ => None,
        }
    }

    fn are_free(&self, four: [u32; 4]) -> bool {
        let is_free = |register: u32| register < CONSTANT && !self.fixed.contains(&register);
        four.iter().enumerate().all(|(i, &register)| is_free(register) && !four[..i].contains(&register))
    }

    /// Four registers are to stay, or become, what an operation on them sees.
    pub fn assign(&mut self, row: Row, four: [u32; 4]) {
        for register in four {
            match row {
                Row::Same => {}
                Row::Neighbours => self.keep(register),
                Row::Free => {
                    self.moved.insert(register, self.count);
                    self.count += 1;
                }
            }
        }
    }

    /// Slots and places.
    pub fn size(&self) -> u32 {
        self.slots + self.count
    }

    pub fn offset(&self, register: u32) -> u32 {
        match self.moved.get(&register) {
            Some(at) => self.slots + at,
            None if register >= CONSTANT => self.size() + 1 + (register - CONSTANT),
            None => register,
        }
    }
}
