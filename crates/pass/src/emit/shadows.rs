//! Which shadow a float has, and where.

use crate::cfg::Cfg;
use crate::fp::Leaf;
use crate::llvm::{Opcode, Value};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// The value is its own ideal: constants, integers, and what restarted.
    Exact,
    /// The residue or the wide ideal, as the format's family says.
    Known(Value),
}

/// A shadow phi whose incoming values are filled in when all shadows are there.
pub struct PendingPhi {
    pub phi: Value,
    pub leaf: Leaf,
    pub index: usize,
    pub shadow: Value,
    /// The program's incoming values, with the block they come from as it was before splitting.
    pub incoming: Vec<(Value, Option<usize>)>,
}

pub struct Shadows {
    pub cfg: Cfg,
    /// What comes into each phi, from which block.
    pub incoming: HashMap<Value, Vec<(Value, Option<usize>)>>,
    pub pending: Vec<PendingPhi>,
    block: usize,
    /// By value and leaf: the shadow from its definition on, and from checks on. The latest
    /// one that dominates the use counts.
    known: HashMap<(Value, usize), Vec<(usize, Shadow)>>,
}

impl Shadows {
    pub fn new(cfg: Cfg) -> Shadows {
        let phis = cfg.order.iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == Opcode::LLVMPHI);
        let sources = |phi: Value| phi.phi_incoming().into_iter().map(|(v, b)| (v, cfg.index(b))).collect();
        let incoming = phis.map(|phi| (phi, sources(phi))).collect();
        Shadows { cfg, incoming, pending: Vec::new(), block: 0, known: HashMap::new() }
    }

    /// Whether a value of the loop's last round comes into the phi.
    pub fn is_loop_phi(&self, phi: Value) -> bool {
        let own = self.cfg.index(phi.block());
        let sources = self.incoming.get(&phi).into_iter().flatten();
        own.is_none() || sources.into_iter().any(|(_, from)| *from >= own)
    }

    /// Whether the block that is emitted may run more than once a call.
    pub fn is_in_loop(&self) -> bool {
        self.cfg.is_in_loop(self.block)
    }

    /// From here on, code of this block is emitted. Returns the one before.
    pub fn enter(&mut self, block: usize) -> usize {
        std::mem::replace(&mut self.block, block)
    }

    pub fn get(&self, value: Value, leaf: usize) -> Shadow {
        self.get_at(value, leaf, self.block)
    }

    /// The shadow that holds at the end of `block` as far as emitted.
    pub fn get_at(&self, value: Value, leaf: usize, block: usize) -> Shadow {
        let Some(entries) = self.known.get(&(value, leaf)) else { return Shadow::Exact };
        // What an invoke gives is not there where it unwinds to, nor where both ways meet.
        if value.is(Opcode::LLVMInvoke) && block != entries[0].0 {
            let target = self.cfg.index(value.normal_dest());
            if target.is_some_and(|target| !self.cfg.dominators(block).any(|at| at == target)) {
                return Shadow::Exact;
            }
        }
        let nearest = |at: usize| entries.iter().rev().find(|(from, _)| *from == at);
        self.cfg.dominators(block).find_map(nearest).map_or(Shadow::Exact, |&(_, shadow)| shadow)
    }

    pub fn set(&mut self, value: Value, leaf: usize, shadow: Shadow) {
        if !value.is_constant() {
            self.known.entry((value, leaf)).or_default().push((self.block, shadow));
        }
    }
}
