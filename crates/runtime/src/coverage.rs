//! How much of what ran was shadowed, from the site tables: counted in the code of the functions
//! that ran, not by the number of times that they did.

use crate::exit::Tables;
use crate::sites;
use nonius_finding::{Counted, Coverage, Summary};
use std::collections::HashMap;

/// Adds up the functions that ran.
pub fn summary(tables: &mut Tables, findings: u64, suppressed: u64) -> Summary {
    let mut coverage = Coverage::default();
    let mut checks = 0;
    let mut unknown: HashMap<String, u64> = HashMap::new();
    for module in sites::modules() {
        let Some(table) = tables.of(module) else { continue };
        let ran = module.ran();
        let in_run = |function: u32| ran.get(function as usize) == Some(&true);
        coverage.sites += table.sites.iter().filter(|site| in_run(site.function)).count() as u64;
        for (f, _) in table.functions.iter().zip(&ran).filter(|(_, ran)| **ran) {
            coverage.functions_run += 1;
            coverage.operations += u64::from(f.operations);
            coverage.operations_shadowed += u64::from(f.operations_shadowed);
            coverage.calls += u64::from(f.calls);
            coverage.calls_shadowed += u64::from(f.calls_shadowed);
            checks += u64::from(f.checks);
            let lost = table.lost.iter().skip(f.lost_start as usize).take(f.lost_count as usize);
            for &(name, count) in lost {
                *unknown.entry(crate::demangle::demangle(table.string(name))).or_default() += u64::from(count);
            }
        }
    }
    coverage.unknown = unknown.into_iter().map(|(name, count)| Counted { name, count }).collect();
    coverage.unknown.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    Summary { findings, suppressed, checks, operations: coverage.operations, coverage }
}
