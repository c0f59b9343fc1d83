//! The objects that registered their site tables, found by the table's address.
//!
//! Lookups come from hooks and take no lock: an open hash of pointers, filled by compare and
//! swap, entries never removed. A library may be unloaded again, so its table is copied; the
//! executable's stays where it is.

use crate::by_address;
use crate::checks::Checks;
use crate::hooks::set_floats;
use crate::image;
use crate::loaded;
use crate::say::say;
use crate::tallies::{self, Tallies, Tally, Which};
use nonius_abi::Precision;
use nonius_abi::site::{Observed, Op};
use nonius_abi::table::{FLAG_CALLS_BY_ADDRESS, FLAG_FLOATS, FLAG_TASKS, Outline, Table, TableError};
use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// An object of the program that registered its site table. The extension of gdb knows that `bytes` comes first.
#[repr(C)]
pub struct Module {
    bytes: &'static [u8],
    /// The table's address in the object: what hooks name it by.
    address: usize,
    outline: Outline,
    ran: *const u8,
    /// A counter for each entry of the table's `lost`.
    lost: *const u64,
    /// `bytes` is a copy, since the object may have been unloaded.
    copied: bool,
    pub tallies: Tallies,
    pub checks: Checks,
    /// Modules registered before this one.
    before: *const Module,
}

const SLOTS_LOG2: u32 = 17;
const MOST_MODULES: u32 = 1 << (SLOTS_LOG2 - 1);
static SLOTS: [AtomicPtr<Module>; 1 << SLOTS_LOG2] = [const { AtomicPtr::new(null_mut()) }; 1 << SLOTS_LOG2];
static NEWEST: AtomicPtr<Module> = AtomicPtr::new(null_mut());
static COUNT: AtomicU32 = AtomicU32::new(0);

#[inline]
fn slots(address: usize) -> impl Iterator<Item = &'static AtomicPtr<Module>> {
    let first = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS_LOG2);
    (0..SLOTS.len()).map(move |step| &SLOTS[(first as usize + step) % SLOTS.len()])
}

/// The module whose table is at `table`.
#[inline]
pub fn find(table: *const u8) -> Option<&'static Module> {
    for slot in slots(table as usize) {
        // SAFETY: slots hold null or modules that were leaked, complete, by `register`.
        let module = unsafe { slot.load(Ordering::Acquire).as_ref() }?;
        if module.address == table as usize {
            return Some(module);
        }
    }
    None
}

/// All modules, the newest first.
pub fn modules() -> impl Iterator<Item = &'static Module> {
    // SAFETY: the list holds modules that were leaked, complete, by `register`.
    let follow = |module: *const Module| unsafe { module.as_ref() };
    std::iter::successors(follow(NEWEST.load(Ordering::Acquire)), move |module| follow(module.before))
}

/// Registers an object, and returns its sites' tallies. One whose table cannot be read is told to the
/// user and left out.
///
/// # Safety
/// `table` holds `bytes` bytes that do not change while the object is loaded; `ran` holds a byte
/// for each function of the table, `lost` a number for each of its entries.
pub unsafe fn register(table: *const u8, bytes: u64, ran: *const u8, lost: *const u64) -> Option<*mut Tally> {
    if table.is_null() {
        return None;
    }
    // SAFETY: as this function demands; a table that may go away with its object is copied below.
    let borrowed: &'static [u8] = unsafe { std::slice::from_raw_parts(table, bytes as usize) };
    let outline = match Outline::read(borrowed) {
        Ok(outline) => outline,
        Err(error) => {
            say_unusable(table, &error);
            return None;
        }
    };
    let Some(tallies) = tallies::for_sites(outline.sites) else {
        say!("error: too many sites, those of {} are not checked", Object(table));
        return None;
    };
    if COUNT.fetch_add(1, Ordering::Relaxed) >= MOST_MODULES {
        say!("error: more than {MOST_MODULES} objects, {} is not checked", Object(table));
        return None;
    }
    let copied = !loaded::executable().contains(&(table as usize));
    let bytes = if copied { Vec::leak(borrowed.to_vec()) } else { borrowed };
    let (address, before) = (table as usize, null_mut());
    let checks = Checks::none();
    let module = Module { address, bytes, outline, ran, lost, copied, tallies, checks, before };
    publish(Box::leak(Box::new(module)));
    if outline.flags & FLAG_FLOATS != 0 {
        set_floats();
    }
    if outline.flags & FLAG_CALLS_BY_ADDRESS != 0 {
        by_address::start();
    }
    if outline.flags & FLAG_TASKS != 0 {
        crate::events::tasks::note_marks();
    }
    tallies.first()
}

