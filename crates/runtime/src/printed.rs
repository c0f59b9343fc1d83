//! NaNs and infinities that were printed. Their bits do not tell which operation made them: where there is one alone that
//! made such a value, it is that one; else each may be it, and a deep run tells.

use crate::exit::Tables;
use crate::found::Place;
use crate::tallies::Which;
use nonius_finding::{Finding, Kind, Location, Severity};
use nonius_verdict::describe;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Where one was first printed: the module's address, 0 until then, and the site.
struct First {
    module: AtomicUsize,
    site: AtomicU64,
}

static NAN: First = First { module: AtomicUsize::new(0), site: AtomicU64::new(0) };
static INFINITY: First = First { module: AtomicUsize::new(0), site: AtomicU64::new(0) };

/// Notes that a NaN or an infinity is printed.
pub fn note(place: Place, value: f64) {
    let first = if value.is_nan() { &NAN } else { &INFINITY };
    let module = std::ptr::from_ref(place.module) as usize;
    if first.module.load(Ordering::Relaxed) == 0 {
        first.site.store(place.site.into(), Ordering::Relaxed);
        first.module.store(module, Ordering::Release);
    }
}

pub fn after_fork() {
    [&NAN, &INFINITY].iter().for_each(|first| first.module.store(0, Ordering::Relaxed));
}

impl First {
    fn place(&self) -> Option<Place> {
        // SAFETY: put by `note`, of a module, which stays for good.
        let module = unsafe { (self.module.load(Ordering::Acquire) as *const crate::sites::Module).as_ref() }?;
        Some(Place { module, site: self.site.load(Ordering::Relaxed) as u32, which: Which::Main })
    }
}

/// Tells of findings whose NaN or infinity was printed, or may have been. Returns what the report is to say of the latter.
pub fn mark(findings: &mut [Finding], tables: &mut Tables) -> Vec<String> {
    let kinds = [(Kind::Nan, &NAN, "a NaN"), (Kind::Inf, &INFINITY, "an infinity")];
    kinds
        .into_iter()
        .filter_map(|(kind, first, what)| mark_kind(findings, kind, location(first, tables)?, what))
        .collect()
}

fn location(first: &First, tables: &mut Tables) -> Option<Location> {
    let Place { module, site, .. } = first.place()?;
    let table = tables.of(module)?;
    Some(describe::seen_at(table, table.sites.get(site as usize)?))
}

fn mark_kind(findings: &mut [Finding], kind: Kind, printed: Location, what: &str) -> Option<String> {
    let mut made: Vec<&mut Finding> = findings.iter_mut().filter(|f| f.kind == kind).collect();
    made.iter_mut().for_each(|f| f.severity = Severity::Error);
    match made.as_mut_slice() {
        [] => None,
        [one] => {
            one.note_printed(printed);
            None
        }
        several => Some(format!(
            "{what} was printed at {}:{}, and {} operations made one: 'nonius run' tells which",
            printed.file_name(),
            printed.line,
            several.len()
        )),
    }
}
