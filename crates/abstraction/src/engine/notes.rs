//! What a report says of an abstract execution beside its findings and bounds.

use super::Abstract;
use crate::domain::Domain;
use crate::walk::Given;
use nonius_finding::Coverage;
use std::collections::BTreeSet;

impl<D: Domain> Abstract<D> {
    pub(super) fn notes(&self) -> Vec<String> {
        let (observed, places) = (&self.core.observed, self.places());
        let mut notes = observed.warnings.clone();
        for Given { what, .. } in self.core.declared.iter().filter(|g| !g.is_met) {
            let (function, n) = (&what.function, what.parameter);
            notes.push(format!("inputs=: no function {function} with a float parameter {n} was called"));
        }
        if !observed.incomplete.is_empty() && !D::IS_ESTIMATE {
            let why: Vec<&str> = observed.incomplete.iter().map(String::as_str).collect();
            notes.push(format!(
                "incomplete: {}; bounds hold only for inputs that take this run's way through every test, as floats and as \
                 reals",
                why.join("; ")
            ));
        }
        if observed.one_path > 0 {
            let tests =
                if observed.one_path == 1 { "a test".to_owned() } else { format!("{} tests", observed.one_path) };
            notes.push(format!("one path: {tests} that the program excepts went its way for all inputs"));
        }
        if observed.paths > 0 {
            notes.push(format!("{} other paths were followed", observed.paths));
        }
        for (site, count) in observed.lost.iter().take(5) {
            let place = places.of_site(*site).map_or("code that was not recorded".to_owned(), |(l, operation)| {
                format!("{operation} at {}:{}", l.file_name(), l.line)
            });
            notes.push(format!("nothing is known of {count} values from {place}"));
        }
        if self.core.memory.forgotten > 0 {
            notes.push(
                "the machine's memory was full, and bounds of stored values were dropped: raise machine_mib".to_owned(),
            );
        }
        if let Some(fault) = &self.fault {
            notes.push(format!("the events cannot be read to the end: {fault}"));
        }
        notes
    }

    pub(super) fn coverage(&self) -> Coverage {
        let ran: BTreeSet<_> = self.threads.values().flat_map(|thread| &thread.ran).collect();
        let operations = self.core.operations;
        let lost: u64 = self.core.observed.lost.values().sum();
        let operations_shadowed = operations.saturating_sub(lost);
        Coverage { functions_run: ran.len() as u64, operations, operations_shadowed, ..Coverage::default() }
    }
}