/// A module of a process that is gone; `tallies` are those of so many sites. `false` if its table makes no sense.
pub fn restore(bytes: &'static [u8], address: usize, tallies: impl FnOnce(u32) -> Option<Tallies>) -> bool {
    let Ok(outline) = Outline::read(bytes) else { return false };
    let Some(tallies) = tallies(outline.sites) else { return false };
    let (ran, lost) = (std::ptr::null(), std::ptr::null());
    let (checks, before) = (Checks::none(), null_mut());
    let module = Module { bytes, address, outline, ran, lost, copied: true, tallies, checks, before };
    publish(Box::leak(Box::new(module)));
    true
}

fn publish(module: &'static mut Module) {
    let address = module.address;
    let module: *mut Module = module;
    let mut before = NEWEST.load(Ordering::Acquire);
    loop {
        // SAFETY: nobody else knows the module before the exchange succeeds.
        unsafe { (*module).before = before };
        match NEWEST.compare_exchange(before, module, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => break,
            Err(newer) => before = newer,
        }
    }
    for slot in slots(address) {
        let there = slot.load(Ordering::Acquire);
        // SAFETY: slots hold null or leaked modules.
        let replaceable = match unsafe { there.as_ref() } {
            None => true,
            // An object unloaded before, at the address of this one.
            Some(other) => other.address == address,
        };
        if replaceable && slot.compare_exchange(there, module, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            return;
        }
    }
}

impl Module {
    pub fn address(&self) -> usize {
        self.address
    }

    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    /// What a hook must know of a site.
    #[inline]
    pub fn kinds(&self, site: u32) -> Option<(Op, Precision, Observed, u8)> {
        self.outline.kinds(self.bytes, site)
    }

    /// The whole table, for the report.
    pub fn table(&self) -> Result<Table, TableError> {
        Table::parse(self.bytes)
    }

    /// Which functions of the table ran; unknown counts as not, once the object is unloaded.
    pub fn ran(&self) -> Vec<bool> {
        let functions = self.outline.functions as usize;
        if image::is_read() {
            return self.looked_at(functions);
        }
        if self.ran.is_null() || !self.is_loaded() {
            return vec![false; functions];
        }
        // SAFETY: the object is loaded and has a byte for each function; the program may be
        // setting it, to 1 only.
        (0..functions).map(|index| unsafe { self.ran.add(index).read_volatile() } != 0).collect()
    }

    /// Of a process that is gone, the functions in which a value came to the runtime: others may have run too.
    fn looked_at(&self, functions: usize) -> Vec<bool> {
        let mut ran = vec![false; functions];
        for (index, site) in self.table().map(|table| table.sites).unwrap_or_default().iter().enumerate() {
            let is_used = |which| self.tallies.of(index as u32, which).is_some_and(Tally::is_used);
            if let Some(ran) = ran.get_mut(site.function as usize) {
                *ran |= is_used(Which::Main) || is_used(Which::Infinity);
            }
        }
        ran
    }

    /// How often each entry of the table's `lost` was counted; 0 once the object is unloaded.
    pub fn lost(&self) -> Vec<u64> {
        let entries = self.outline.lost as usize;
        if self.lost.is_null() || !self.is_loaded() {
            return vec![0; entries];
        }
        // SAFETY: the object is loaded and has a counter for each entry; the program may be counting.
        (0..entries).map(|index| unsafe { self.lost.add(index).read_volatile() }).collect()
    }

    /// Whether the object is still there: the executable always, a library if its table is.
    fn is_loaded(&self) -> bool {
        if !self.copied {
            return true;
        }
        let objects = loaded::objects();
        let holds = |start: usize, bytes: usize| objects.iter().any(|object| object.holds(start, bytes));
        if !holds(self.address, self.bytes.len())
            || !holds(self.ran as usize, self.outline.functions as usize)
            || !holds(self.lost as usize, 8 * self.outline.lost as usize)
        {
            return false;
        }
        // SAFETY: the range lies inside a loaded object.
        let there = unsafe { std::slice::from_raw_parts(self.address as *const u8, self.bytes.len()) };
        there == self.bytes
    }

    /// File name of the object, empty for the executable.
    pub fn file(&self) -> String {
        if let Some(file) = image::file_of(self.address) {
            return file;
        }
        if self.copied { loaded::at(self.address).0 } else { String::new() }
    }

    /// Path of the object, if it is still loaded.
    pub fn object(&self) -> String {
        Object(self.address as *const u8).to_string()
    }
}

#[cold]
fn say_unusable(table: *const u8, error: &TableError) {
    say!(
        "error: {} is not checked: {error}\n  help: rebuild it with this Nonius ('make clean && make CC=nonius-cc')",
        Object(table)
    );
}

/// Displays the path of the object that holds an address.
struct Object(*const u8);

impl std::fmt::Display for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut info = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
        // SAFETY: `info` is room for what `dladdr` fills in; zero bytes are valid too.
        let info = unsafe {
            ::libc::dladdr(self.0.cast(), info.as_mut_ptr());
            info.assume_init()
        };
        if info.dli_fname.is_null() {
            return write!(f, "an object at {:p}", self.0);
        }
        // SAFETY: a name that the loader gives is a C string that lives as long as the object.
        f.write_str(&unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy())
    }
}
