//! What all threads of the machine share: the oracle, shadow memory, the trail, and what the checks keep.

use crate::checks::constants::Constants;
use crate::checks::found::Founds;
use crate::checks::nonfinite::Origins;
use crate::checks::requests::Asked;
use crate::checks::roots::Roots;
use crate::checks::stages::Stages;
use crate::checks::statistics::Statistics;
use crate::lost::Lost;
use crate::memory::Memory;
use crate::options::Options;
use crate::program::Insn;
use crate::register::{Known, UNKNOWN, one_more};
use crate::trail::Trail;
use nonius_abi::Precision;
use nonius_abi::site::{NONE, Observed, Op, mark};
use nonius_abi::table::Table;
use nonius_oracle::Oracle;
use std::collections::HashMap;

/// What the machine needs of a site while it walks.
#[derive(Clone, Copy, Debug)]
pub struct SiteKind {
    pub op: Op,
    pub precision: Precision,
    pub observed: Observed,
    pub module: u32,
    /// The operation has a line of the source.
    pub has_line: bool,
    /// Of a sum: it leaves a result (`mark::RESULT`).
    pub is_result: bool,
}

/// Who may have how much of the machine's memory: all that grows with the run.
///
/// Beside it lies what the program's size fixes: its tables and instructions, statistics a site, and a few hundred
/// kilobytes of tables for addresses.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    pub memory: u64,
    pub stacks: u64,
    pub founds: u64,
    pub stages: u64,
    pub trail_nodes: u64,
}

impl Shares {
    pub fn of(most_bytes: u64) -> Shares {
        let part = most_bytes / 32;
        Shares {
            memory: most_bytes - 8 * part,
            stacks: 4 * part,
            founds: part,
            stages: part,
            // No more than stays in a core's cache: every operation writes there.
            trail_nodes: (2 * part / 40).clamp(1 << 10, 1 << 16),
        }
    }
}

#[derive(Debug)]
pub struct Core<O: Oracle> {
    pub oracle: O,
    /// The last request of each thread that waits for an answer.
    pub asked: HashMap<u32, Asked>,
    pub options: Options,
    /// The limits below which a value needs no closer look, by format.
    pub filter: [f64; 6],
    pub memory: Memory<O::Shadow>,
    pub trail: Trail,
    /// A shadow on its way to a register.
    pub scratch: O::Shadow,
    pub sites: Vec<SiteKind>,
    pub statistics: Statistics,
    pub founds: Founds,
    pub roots: Roots,
    pub constants: Constants,
    pub origins: Origins,
    pub stages: Stages,
    /// The program asked not to analyse what follows.
    pub is_off: bool,
    /// Results from this depth on are not measured the usual way: unknown ones, and all while the analysis is off or a
    /// stage is open.
    pub deepest: u32,
    /// Some functions do not record: memory that nothing is known of may be theirs.
    pub is_partial: bool,
    /// By function: whether it ran.
    pub functions_run: Vec<bool>,
    pub operations: u64,
    /// Operations whose shadow began anew, for want of an evaluation.
    pub restarted: u64,
    pub lost: Lost,
    pub loads: u64,
    /// Loads of what nothing was held for.
    pub loads_restarted: u64,
}

impl<O: Oracle> Core<O> {
    /// `shadow_bytes`: what a shadow takes on the heap.
    pub fn new(oracle: O, options: Options, shadow_bytes: u64) -> Core<O> {
        let shares = Shares::of(options.most_bytes);
        Core {
            memory: Memory::new(shares.memory, shadow_bytes),
            trail: Trail::new(shares.trail_nodes as usize),
            scratch: oracle.variable(),
            asked: HashMap::new(),
            sites: Vec::new(),
            statistics: Statistics::default(),
            founds: Founds::new(shares.founds),
            roots: Roots::default(),
            constants: Constants::default(),
            origins: Origins::default(),
            stages: Stages::new(shares.stages),
            is_off: false,
            deepest: UNKNOWN,
            is_partial: false,
            functions_run: Vec::new(),
            operations: 0,
            restarted: 0,
            lost: Lost::default(),
            loads: 0,
            loads_restarted: 0,
            filter: options.limits.filter(),
            options,
            oracle,
        }
    }

    pub fn add_sites(&mut self, table: &Table, module: u32) {
        let has_line = |at: u32| table.loc(at).is_some_and(|loc| loc.line != 0);
        self.sites.extend(table.sites.iter().map(|s| SiteKind {
            op: s.op,
            precision: s.precision,
            observed: s.observed,
            module,
            has_line: has_line(s.at),
            is_result: s.marks & mark::RESULT != 0,
        }));
        self.statistics.grow(self.sites.len());
    }

    /// What is known of a result `z` whose shadow is in `scratch`.
    #[inline(always)]
    pub fn measured(&mut self, insn: &Insn, z: f64, operands: [&Known; 3], is_sum: bool) -> Known {
        self.operations += 1;
        if !O::MEASURES {
            return Known::outside(z);
        }
        let [x, y, c] = operands;
        let depth = one_more(x.depth.max(y.depth).max(c.depth));
        if depth >= UNKNOWN {
            return self.unknown(insn, z);
        }
        if self.is_off {
            self.oracle.restart(&mut self.scratch, z);
            return Known::outside(z);
        }
        let residue = self.oracle.residue(&self.scratch, z);
        if self.stages.is_open {
            self.stages.saw(insn.site, z, residue);
        }
        let mut cancelled = x.cancelled.max(y.cancelled).max(c.cancelled);
        let bad = self.statistics.add(insn, z, residue, &operands, is_sum);
        if bad > 0 {
            cancelled = cancelled.max(u64::from(bad) << 32 | u64::from(insn.site));
        }
        // NaN if an operand is infinite or NaN.
        let probe = x.value * 0.0 + y.value * 0.0 + c.value * 0.0;
        if !z.is_finite() || probe.is_nan() {
            self.not_finite(insn, z, &operands);
        }
        let node = if residue != 0.0 || !z.is_finite() || x.node | y.node | c.node != 0 {
            self.trail.push(insn.site, [x.node, y.node, c.node], z, residue)
        } else {
            0
        };
        Known { value: z, residue, node, cancelled, site: insn.site, depth }
    }

    /// Of operands that events were missing for. A recorded result is known again.
    #[cold]
    fn unknown(&mut self, insn: &Insn, z: f64) -> Known {
        if insn.word == NONE {
            return Known::NOTHING;
        }
        self.oracle.restart(&mut self.scratch, z);
        Known::outside(z)
    }
}
