//! The suppressions in force: from the file that `suppressions=` names, from the program, and
//! from its requests while it runs. And the baseline.

use crate::options::Options;
use nonius_finding::{Baseline, Report, Suppressions};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Read at start, with its name: the program may change its folder, and the file.
static BASELINE: OnceLock<(Baseline, String)> = OnceLock::new();
static CURRENT: AtomicPtr<Suppressions> = AtomicPtr::new(null_mut());

/// The suppressions in force, if there are any.
pub fn current() -> Option<&'static Suppressions> {
    // SAFETY: null, or suppressions that were leaked by `append`.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// Reads what there is at start.
pub fn start(options: &Options, of_program: Option<&str>) -> Result<(), String> {
    if let Some(text) = of_program {
        add(text, "__nonius_default_suppressions")?;
    }
    if let Some(path) = &options.suppressions {
        append(Suppressions::read(path).map_err(|error| error.to_string())?);
    }
    if let Some(path) = &options.baseline {
        let baseline = Baseline::read(path).map_err(|error| error.to_string())?;
        let _ = BASELINE.set((baseline, path.display().to_string()));
    }
    Ok(())
}

/// Takes what the baseline has out of the findings that count.
pub fn apply_baseline(report: &mut Report) {
    if let Some((baseline, file)) = BASELINE.get() {
        baseline.apply(report, file);
    }
}

/// Adds entries; `origin` names them in reports and errors.
pub fn add(text: &str, origin: &str) -> Result<(), String> {
    append(Suppressions::parse(text, origin).map_err(|error| error.to_string())?);
    Ok(())
}

/// The old ones stay in memory: another thread may be using them.
fn append(more: Suppressions) {
    let mut all = current().cloned().unwrap_or_default();
    all.append(more);
    CURRENT.store(Box::leak(Box::new(all)), Ordering::Release);
}

/// Whether an entry says from what to go on, so that findings must be judged at once.
pub fn any_resumes() -> bool {
    current().is_some_and(|all| all.entries().iter().any(|entry| entry.resume.is_some()))
}
