//! Findings of an abstract execution: tests that go several ways, and values that lose their digits.

use super::{Lost, Observed, Places, READ};
use nonius_abi::site::Site;
use nonius_abi::table::Table;
use nonius_finding::{Example, Finding, ForInputs, Kind, Location, ObservedAt, Operand, Severity, Worst};
use nonius_numerics::{Error, Precision};
use nonius_verdict::describe::{self, observed_at};

impl Places<'_> {
    pub fn unstable(&self, observed: &Observed) -> Vec<Finding> {
        let found = observed.unstable.iter().filter_map(|(&site, unstable)| {
            // What makes no difference to any result is no finding.
            if unstable.is_explored && unstable.jump == 0.0 {
                return None;
            }
            let (location, operation) = self.of_site(site)?;
            let mut worst = Worst::new(unstable.outcome as f64, unstable.other as f64, Precision::Double);
            worst.radius = unstable.is_explored.then_some(unstable.jump);
            let operands = unstable.operands.map(|x| Operand::new(x, x));
            worst.operands = operands[..operands_of(unstable.is_cast)].to_vec();
            let at = if unstable.is_cast { ObservedAt::Cast } else { ObservedAt::Branch };
            let mut finding = Finding::new(Kind::UnstableBranch, at, location, &operation, worst);
            finding.count = unstable.count;
            let example = unstable.example.clone().map(|e| self.placed(e));
            let count = operands_of(unstable.is_cast);
            let operands = if example.is_some() { Vec::new() } else { unstable.ranges[..count].to_vec() };
            finding.for_inputs = Some(ForInputs { relative_error: None, operands, example });
            Some(finding)
        });
        found.collect()
    }

    pub fn losses(&self, observed: &Observed) -> Vec<Finding> {
        observed.losses.iter().filter_map(|(&site, lost)| self.loss(site, lost)).collect()
    }

    fn loss(&self, number: u32, lost: &Lost) -> Option<Finding> {
        let (table, site) = self.site(number)?;
        let format = site.precision;
        let bits = f64::from(format.bits());
        let worst = match &lost.example {
            Some((seen, _)) => {
                let error = Error::between(seen.value, seen.known_ideal(), seen.known_residue(), format);
                let worst = Worst::new(seen.value, seen.known_ideal(), format).with_radius(seen.radius);
                worst.with_error(error.relative, error.ulps, error.bits_lost)
            }
            None => {
                let lost_bits = (lost.bound.log2() + bits).clamp(0.0, bits);
                Worst::new(f64::NAN, f64::NAN, format).with_error(lost.bound, f64::NAN, lost_bits)
            }
        };
        let (location, operation) = self.of_site(number)?;
        let mut finding = Finding::new(Kind::PrecisionLoss, observed_at(site.observed), location, &operation, worst);
        finding.count = lost.count;
        let seen = describe::seen_at(table, site);
        finding.observed_location = Some(seen).filter(|seen| *seen != finding.location);
        if lost.blamed != number
            && let Some((location, operation)) = self.of_site(lost.blamed)
        {
            finding.goes_back_to(location, &operation);
        }
        let example = lost.example.as_ref().map(|(_, e)| self.placed(e.clone()));
        if example.is_none() {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        finding.for_inputs = Some(ForInputs { relative_error: Some(lost.bound), operands: Vec::new(), example });
        Some(finding)
    }

    /// Inputs that were read have the names of what read them.
    fn placed(&self, mut example: Example) -> Example {
        for input in example.inputs.iter_mut().filter(|i| i.name == READ) {
            let place = self.of_site(input.location.line);
            let (location, name) = place.unwrap_or_else(|| (Location::default(), "what was read".to_owned()));
            (input.location, input.name) = (location, name);
        }
        example
    }

    fn site(&self, number: u32) -> Option<(&Table, &Site)> {
        let module = self.site_bases.partition_point(|&base| base <= number).checked_sub(1)?;
        let table = &self.modules.get(module)?.sites;
        Some((table, table.sites.get((number - self.site_bases[module]) as usize)?))
    }
}

/// Operands of a conversion, or of a comparison.
fn operands_of(is_cast: bool) -> usize {
    if is_cast { 1 } else { 2 }
}
