//! How much of what ran was shadowed, from the site tables: counted in the code of the functions
//! that ran, not by the number of times that they did.
//!
//! A call that leaves its object counts as lost in the table. Where another object defines the
//! function, instrumented, its shadows do pass, so it is taken off the list here.

use crate::demangle::demangle;
use crate::exit::Tables;
use crate::sites;
use nonius_finding::{Counted, Coverage, Summary};
use std::collections::{HashMap, HashSet};

/// Adds up the functions that ran.
pub fn summary(tables: &mut Tables, findings: u64, suppressed: u64) -> Summary {
    let mut coverage = Coverage::default();
    let mut checks = 0;
    let mut unknown: HashMap<String, u64> = HashMap::new();
    let instrumented = instrumented_functions(tables);
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
            for (name, count) in lost.map(|&(name, count)| (table.string(name), u64::from(count))) {
                if instrumented.contains(name) {
                    coverage.calls_shadowed += count;
                } else {
                    *unknown.entry(demangle(name)).or_default() += count;
                }
            }
        }
    }
    coverage.unknown = unknown.into_iter().map(|(name, count)| Counted { name, count }).collect();
    coverage.unknown.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    Summary { findings, suppressed, checks, operations: coverage.operations, coverage }
}

/// The linkage names of all functions that are instrumented.
fn instrumented_functions(tables: &mut Tables) -> HashSet<String> {
    let mut names = HashSet::new();
    for module in sites::modules() {
        if let Some(table) = tables.of(module) {
            names.extend(table.functions.iter().map(|f| table.string(f.name).to_owned()));
        }
    }
    names
}
