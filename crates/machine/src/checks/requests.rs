//! Requests of `nonius.h`.

use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use crate::thread::Stack;
use crate::trail::{Link, Node};
use nonius_abi::Precision;
use nonius_abi::api::Request;
use nonius_abi::site::{NONE, Observed, Op};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{Seen, Verdict};
use std::collections::BTreeMap;

/// What a thread has asked for by `nonius_print` or `nonius_ulps`.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub seen: Seen,
    pub format: Precision,
    pub is_known: bool,
    /// The finding after which its shadow restarted.
    pub restarted_by: Option<Key>,
}

/// What restarts add to the error of a value.
struct Restarts {
    residue: f64,
    /// How far off that may be, as a share of it: nothing without an operation on the way, all of it if one has a slope that
    /// the trail does not tell.
    off: f64,
    /// The largest part, and the order of its finding.
    largest: (f64, usize),
}

/// Operations between a value and the restarts that it goes back to, at most, that are looked through.
const MOST_LINKS: usize = 4096;

/// What a slope is good for where the trail tells it, to first order.
const SLOPE: f64 = 1.0 / 128.0;

impl<O: Oracle> Core<O> {
    /// The shadow goes on from the program's value. What was found stays known by the trail, to those that ask.
    pub fn restart_after(&mut self, key: Key, register: &mut Register<O::Shadow>) {
        let Known { value, residue, .. } = register.known;
        register.restart(value, 0.0, &mut self.oracle);
        if let Some(found) = self.founds.all.get(&key) {
            register.known.node = self.trail.restarted(found.order, value, residue);
        }
    }

    /// What is to be said of a value that goes back to one whose shadow restarted, and the finding after which it did. Its
    /// error is what was found there, times the slopes on the way, to first order, beside its own.
    fn restarted(&self, register: &Register<O::Shadow>) -> Option<(Key, Seen)> {
        if !self.options.resume {
            return None;
        }
        let known = register.known;
        let Restarts { residue, off, largest: (_, order) } = self.restarts_behind(&known)?;
        let key = *self.founds.all.iter().find(|(_, found)| found.order == order)?.0;
        let own = self.seen(register);
        let residue_in_all = own.residue + residue;
        let radius = own.radius + residue.abs() * off;
        Some((key, Seen::by_residue(known.value, residue_in_all, radius)))
    }

    /// Goes back through the trail, from later operations to earlier ones: how far the value moves with each.
    fn restarts_behind(&self, known: &Known) -> Option<Restarts> {
        let mut slopes = BTreeMap::from([(known.node, 1.0)]);
        let mut found = Restarts { residue: 0.0, off: 0.0, largest: (-1.0, 0) };
        for _ in 0..MOST_LINKS {
            let Some((number, slope)) = slopes.pop_last() else { break };
            match self.trail.link(number) {
                None => {}
                Some(Link::Same { number, sign }) => *slopes.entry(number).or_insert(0.0) += sign * slope,
                Some(Link::Restart { order, residue, .. }) => {
                    let part = slope * residue;
                    found.residue += part;
                    if part.abs() > found.largest.0 {
                        found.largest = (part.abs(), order);
                    }
                }
                Some(Link::Node(node)) => {
                    for (place, &operand) in node.operands.iter().enumerate() {
                        let Some(x) = self.value_behind(operand) else { continue };
                        let (by, is_known) = self.slope(&node, place, x);
                        found.off = found.off.max(if is_known { SLOPE } else { 1.0 });
                        *slopes.entry(operand).or_insert(0.0) += by * slope;
                    }
                }
            }
        }
        (found.largest.0 >= 0.0).then_some(found)
    }

    fn value_behind(&self, number: u64) -> Option<f64> {
        match self.trail.link(number)? {
            Link::Node(node) => Some(node.value),
            Link::Restart { value, .. } => Some(value),
            Link::Same { number, sign } => Some(sign * self.value_behind(number)?),
        }
    }

    /// How far the result of a node moves with its operand `x`, and whether that is so for its operation.
    fn slope(&self, node: &Node, place: usize, x: f64) -> (f64, bool) {
        let share = if x == 0.0 { 0.0 } else { node.value / x };
        let Some(site) = self.sites.get(node.site as usize) else { return (share, false) };
        match (site.op, place) {
            (Op::Add | Op::Reduce | Op::Convert | Op::Select | Op::Choice, _) | (Op::Sub, 0) | (Op::Fma, 2) => {
                (1.0, true)
            }
            (Op::Sub, _) | (Op::Neg, _) => (-1.0, true),
            (Op::Mul, _) | (Op::Div, 0) => (share, x != 0.0),
            (Op::Div, _) => (-share, x != 0.0),
            (Op::Sqrt, _) => (0.5 * share, x != 0.0),
            // As if it had the relative error of its operand.
            _ => (share, false),
        }
    }

    #[inline(never)]
    pub fn request(&mut self, stack: &Stack, frame: &mut [Register<O::Shadow>], insn: &Insn) {
        let register = &frame[insn.args[0] as usize];
        let known = register.known;
        match insn.detail {
            d if d == Request::Check as u32 => {
                self.founds.saw(insn.site, known.value, known.residue, known.is_followed());
                if !known.is_known() {
                    return;
                }
                let seen = self.restarted(register).map_or_else(|| self.seen(register), |(_, seen)| seen);
                let (verdict, seen) = self.judged(seen, insn.format, Observed::Api);
                let key = Key { kind: Kind::PrecisionLoss, site: insn.site, blamed: NONE };
                match verdict {
                    Verdict::Clear => {}
                    Verdict::Open => self.leave_open(key, &[register]),
                    Verdict::Found(error) => {
                        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
                        let explain = || crate::blame::slice(trail, sites, statistics, &[known]);
                        self.founds.add(key, error, Sample::of(&seen), stack, explain);
                    }
                }
            }
            d if d == Request::Resume as u32 => {
                let value = known.value;
                frame[insn.out as usize].restart(value, 0.0, &mut self.oracle);
            }
            // The program asks for the answer next.
            _ => {
                let restarted = self.restarted(register);
                let seen = restarted.map_or_else(|| self.seen(register), |(_, seen)| seen);
                let restarted_by = restarted.map(|(key, _)| key);
                let asked = Asked { seen, format: insn.format, is_known: known.is_known(), restarted_by };
                self.asked.insert(self.founds.thread, asked);
            }
        }
    }
}
