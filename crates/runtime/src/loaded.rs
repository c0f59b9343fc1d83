//! The objects that the dynamic loader has mapped.

use ::libc::{PT_LOAD, dl_iterate_phdr, dl_phdr_info};
use std::ffi::{CStr, c_int, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An executable or library in memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// Added to an address of the file to get one in memory.
    pub bias: usize,
    /// As the loader knows it; empty for the executable.
    pub name: String,
    /// Of an object in an image, its file; empty for what is loaded here.
    pub path: String,
    /// Where its segments lie in memory.
    pub segments: Vec<(usize, usize)>,
}

impl Object {
    /// From its first to its last segment.
    pub fn extent(&self) -> (usize, usize) {
        let starts = self.segments.iter().map(|s| s.0);
        let ends = self.segments.iter().map(|s| s.1);
        (starts.min().unwrap_or_default(), ends.max().unwrap_or_default())
    }

    pub fn holds(&self, start: usize, bytes: usize) -> bool {
        self.segments.iter().any(|&(first, end)| first <= start && start.saturating_add(bytes) <= end)
    }
}

/// All objects, the executable first.
pub fn objects() -> Vec<Object> {
    if let Some(objects) = crate::image::objects() {
        return objects.to_vec();
    }
    let mut objects = Vec::new();
    each(&mut |info| {
        let name = info.dlpi_name;
        // SAFETY: the loader's name is null or a string that lives as long as the object.
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        let bias = info.dlpi_addr as usize;
        objects.push(Object { bias, name: name.unwrap_or_default(), path: String::new(), segments: segments(info) });
        true
    });
    objects
}

/// How many objects were ever loaded, and unloaded.
pub fn added() -> u64 {
    let mut added = 0;
    each(&mut |info| {
        added = info.dlpi_adds + info.dlpi_subs;
        false
    });
    added
}

/// The file name of the object that holds an address, empty for the executable, and of the symbol that begins there, if
/// others can see it.
pub fn at(address: usize) -> (String, Option<String>) {
    let mut info = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
    // SAFETY: `info` is room for what `dladdr` fills in; zero bytes are valid too.
    let info = unsafe {
        ::libc::dladdr(address as *const c_void, info.as_mut_ptr());
        info.assume_init()
    };
    // SAFETY: names that the loader gives are C strings that live as long as the object.
    let text = |name: *const std::ffi::c_char| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let symbol = (!info.dli_sname.is_null() && info.dli_saddr as usize == address).then(|| text(info.dli_sname));
    if info.dli_fname.is_null() || executable().contains(&address) {
        return (String::new(), symbol);
    }
    let path = text(info.dli_fname);
    (path.rsplit('/').next().unwrap_or_default().to_owned(), symbol)
}

/// The file name of the object that defines a name, as the loader would find it.
pub fn definer(name: &str) -> Option<String> {
    let name = std::ffi::CString::new(name).ok()?;
    // SAFETY: a C string.
    let address = unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then(|| at(address as usize).0)
}

/// Where the executable lies, from its first to its last segment.
pub fn executable() -> Range<usize> {
    static KNOWN: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let [start, end] = KNOWN.each_ref().map(|place| place.load(Ordering::Acquire));
    if end != 0 {
        return start..end;
    }
    let mut range = 0..0;
    each(&mut |info| {
        let segments = segments(info);
        let start = segments.iter().map(|s| s.0).min().unwrap_or_default();
        range = start..segments.iter().map(|s| s.1).max().unwrap_or_default();
        false
    });
    KNOWN[0].store(range.start, Ordering::Release);
    KNOWN[1].store(range.end, Ordering::Release);
    range
}

/// Where an object's segments lie in memory.
fn segments(info: &dl_phdr_info) -> Vec<(usize, usize)> {
    // SAFETY: the loader's entry has `dlpi_phnum` headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let bias = info.dlpi_addr as usize;
    let loaded = headers.iter().filter(|header| header.p_type == PT_LOAD).map(|header| {
        let start = bias.wrapping_add(header.p_vaddr as usize);
        (start, start.wrapping_add(header.p_memsz as usize))
    });
    loaded.collect()
}

/// Calls `f` for each object until it says that it needs no more.
fn each(f: &mut dyn FnMut(&dl_phdr_info) -> bool) {
    unsafe extern "C" fn step(info: *mut dl_phdr_info, _size: usize, f: *mut c_void) -> c_int {
        // SAFETY: `f` is the reference that was passed below, `info` the loader's current entry.
        let (f, info) = unsafe { (&mut *f.cast::<&mut dyn FnMut(&dl_phdr_info) -> bool>(), &*info) };
        c_int::from(!f(info))
    }
    let mut f = f;
    // SAFETY: `f` outlives the call and is used by `step` alone.
    unsafe { dl_iterate_phdr(Some(step), (&raw mut f).cast()) };
}
