//! How much of what ran was shadowed. Operations are counted in the code of the functions that ran, from the site tables;
//! values that came from code without shadows by the program itself, while it ran (`nonius_abi::site::Loss`).
//!
//! Calls that may write floats are counted wherever the callee is known by name alone. Of these, callees in libraries without
//! any instrumented code stay on the list, unless they are the system's own, and so do those inside of an executable or
//! library with instrumented code that Nonius did not compile (see `defined`).

use crate::defined::Defined;
use crate::exit::Tables;
use crate::{by_address, exchange, loaded, sites};
use nonius_abi::site::{self, Function, Observed};
use nonius_abi::table::Table;
use nonius_finding::{Coverage, LeftAlone, LeftAloneFor, Loss, Summary, Unshadowed};
use nonius_verdict::demangle::demangle;
use std::collections::{HashMap, HashSet};

/// Adds up the functions that ran.
pub fn summary(tables: &mut Tables, findings: u64, suppressed: u64) -> Summary {
    let mut coverage = Coverage::default();
    let (mut checks, mut outputs) = (0, 0);
    let instrumented = sites::modules().map(|m| m.file()).collect();
    let mut losses = Losses { instrumented, definers: HashMap::new(), defined: Defined::read() };
    for module in sites::modules() {
        let Some(table) = tables.of(module) else { continue };
        let (ran, lost) = (module.ran(), module.lost());
        let in_run = |function: u32| ran.get(function as usize) == Some(&true);
        let prints = |site: &&site::Site| site.observed == Observed::Output && in_run(site.function);
        outputs += table.sites.iter().filter(prints).count() as u64;
        coverage.sites += table.sites.iter().filter(|site| in_run(site.function)).count() as u64;
        for (f, _) in table.functions.iter().zip(&ran).filter(|(_, ran)| **ran) {
            coverage.functions_run += u64::from(!is_counted_for_its_calls_only(f));
            coverage.operations += u64::from(f.operations);
            coverage.operations_shadowed += u64::from(f.operations_shadowed);
            coverage.calls += u64::from(f.calls);
            coverage.calls_shadowed += u64::from(f.calls_shadowed);
            checks += u64::from(f.checks);
            coverage.folded += u64::from(table.folded(f));
            coverage.left_alone_because(f, table);
            losses.add(&mut coverage, f, table, &lost);
        }
    }
    for (name, object, count) in by_address::counted() {
        coverage.add_unknown(Unshadowed { name: demangle(&name), object, loss: Loss::Result, count });
    }
    exchange::add_restarts(&mut coverage);
    coverage.sort();
    Summary { findings, suppressed, checks, outputs, operations: coverage.operations, coverage, ..Summary::default() }
}

/// Adds to a machine's coverage what events do not tell: which functions were left alone, what functions that do not record
/// have counted, and where callees are.
pub fn add_what_events_lack(coverage: &mut Coverage, by_tables: Coverage) {
    for u in coverage.unknown.iter_mut().filter(|u| u.loss == Loss::Result) {
        u.object = loaded::definer(&u.name).unwrap_or_default();
    }
    coverage.folded += by_tables.folded;
    by_tables.left_alone.into_iter().for_each(|l| coverage.add_left_alone(l));
    by_tables.unknown.into_iter().for_each(|u| coverage.add_unknown(u));
    coverage.sort();
}

trait Reasons {
    fn left_alone_because(&mut self, f: &Function, table: &Table);
}

impl Reasons for Coverage {
    fn left_alone_because(&mut self, f: &Function, table: &Table) {
        let Some(reason) = f.left_alone else { return };
        let reason = match reason {
            site::LeftAlone::Strict => LeftAloneFor::Strict,
            site::LeftAlone::Marked => LeftAloneFor::Marked,
            site::LeftAlone::Option => LeftAloneFor::Option,
            site::LeftAlone::Unsupported => LeftAloneFor::Unsupported,
        };
        self.add_left_alone(LeftAlone { reason, functions: 1, names: vec![demangle(table.string(f.name))] });
    }
}

struct Losses {
    /// File names of objects that have instrumented code; empty for the executable.
    instrumented: HashSet<String>,
    /// The objects of callees, `None` if the loader does not know.
    definers: HashMap<String, Option<String>>,
    defined: Defined,
}

/// Whether a function was compiled without shadows and counts its calls of others.
fn is_counted_for_its_calls_only(f: &Function) -> bool {
    f.operations + f.calls + f.checks == 0 && f.lost_count > 0 && f.left_alone.is_none()
}

impl Losses {
    /// What a function lost.
    fn add(&mut self, coverage: &mut Coverage, f: &Function, table: &Table, counts: &[u64]) {
        let range = f.lost_start as usize..f.lost_start as usize + f.lost_count as usize;
        let (Some(entries), Some(counts)) = (table.lost.get(range.clone()), counts.get(range)) else { return };
        for (entry, &count) in entries.iter().zip(counts).filter(|(_, count)| **count > 0) {
            let name = table.string(entry.name);
            let loss = match entry.loss {
                site::Loss::Operation => Loss::Operation,
                site::Loss::Result => Loss::Result,
                site::Loss::Argument => Loss::Argument,
                site::Loss::Memory => Loss::Memory,
                site::Loss::Folded => continue,
            };
            let object = match loss {
                Loss::Result | Loss::Memory => self.definer(name),
                _ => None,
            };
            if loss == Loss::Memory && !self.may_write(name, object.as_deref()) {
                continue;
            }
            if loss == Loss::Result {
                coverage.calls_shadowed = coverage.calls_shadowed.saturating_sub(entry.count.into());
            }
            let object = object.unwrap_or_default();
            coverage.add_unknown(Unshadowed { name: demangle(name), object, loss, count });
        }
    }

    /// Whether a callee is code without shadows; `object` is what the loader knows of it.
    fn may_write(&self, name: &str, object: Option<&str>) -> bool {
        // What is carried counts by itself what it does not carry.
        if exchange::is_carried() && (name.starts_with("MPI_") || name.starts_with("mpi_")) {
            return false;
        }
        match object {
            Some(library) if !library.is_empty() && !self.instrumented.contains(library) => !is_of_the_system(library),
            // Of the executable, or hidden in a library.
            _ => self.defined.lacks(name),
        }
    }

    fn definer(&mut self, name: &str) -> Option<String> {
        self.definers.entry(name.to_owned()).or_insert_with(|| loaded::definer(name)).clone()
    }
}

/// Whether a library is one whose functions are known, or leave the program's floats alone.
fn is_of_the_system(object: &str) -> bool {
    const LIBRARIES: &[&str] = &[
        "libc.so",
        "libm.so",
        "libmvec.so",
        "libpthread.so",
        "libdl.so",
        "librt.so",
        "ld-linux",
        "libgcc_s.so",
        "libstdc++.so",
        "libc++.so",
        "libc++abi.so",
        "libomp.so",
        "libgomp.so",
        "libnonius_rt.so",
        "libasan.so",
    ];
    LIBRARIES.iter().any(|library| object.starts_with(library))
}
