//! The image of a process that is gone, reported by the runtime in its stead: `nonius run` starts a process with this library
//! and the number of a slot. Everything that a report goes through is put back from the image, and the report is made as
//! the process itself would have made it.

use super::build;
use crate::sites::{self, Module};
use crate::{exit, fork, found, loaded, region, stack, suppress, tallies};
use nonius_finding::Program;
use nonius_image::{PAGE, READ, Record, SLOTS, Section, VARIABLE, head, records};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::OnceLock;

/// What the log said.
#[derive(Default)]
pub struct Restored {
    program: Program,
    /// The addresses that modules had, and their tables'.
    modules: HashMap<usize, usize>,
    /// File names of the objects of modules, by their tables' addresses.
    files: HashMap<usize, String>,
    objects: Vec<loaded::Object>,
}

static RESTORED: OnceLock<Restored> = OnceLock::new();

/// Whether this process is to read an image.
pub fn is_asked() -> bool {
    std::env::var_os(READ).is_some() && !crate::start::is_privileged()
}

/// Whether this process has read one.
pub fn is_read() -> bool {
    RESTORED.get().is_some()
}

/// The module that the process had at an address; in a process that reads none, the one there.
pub fn module_at(address: usize) -> Option<&'static Module> {
    match RESTORED.get() {
        Some(restored) => restored.modules.get(&address).and_then(|table| sites::find(*table as *const u8)),
        // SAFETY: addresses of modules are kept as they are, and modules stay for good.
        None => unsafe { (address as *const Module).as_ref() },
    }
}

/// The file name of the object that had a table at an address.
pub fn file_of(table: usize) -> Option<String> {
    RESTORED.get()?.files.get(&table).cloned()
}

/// What the process had loaded, with absolute paths.
pub fn objects() -> Option<&'static [loaded::Object]> {
    RESTORED.get().map(|restored| restored.objects.as_slice())
}

pub fn program() -> Option<Program> {
    RESTORED.get().map(|restored| restored.program.clone())
}

/// The process that is reported.
pub fn answers() -> Option<u32> {
    RESTORED.get().map(|restored| restored.program.pid)
}

/// Reports. An error is why that cannot be.
pub fn run() -> Result<(), String> {
    let number = std::env::var(READ).ok().and_then(|text| text.parse().ok()).filter(|slot| *slot < SLOTS);
    let slot: u64 = number.ok_or_else(|| format!("{READ} is no number of a slot"))?;
    let path = std::env::var_os(VARIABLE).ok_or_else(|| format!("{VARIABLE} names no file"))?;
    let file = File::open(&path).map_err(|error| format!("{}: {error}", Path::new(&path).display()))?;
    let section = |section: Section| map(&file, section, slot);
    let words: Vec<u64> = words(section(Section::Head)?);
    if words[head::BUILD] != build() {
        return Err("the program has the runtime of another Nonius: rebuild it with this one".to_owned());
    }
    let log = section(Section::Log)?;
    let bytes = words[head::LOG_BYTES].min(Section::Log.bytes()) as usize;
    // SAFETY: the mapping is this process's own, has so many bytes, and stays.
    let log: &'static [u8] = unsafe { std::slice::from_raw_parts(log.as_ptr(), bytes) };
    tallies::restore(section(Section::Tallies)?);
    stack::restore(section(Section::Stacks)?);
    let restored = restored(log, words[head::PID] as u32)?;
    if RESTORED.set(restored).is_err() {
        return Err("an image is read once".to_owned());
    }
    found::restore(section(Section::Places)?);
    tallies::restore_doubts();
    // A forked child that has found nothing says nothing.
    if !program().unwrap_or_default().path.is_empty() {
        exit::tell_of_the_dead();
    }
    Ok(())
}

/// A private copy of a section.
fn map(file: &File, section: Section, slot: u64) -> Result<NonNull<u8>, String> {
    let flags = ::libc::MAP_PRIVATE | ::libc::MAP_NORESERVE;
    let (bytes, offset) = (section.bytes() as usize, section.offset(slot) as i64);
    let access = ::libc::PROT_READ | ::libc::PROT_WRITE;
    // SAFETY: at an address of the kernel's choice; what is written stays in this process.
    let at = unsafe { ::libc::mmap(std::ptr::null_mut(), bytes, access, flags, file.as_raw_fd(), offset) };
    let at = NonNull::new(at.cast()).filter(|_| at != ::libc::MAP_FAILED);
    at.ok_or_else(|| format!("cannot map it: {}", std::io::Error::last_os_error()))
}

fn words(head: NonNull<u8>) -> Vec<u64> {
    // SAFETY: a page that was mapped just now.
    unsafe { std::slice::from_raw_parts(head.as_ptr().cast::<u64>(), PAGE as usize / 8) }.to_vec()
}

fn restored(log: &'static [u8], pid: u32) -> Result<Restored, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut restored = Restored::default();
    restored.program.pid = pid;
    for record in records(log) {
        match record {
            Record::Program { path, arguments, folder, suppressions, is_child } => {
                restored.program.path = text(path);
                restored.program.args = arguments.into_iter().map(text).collect();
                // It may be gone.
                let _ = std::env::set_current_dir(OsStr::from_bytes(folder));
                fork::restore(is_child);
                suppress::add(&text(suppressions), "__nonius_default_suppressions")?;
            }
            Record::Module { module, address, first, file, table } => {
                let tallies = |sites| tallies::restored(first as usize, sites);
                if sites::restore(table, address as usize, tallies) {
                    restored.modules.insert(module as usize, address as usize);
                }
                restored.files.insert(address as usize, text(file));
            }
            Record::Objects(objects) => {
                let objects = objects.into_iter().map(|object| loaded::Object {
                    bias: object.bias as usize,
                    name: text(&object.name),
                    path: text(&object.path),
                    segments: object.segments.iter().map(|&(from, to)| (from as usize, to as usize)).collect(),
                });
                restored.objects = objects.collect();
            }
            Record::Region { number, name } => region::restore(number as u32, &text(name)),
        }
    }
    Ok(restored)
}
