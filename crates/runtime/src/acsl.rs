//! Assertions of `nonius cc --nonius-acsl`: the generated code (`include/nonius_acsl.h`) brings values, the predicate's text is
//! read here once, and evaluated exactly.
//!
//! What is known of a value depends on the engine: its residue inline, what the machine has in a deep run, its domain in an
//! abstract execution. Verdicts lie in memory that processes following other paths share with this one.

mod captured;
mod record;

use crate::fenv::Usual;
use crate::say::{KeepErrno, say};
use crate::{events, exit, machine_request, options, symbols::Symbols};
use captured::Captured;
use nonius_acsl::ast::{Atom, Builtin, Dialect, Term};
use nonius_acsl::eval::{self, Known};
use nonius_acsl::value::{Range, Real, Truth, Value};
use nonius_acsl::{Parsed, predicate};
use nonius_finding::{Assertion, Finding, HoldsFor, Kind, Location, ObservedAt, Precision, Proof, Severity, Worst};
use nonius_machine::{Asked, Cell, Input};
use nonius_oracle::Spec;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// As the header declares it.
#[repr(C)]
pub struct Site {
    kind: *const c_char,
    text: *const c_char,
    file: *const c_char,
    function: *const c_char,
    line: u32,
    column: u32,
    state: AtomicU32,
}

/// It was reached.
const REACHED: u32 = 1;
/// A float is what it is, and no domain.
const FLOATS_ARE_POINTS: u32 = 2;
/// The predicate is not C's: logic names have no backslash.
const PLAIN: u32 = 1 << 31;

/// A check is reached for the first time.
///
/// # Safety
/// `site` is one as the header has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_reached(site: *mut Site) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let site = unsafe { &*site };
    let fast = if options::current().oracle == Some(Spec::Zonotope) { 0 } else { FLOATS_ARE_POINTS };
    let _ = crate::guarded(|| record::of(site));
    site.state.fetch_or(REACHED | fast, Ordering::Relaxed);
}

/// Predicates by the addresses of their sites.
static READ: Mutex<Option<HashMap<usize, Arc<Parsed>>>> = Mutex::new(None);

fn parsed(site: &Site) -> Option<Arc<Parsed>> {
    let key = std::ptr::from_ref(site) as usize;
    // A signal may have come while this thread held the lock: then it is read anew.
    let mut read = READ.try_lock().ok();
    if let Some(found) = read.as_mut().and_then(|all| all.get_or_insert_default().get(&key).cloned()) {
        return Some(found);
    }
    let dialect = if site.state.load(Ordering::Relaxed) & PLAIN == 0 { Dialect::C } else { Dialect::Plain };
    let parsed = Arc::new(predicate(&text(site.text), dialect).ok()?);
    if let Some(all) = read.as_mut() {
        all.get_or_insert_default().insert(key, parsed.clone());
    }
    Some(parsed)
}

fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: sites have C strings that stay while their code runs.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Whether an atom holds: 0 no, 1 yes, 2 that is not known. `first` is 0 where values are to be noted.
///
/// # Safety
/// `site` is one as the header has them, and there are `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_atom(
    site: *mut Site,
    number: c_int,
    count: c_int,
    values: *const Captured,
    first: c_int,
) -> c_int {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let (site, values) = unsafe { (&*site, std::slice::from_raw_parts(values, count.max(0) as usize)) };
    let truth = crate::guarded(|| {
        let _usual = Usual::enter();
        let parsed = parsed(site)?;
        let atom = parsed.atoms.get(number as usize)?;
        let places = atom.places();
        let known: Vec<Known> = values.iter().take(places.len()).map(Captured::known).collect();
        let of = |place: usize| {
            let index = places.iter().position(|p| *p == place);
            index.and_then(|n| known.get(n).cloned()).unwrap_or_else(|| Known::float(f64::NAN))
        };
        if let Atom::Builtin(builtin, place, terms) = atom
            && first != 0
            && let Some(captured) = places.iter().position(|p| p == place).and_then(|n| values.get(n))
        {
            act(*builtin, site, &parsed.places[*place].text, captured, &of(*place), terms, &of);
        }
        let truth = eval::atom(atom, &of);
        if first == 0 {
            record::of(site)?.note(number, &described(atom, &parsed, &of));
        }
        Some(truth)
    });
    match truth.flatten() {
        Some(Truth::False) => 0,
        Some(Truth::True) => 1,
        _ => 2,
    }
}

