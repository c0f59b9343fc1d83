//! This process's image (`nonius_image`): what is found lies in a file that `nonius run` made, so that a process that is
//! killed loses nothing that was counted in its tallies.
//!
//! The sections are memory like any other to those who use them (`reserve`); without an image, memory of the process's own.
//! A forked child takes a slot of its own, at the same addresses. The log is written when something is found: programs that
//! find nothing pay for a few mappings.
//!
//! Limits: findings that instrumented code counts by itself (`checks`), which functions ran and what came from code without
//! shadows lie in the program's own memory, and are lost with it: counts may be low.

mod read;

pub use read::{answers, file_of, is_asked, is_read, module_at, objects, program, run};

use crate::blocked_signals::BlockedSignals;
use crate::pages;
use crate::say::{KeepErrno, say};
use crate::sites::{self, Module};
use crate::thread::Inside;
use crate::{loaded, stack, start, tallies};
use ::libc::{MAP_FAILED, MAP_FIXED, MAP_NORESERVE, MAP_SHARED, PROT_READ, PROT_WRITE, c_int};
use nonius_image::{Object, PAGE, Record, SECTIONS, SLOTS, Section, State, VARIABLE, head};
use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr::{NonNull, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Where the sections are mapped, null without an image.
static AT: [AtomicPtr<u8>; SECTIONS.len()] = [const { AtomicPtr::new(null_mut()) }; SECTIONS.len()];
/// They are mapped, but no image any more: a child that could not have one.
static SLOT: AtomicU64 = AtomicU64::new(SLOTS);
static FILE: OnceLock<CString> = OnceLock::new();
/// The newest module that the log has.
static LOGGED: AtomicPtr<Module> = AtomicPtr::new(null_mut());
/// How many objects the loader had added when the log was told of them.
static OBJECTS_AT: AtomicU64 = AtomicU64::new(0);

/// Takes a slot, if there is a file.
pub fn start() {
    let Some(file) = std::env::var_os(VARIABLE).filter(|_| !start::is_privileged()) else { return };
    let Ok(file) = CString::new(file.into_vec()) else { return };
    if let Err(error) = take(FILE.get_or_init(|| file), false) {
        say!("note: findings are lost if the program is killed: no shared memory: {error}");
    }
    // Of a process that finds nothing, that is all there is to know. A forked child speaks up when it finds something.
    note_program();
}

/// What sections past the log look like.
fn build() -> u64 {
    let [tally, stack] = [tallies::LAYOUT, stack::LAYOUT];
    nonius_image::build(&[tally.0, tally.1, stack.0, stack.1])
}

/// Maps a slot of its own; `again`, at the addresses of the one before.
fn take(file: &CString, again: bool) -> std::io::Result<()> {
    // SAFETY: a C string; the descriptor is closed below.
    let descriptor = unsafe { ::libc::open(file.as_ptr(), ::libc::O_RDWR | ::libc::O_CLOEXEC) };
    if descriptor < 0 {
        return Err(std::io::Error::last_os_error());
    }
    let mapped = take_of(descriptor, again);
    // SAFETY: opened above.
    unsafe { ::libc::close(descriptor) };
    mapped
}

fn take_of(descriptor: c_int, again: bool) -> std::io::Result<()> {
    let counter = map(descriptor, 0, PAGE, null_mut()).ok_or_else(std::io::Error::last_os_error)?;
    // SAFETY: the first word of a page that is mapped, which other processes change by such operations alone.
    let slot = unsafe { (*counter.cast::<AtomicU64>().as_ptr()).fetch_add(1, Ordering::AcqRel) };
    // SAFETY: mapped just now, and nobody refers to it.
    unsafe { pages::release(counter, PAGE as usize) };
    if slot >= SLOTS {
        return Err(std::io::Error::other(format!("more than {SLOTS} processes")));
    }
    for (section, at) in SECTIONS.into_iter().zip(&AT) {
        let place = if again { at.load(Ordering::Relaxed) } else { null_mut() };
        let new = map(descriptor, section.offset(slot), section.bytes(), place);
        at.store(new.ok_or_else(std::io::Error::last_os_error)?.as_ptr(), Ordering::Relaxed);
    }
    SLOT.store(slot, Ordering::Release);
    set(head::PID, u64::from(std::process::id()));
    set(head::BUILD, build());
    set(head::STATE, State::Started as u64);
    Ok(())
}

/// Maps a stretch of the file, at a place if there is one: over what is there.
fn map(descriptor: c_int, offset: u64, bytes: u64, place: *mut u8) -> Option<NonNull<u8>> {
    let flags = MAP_SHARED | MAP_NORESERVE | if place.is_null() { 0 } else { MAP_FIXED };
    // SAFETY: at an address of the kernel's choice, or over a mapping of the same section, which is the image's own.
    let at =
        unsafe { ::libc::mmap(place.cast(), bytes as usize, PROT_READ | PROT_WRITE, flags, descriptor, offset as i64) };
    if at == MAP_FAILED {
        return None;
    }
    // SAFETY: advice on the range just mapped: core files leave it out.
    unsafe { ::libc::madvise(at, bytes as usize, ::libc::MADV_DONTDUMP) };
    NonNull::new(at.cast())
}

fn word(index: usize) -> Option<&'static AtomicU64> {
    if SLOT.load(Ordering::Acquire) >= SLOTS {
        return None;
    }
    let at = AT[Section::Head as usize].load(Ordering::Relaxed).cast::<AtomicU64>();
    // SAFETY: the head is mapped for good once there is a slot, and has these words.
    (index < head::WORDS).then(|| unsafe { &*at.add(index) })
}

