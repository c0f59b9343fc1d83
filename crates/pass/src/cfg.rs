//! The order of blocks and which block dominates which, before the pass splits any.
//! Dominators after Cooper, Harvey and Kennedy: iterate over reverse post-order until stable.

use crate::llvm::{Block, Opcode, Value};
use std::collections::{HashMap, HashSet};

#[derive(Debug)]
pub struct Cfg {
    /// Reachable blocks in reverse post-order, the entry first.
    pub order: Vec<Block>,
    index: HashMap<Block, usize>,
    /// Immediate dominator of each block; the entry's is itself.
    idom: Vec<usize>,
    /// Whether each block lies between the ends of an edge that leads back, which every block of a loop does, or the
    /// function calls itself.
    in_loop: Vec<bool>,
}

impl Cfg {
    pub fn of(function: Value) -> Cfg {
        let order = reverse_post_order(function.blocks()[0]);
        let index: HashMap<Block, usize> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        let mut predecessors = vec![Vec::new(); order.len()];
        for (i, block) in order.iter().enumerate() {
            for successor in block.successors() {
                predecessors[index[&successor]].push(i);
            }
        }
        let idom = immediate_dominators(&predecessors);
        let mut in_loop = vec![calls_itself(function); order.len()];
        for (head, sources) in predecessors.iter().enumerate() {
            if let Some(&last) = sources.iter().max().filter(|&&last| last >= head) {
                in_loop[head..=last].fill(true);
            }
        }
        Cfg { order, index, idom, in_loop }
    }

    pub fn is_in_loop(&self, block: usize) -> bool {
        self.in_loop[block]
    }

    pub fn index(&self, block: Block) -> Option<usize> {
        self.index.get(&block).copied()
    }

    /// The nearest block that all ways from each to a return come to; ways that end otherwise do not count.
    pub fn post_dominators(&self) -> HashMap<Block, Block> {
        let mut to: HashMap<Block, Vec<Block>> = HashMap::new();
        for &block in &self.order {
            block.successors().into_iter().for_each(|next| to.entry(next).or_default().push(block));
        }
        let returns = |b: &&Block| b.terminator().is_some_and(|t| t.is(Opcode::LLVMRet));
        let ends: Vec<Block> = self.order.iter().filter(returns).copied().collect();
        // From behind all returns, against the edges.
        let mut order = post_order(&ends, |block| to.get(&block).cloned().unwrap_or_default());
        order.reverse();
        let index: HashMap<Block, usize> = order.iter().enumerate().map(|(n, &b)| (b, n + 1)).collect();
        let mut after = vec![Vec::new()];
        for &block in &order {
            let mut next: Vec<usize> = block.successors().iter().filter_map(|b| index.get(b).copied()).collect();
            if next.is_empty() {
                next.push(0);
            }
            after.push(next);
        }
        let nearest = immediate_dominators(&after);
        let of = |n: usize| (nearest[n + 1] > 0).then(|| order[nearest[n + 1] - 1]);
        (0..order.len()).filter_map(|n| Some((order[n], of(n)?))).collect()
    }

    /// The blocks that dominate `block`, from itself up to the entry.
    pub fn dominators(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = Some(block);
        std::iter::from_fn(move || {
            let here = at?;
            at = (self.idom[here] != here).then(|| self.idom[here]);
            Some(here)
        })
    }
}

fn calls_itself(function: Value) -> bool {
    let calls = |user: &Value| user.is(Opcode::LLVMCall) || user.is(Opcode::LLVMInvoke);
    let is_own = |user: &Value| calls(user) && user.callee() == function && user.block().function() == function;
    function.users().iter().any(is_own)
}

fn reverse_post_order(entry: Block) -> Vec<Block> {
    let mut order = post_order(&[entry], Block::successors);
    order.reverse();
    order
}

/// All blocks that `next` leads to, each behind those that it leads to.
fn post_order(starts: &[Block], next: impl Fn(Block) -> Vec<Block>) -> Vec<Block> {
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    for &start in starts {
        let mut stack = Vec::new();
        if seen.insert(start) {
            stack.push((start, next(start)));
        }
        while let Some((block, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(to) => {
                    if seen.insert(to) {
                        stack.push((to, next(to)));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order
}

fn immediate_dominators(predecessors: &[Vec<usize>]) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut idom = vec![UNKNOWN; predecessors.len()];
    idom[0] = 0;
    let meet = |idom: &[usize], mut a: usize, mut b: usize| {
        while a != b {
            while a > b {
                a = idom[a];
            }
            while b > a {
                b = idom[b];
            }
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..predecessors.len() {
            let known = predecessors[block].iter().copied().filter(|&p| idom[p] != UNKNOWN);
            let new = known.reduce(|a, b| meet(&idom, a, b)).unwrap_or(0);
            if idom[block] != new {
                idom[block] = new;
                changed = true;
            }
        }
    }
    idom
}
