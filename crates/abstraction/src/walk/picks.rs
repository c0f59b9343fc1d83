//! Vectors of comparisons that choose one of two floats in each lane. No process follows a lane: where it can go several
//! ways, what it chooses is joined at once.

use super::{Core, Tested};
use crate::domain::{Domain, Packed, Ways};
use crate::frames::{Picking, Register, Thread};
use nonius_abi::Precision;
use nonius_abi::code::{Code, Kind};
use nonius_abi::site::NONE;
use nonius_zonotope::{Flow, Side};

/// What a lane is if the comparison goes one way.
struct Left {
    tag: Option<(u64, Side)>,
    knowledge: Vec<u8>,
    value: Vec<u8>,
}

impl<D: Domain> Core<D> {
    /// Whether all that the comparison of a site does is choosing floats.
    pub(super) fn picks(&mut self, module: usize, code: &Code, site: u32) -> bool {
        let all = self.picking.entry(module).or_insert_with(|| {
            let steps = code.blocks.iter().flat_map(|block| &block.steps);
            steps.filter(|s| s.kind == Kind::Select && s.site != NONE).map(|s| s.site).collect()
        });
        all.contains(&site) && !D::IS_ESTIMATE
    }

    /// A lane is compared.
    pub(super) fn picks_lane(&mut self, thread: &mut Thread<D::Value>, tested: Tested<D::Value>, lane: u32) {
        if self.is_off {
            return;
        }
        let flows = match self.domain.ways(&tested.test(), self.side) {
            // Another way than the program's, which its own lane does not have.
            Ways::One(Some(only)) => vec![Flow { float: only, real: only }],
            Ways::Several(flows) => {
                self.saw_unstable(&tested, &flows, true);
                flows
            }
            Ways::One(None) | Ways::Unknown => return self.came_to(thread, &tested),
        };
        let Some(top) = thread.frames.last_mut() else { return };
        let key = (tested.site, lane);
        match flows[..] {
            [flow] if flow.float == tested.outcome() => _ = top.picks.remove(&key),
            _ => _ = top.picks.insert(key, Picking { tested, flows }),
        }
    }

    /// What a lane chooses that can go several ways.
    pub(super) fn picked(
        &mut self,
        picking: &Picking<D::Value>,
        both: &[Register<D::Value>; 2],
        actual: f64,
        format: Precision,
    ) -> Register<D::Value> {
        let Picking { tested, flows } = picking;
        let before = self.domain.knowledge();
        let mut left: Vec<Left> = Vec::new();
        for (n, &flow) in (1..).zip(flows) {
            self.domain.set_knowledge(&before);
            if !self.domain.learn(&tested.test(), flow, self.side) {
                continue;
            }
            let of = |domain: &D, outcome: i64| domain.pack(&both[usize::from(outcome == 0)].value);
            if flow.float == flow.real {
                let value = of(&self.domain, flow.float);
                left.push(Left { tag: None, knowledge: self.domain.knowledge(), value });
                continue;
            }
            for (side, outcome) in [(Side::Float, flow.float), (Side::Real, flow.real)] {
                let knowledge = self.domain.knowledge_of(side);
                left.push(Left { tag: Some((n, side)), knowledge, value: of(&self.domain, outcome) });
            }
        }
        self.domain.set_knowledge(&before);
        let packed = left.iter().map(|l| Packed { tag: l.tag, knowledge: &l.knowledge, value: &l.value });
        let joined = self.domain.join(&packed.collect::<Vec<_>>(), format, tested.site);
        let value = joined.filter(|joined| !joined.is_partial).map(|joined| joined.value);
        Register { actual, value: value.unwrap_or_else(|| self.domain.unknown()) }
    }
}