fn set(index: usize, value: u64) {
    if let Some(word) = word(index) {
        word.store(value, Ordering::Release);
    }
}

/// Zeroed memory for a section, at least `bytes`: the image's, or the process's own.
pub fn reserve(section: Section, bytes: usize) -> Option<NonNull<u8>> {
    debug_assert!(bytes as u64 <= section.bytes());
    NonNull::new(AT[section as usize].load(Ordering::Acquire)).or_else(|| pages::reserve(bytes))
}

/// Gives back what [`reserve`] gave a thread that came second.
///
/// # Safety
/// As `pages::release`.
pub unsafe fn release(section: Section, at: NonNull<u8>, bytes: usize) {
    if AT[section as usize].load(Ordering::Acquire) != at.as_ptr() {
        // SAFETY: as this function demands.
        unsafe { pages::release(at, bytes) };
    }
}

/// Something was found that no report has.
#[inline]
pub fn note_news() {
    set(head::STATE, State::Untold as u64);
}

/// A report is being made.
pub fn note_telling() {
    set(head::STATE, State::Telling as u64);
}

/// All that was found is in a report, unless there was more meanwhile.
pub fn note_told() {
    if let Some(state) = word(head::STATE) {
        let (now, then) = (State::Telling as u64, State::Told as u64);
        let _ = state.compare_exchange(now, then, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// The process ends, and has told all: the kernel gets the memory back before the run is over.
pub fn end() {
    if word(head::STATE).is_none_or(|state| state.load(Ordering::Relaxed) != State::Told as u64) {
        return;
    }
    for section in SECTIONS.into_iter().skip(1) {
        let at = AT[section as usize].load(Ordering::Relaxed);
        // SAFETY: a section of this slot, that nobody but this process uses: it reads as 0 from now on.
        unsafe { ::libc::madvise(at.cast(), section.bytes() as usize, ::libc::MADV_REMOVE) };
    }
}

/// A place was found for the first time: the log must have what it takes to name it.
#[cold]
pub fn note_place() {
    note_news();
    if word(head::STATE).is_none() {
        return;
    }
    let _errno = KeepErrno::new();
    let _signals = BlockedSignals::new();
    let Some(_inside) = Inside::enter() else { return };
    crate::guarded(|| {
        note_modules();
        let added = loaded::added();
        if OBJECTS_AT.swap(added, Ordering::AcqRel) != added {
            append(&Record::Objects(loaded::objects().iter().map(object).collect()));
        }
    });
}

fn note_modules() {
    let newest = sites::modules().next().map_or(null_mut(), |module| std::ptr::from_ref(module).cast_mut());
    let until = LOGGED.swap(newest, Ordering::AcqRel);
    if until.is_null() {
        note_before();
    }
    for module in sites::modules().take_while(|module| !std::ptr::eq(*module, until)) {
        let (file, key) = (module.file(), std::ptr::from_ref(module) as u64);
        let (address, first) = (module.address() as u64, module.tallies.index() as u64);
        append(&Record::Module { module: key, address, first, file: file.as_bytes(), table: module.bytes() });
    }
}

fn note_program() {
    let program = crate::exit::program(None);
    let folder = crate::output::folder().unwrap_or_default();
    append(&Record::Program {
        path: program.path.as_bytes(),
        arguments: program.args.iter().map(String::as_bytes).collect(),
        folder: folder.as_os_str().as_encoded_bytes(),
        suppressions: start::default_suppressions().unwrap_or_default().as_bytes(),
        is_child: crate::fork::is_child(),
    });
}

fn note_before() {
    if crate::fork::is_child() {
        note_program();
    }
    for (number, name) in crate::region::all() {
        append(&Record::Region { number: number.into(), name: name.as_bytes() });
    }
}

/// A region has a name from now on.
pub fn note_region(number: u32, name: &str) {
    if !LOGGED.load(Ordering::Acquire).is_null() {
        append(&Record::Region { number: number.into(), name: name.as_bytes() });
    }
}

fn object(object: &loaded::Object) -> Object {
    let path = match object.name.is_empty() {
        true => std::fs::read_link("/proc/self/exe").unwrap_or_default(),
        false => std::path::absolute(&object.name).unwrap_or_else(|_| PathBuf::from(&object.name)),
    };
    Object {
        bias: object.bias as u64,
        name: object.name.clone().into_bytes(),
        path: path.into_os_string().into_encoded_bytes(),
        segments: object.segments.iter().map(|&(from, to)| (from as u64, to as u64)).collect(),
    }
}

/// Writes a record, its length last: what is not whole ends the log for its reader.
fn append(record: &Record) {
    let Some(used) = word(head::LOG_BYTES) else { return };
    let bytes = record.encode();
    let from = used.fetch_add(bytes.len() as u64, Ordering::AcqRel);
    if from + bytes.len() as u64 > Section::Log.bytes() {
        return;
    }
    let at = AT[Section::Log as usize].load(Ordering::Relaxed).wrapping_add(from as usize);
    let (length, rest) = bytes.split_at(8);
    // SAFETY: a stretch of the log that is this call's alone, aligned to words.
    unsafe {
        at.add(8).copy_from_nonoverlapping(rest.as_ptr(), rest.len());
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
        (*at.cast::<AtomicU64>()).store(length, Ordering::Release);
    }
}

/// A forked child goes on in a slot of its own. Called before anything is counted there.
pub fn after_fork() {
    LOGGED.store(null_mut(), Ordering::Relaxed);
    OBJECTS_AT.store(0, Ordering::Relaxed);
    let Some(file) = FILE.get().filter(|_| !AT[0].load(Ordering::Relaxed).is_null()) else { return };
    SLOT.store(SLOTS, Ordering::Relaxed);
    if take(file, true).is_ok() {
        return;
    }
    // The parent's must not be touched: memory of its own takes the place.
    SLOT.store(SLOTS, Ordering::Relaxed);
    for (section, at) in SECTIONS.into_iter().zip(&AT) {
        let flags = ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        let at = at.load(Ordering::Relaxed).cast();
        // SAFETY: over a mapping of the image's own, which reads as 0 from now on, as its users expect after a fork.
        unsafe { ::libc::mmap(at, section.bytes() as usize, PROT_READ | PROT_WRITE, flags, -1, 0) };
        crate::pages::note(at as usize, section.bytes() as usize);
    }
}