/// Checks an assertion whose places are all captured, in their order: what Fortran and Rust do, which have no macros of C.
///
/// # Safety
/// `site` is one as the header has them, and there are `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_whole(site: *mut Site, count: c_int, values: *const Captured) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let (own, values) = unsafe { (&*site, std::slice::from_raw_parts(values, count.max(0) as usize)) };
    if own.state.load(Ordering::Relaxed) & REACHED == 0 {
        // SAFETY: as this function demands.
        unsafe { __nonius_api_acsl_reached(site) };
    }
    let truth = crate::guarded(|| {
        let _usual = Usual::enter();
        let parsed = parsed(own)?;
        let known: Vec<Known> = values.iter().map(Captured::known).collect();
        let of = |place: usize| known.get(place).cloned().unwrap_or_else(|| Known::float(f64::NAN));
        for atom in &parsed.atoms {
            if let Atom::Builtin(builtin, place, terms) = atom
                && let Some(captured) = values.get(*place)
            {
                act(*builtin, own, &parsed.places[*place].text, captured, &of(*place), terms, &of);
            }
        }
        let truth = eval::predicate(&parsed, &of);
        if truth != Truth::True {
            let record = record::of(own)?;
            parsed.atoms.iter().enumerate().for_each(|(n, atom)| record.note(n as i32, &described(atom, &parsed, &of)));
        }
        Some(truth)
    });
    match truth.flatten() {
        Some(Truth::True) => {}
        // SAFETY: as this function demands.
        truth => unsafe { __nonius_api_acsl_verdict(site, if truth == Some(Truth::False) { 0 } else { 2 }) },
    }
}

/// Sites of Fortran, which has no data that are laid out as C's: by text, file, line and column.
type Sites = HashMap<(String, String, u32, u32), usize>;
static FORTRAN: Mutex<Option<Sites>> = Mutex::new(None);

/// Checks an assertion of a Fortran source.
///
/// # Safety
/// The texts are C strings, and there are `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_fortran(
    predicate: *const c_char,
    file: *const c_char,
    line: u32,
    column: u32,
    count: c_int,
    values: *const Captured,
) {
    let _errno = KeepErrno::new();
    let site = crate::guarded(|| {
        let key = (text(predicate), text(file), line, column);
        let mut sites = FORTRAN.try_lock().ok()?;
        let known = sites.get_or_insert_default();
        if let Some(site) = known.get(&key) {
            return Some(*site as *mut Site);
        }
        let kept = |text: &str| CString::new(text).unwrap_or_default().into_raw().cast_const();
        let new = Site {
            kind: c"assert".as_ptr(),
            text: kept(&key.0),
            file: kept(&key.1),
            function: std::ptr::null(),
            line,
            column,
            state: AtomicU32::new(PLAIN),
        };
        let site = Box::into_raw(Box::new(new));
        known.insert(key, site as usize);
        Some(site)
    });
    if let Some(site) = site.flatten() {
        // SAFETY: the site stays, and the rest is as this function demands.
        unsafe { __nonius_api_acsl_whole(site, count, values) };
    }
}

/// The places of an atom, and what is known of them.
fn described(atom: &Atom, parsed: &Parsed, of: &dyn Fn(usize) -> Known) -> String {
    let parts = atom.places().into_iter().map(|number| {
        let known = of(number);
        let asks = match atom {
            Atom::Compare(_, x, y) => has_measure_of(x, number) || has_measure_of(y, number),
            Atom::Builtin(..) => true,
        };
        let place = &parsed.places[number];
        match asks {
            true => format!("{place} = {}, exactly {}, error {}", known.value, known.real, known.error),
            false => format!("{place} = {}", known.value),
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn has_measure_of(term: &Term, place: usize) -> bool {
    match term {
        Term::Measure(_, number) => *number == place,
        Term::Negative(x) | Term::Abs(x) => has_measure_of(x, place),
        Term::Binary(_, x, y) => has_measure_of(x, place) || has_measure_of(y, place),
        _ => false,
    }
}

/// What a built-in does beside holding.
fn act(
    builtin: Builtin,
    site: &Site,
    name: &str,
    captured: &Captured,
    known: &Known,
    terms: &[Term],
    of: &dyn Fn(usize) -> Known,
) {
    match builtin {
        Builtin::Print => {
            let Known { value, real, error, relative_error } = known;
            say!("{name} = {value}; real {real}; error {error}; relative error {relative_error}");
        }
        Builtin::Enlarge if captured.address != 0 => {
            let bounds: Vec<Value> = terms.iter().map(|t| eval::term(t, of)).collect();
            let [vlo, vhi, elo, ehi] = bounds.as_slice() else { return };
            let real = [outward(vlo, false), outward(vhi, true)];
            let error = [outward(elo, false), outward(ehi, true)];
            let format = if captured.format == Precision::Float as u64 { Precision::Float } else { Precision::Double };
            let cell = Cell { address: captured.address, format, value: captured.value };
            let asked = Asked { name: name.to_owned(), file: text(site.file), line: site.line };
            machine_request::tell_machine(|machine| machine.input(cell, asked, Input { real, error }));
        }
        _ => {}
    }
}

/// A double that is no more, or no less.
fn outward(value: &Value, up: bool) -> f64 {
    let Value::Range(Range { lo, hi, .. }) = value else { return f64::NAN };
    let end = if up { hi } else { lo };
    let nearest = match end {
        Real::MinusInfinity => return f64::NEG_INFINITY,
        Real::PlusInfinity => return f64::INFINITY,
        Real::Small(x) => *x as f64,
        Real::Big(x) => x.to_f64(),
    };
    let back = Real::of_f64(nearest);
    match up {
        true if back.as_ref().is_some_and(|b| b < end) => nearest.next_up(),
        false if back.as_ref().is_some_and(|b| b > end) => nearest.next_down(),
        _ => nearest,
    }
}

/// An assertion did not hold (0), or is not known to (2).
///
/// # Safety
/// `site` is one as the header has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_verdict(site: *mut Site, truth: c_int) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let site = unsafe { &*site };
    let is_first =
        crate::guarded(|| record::of(site).is_some_and(|record| record.count(truth == 0))).unwrap_or_default();
    if is_first && truth == 0 && options::current().halt && !events::is_path() {
        exit::halt();
    }
}

/// Whether any assertion was reached, and something is to be said.
pub fn is_any_open() -> bool {
    record::all().any(|record| record.failed() + record.unknown() > 0)
}

/// All assertions that were reached, with findings for those that did not hold.
pub fn assertions(holds_for: Option<HoldsFor>, most_frames: usize) -> Vec<(Assertion, Option<Finding>)> {
    let mut symbols = Symbols::new();
    record::all()
        .map(|record| {
            let stack = symbols.stack(&record.stack(), most_frames);
            let named = record.file();
            // Debug information knows the folder that the compiler was called in.
            let frame = stack.iter().find(|frame| frame.file.ends_with(&named));
            let file = frame.map_or(named.clone(), |frame| frame.file.clone());
            let location = Location { file, line: record.line(), column: record.column(), function: record.function() };
            let (failed, unknown) = (record.failed(), record.unknown());
            let verdict = match (failed, unknown) {
                (0, 0) => Proof::Proved,
                (0, _) => Proof::Unknown,
                _ => Proof::Failed,
            };
            let (clause, text) = (record.clause(), record.text());
            let values = if verdict == Proof::Proved { Vec::new() } else { record.values() };
            let finding = (verdict != Proof::Proved).then(|| {
                let worst = Worst::new(if failed > 0 { 0.0 } else { 2.0 }, 1.0, Precision::Double);
                let operation = format!("{clause} {text}");
                let mut finding = Finding::new(Kind::Assertion, ObservedAt::Api, location.clone(), &operation, worst);
                finding.severity = if failed > 0 { Severity::Error } else { Severity::Warning };
                finding.count = failed + unknown;
                finding.values = values.clone();
                finding.stack = stack;
                finding
            });
            let holds_for = holds_for.into();
            (Assertion { location, clause, text, verdict, holds_for, failed, unknown, values }, finding)
        })
        .collect()
}

pub fn after_fork() {
    record::after_fork();
}
