//! Names for the addresses of stacks, from the debug information of the files that are mapped.
//!
//! Done once, when there is something to report. An object without debug information gives the
//! names of its symbol table; without that, or when its file is gone, its path stays.

use crate::loaded::{self, Object};
use addr2line::Loader;
use addr2line::fallible_iterator::FallibleIterator;
use nonius_finding::Frame;
use nonius_verdict::demangle::demangle;
use nonius_verdict::describe::is_library;
use std::collections::{HashMap, HashSet};
use std::ffi::CStr;

/// Names addresses, and remembers what it has named.
pub struct Symbols {
    objects: Vec<(Object, File)>,
    /// File names of objects that have instrumented code; empty for the executable.
    instrumented: HashSet<String>,
    named: HashMap<usize, Vec<Frame>>,
}

/// The file of an object, opened at its first use.
enum File {
    Unopened,
    Open(Box<Loader>, String),
    Missing(String),
}

impl Symbols {
    pub fn new() -> Symbols {
        let objects = loaded::objects().into_iter().map(|object| (object, File::Unopened)).collect();
        let instrumented = crate::sites::modules().map(|module| module.file()).collect();
        Symbols { objects, instrumented, named: HashMap::new() }
    }

    /// The test of Rust's test harness that a stack is in.
    pub fn test(&mut self, addresses: &[usize]) -> Option<String> {
        let frames: Vec<String> = addresses.iter().flat_map(|&a| self.frames(a).to_vec()).map(|f| f.function).collect();
        let start = frames.iter().position(|f| f.starts_with("test::__rust_begin_short_backtrace"))?;
        frames[..start].iter().rev().find_map(|frame| test_in(frame)).map(str::to_owned)
    }

    /// The name of the function that begins at an address.
    pub fn function(&mut self, address: usize) -> Option<String> {
        self.frames(address).last().map(|frame| frame.function.clone()).filter(|name| !name.is_empty())
    }

    /// The frames of a stack, innermost first, down to `main` or the start of the thread.
    pub fn stack(&mut self, addresses: &[usize], most: usize) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        for &address in addresses {
            frames.extend_from_slice(self.frames(address));
        }
        if let Some(main) = frames.iter().position(|frame| frame.function == "main") {
            frames.truncate(main + 1);
        }
        // Below this, Rust's own start-up.
        if let Some(start) = frames.iter().position(|frame| frame.function.contains("__rust_begin_short_backtrace")) {
            frames.truncate(start);
            while frames.last().is_some_and(|frame| frame.function.contains("core::ops::function::FnOnce")) {
                frames.pop();
            }
        }
        let below = |frame: &Frame| STARTERS.contains(&frame.function.as_str()) && frame.line == 0;
        while frames.last().is_some_and(below) {
            frames.pop();
        }
        frames.truncate(most);
        frames
    }

    /// The function at an address, with those inlined there before it.
    fn frames(&mut self, address: usize) -> &[Frame] {
        let (objects, instrumented) = (&mut self.objects, &self.instrumented);
        self.named.entry(address).or_insert_with(|| {
            let unknown = || Frame { address: address as u64, ..Frame::default() };
            let Some((object, file)) = objects.iter_mut().find(|(o, _)| o.holds(address, 1)) else {
                return vec![unknown()];
            };
            if matches!(file, File::Unopened) {
                *file = open(object, address);
            }
            let (loader, module) = match file {
                File::Open(loader, module) => (Some(&**loader), module.as_str()),
                File::Missing(module) => (None, module.as_str()),
                File::Unopened => (None, ""),
            };
            let probe = address.wrapping_sub(object.bias) as u64;
            // Debug information is somebody else's, and may be anything.
            let named = loader.and_then(|loader| crate::guarded(|| debug_frames(loader, probe)));
            let mut frames = named.unwrap_or_default();
            if frames.is_empty() {
                let name = loader.and_then(|loader| loader.find_symbol(probe)).map(demangle);
                frames.push(Frame { function: name.or_else(|| exported(address)).unwrap_or_default(), ..unknown() });
            }
            let last = frames.len() - 1;
            let is_foreign = !instrumented.contains(object.name.rsplit('/').next().unwrap_or_default());
            for (index, frame) in frames.iter_mut().enumerate() {
                frame.address = address as u64;
                frame.module = module.to_owned();
                frame.inlined = index != last;
                frame.foreign = is_foreign || is_library(&frame.file);
            }
            frames
        })
    }
}

/// The test that a frame of the harness calls: a closure of the test's own name, under the name of the crate. It may be
/// inlined, and then stands within the name of what calls it:
/// `<la::tests::sums::{closure#0} as core::ops::function::FnOnce<()>>::call_once`.
fn test_in(function: &str) -> Option<&str> {
    let end = ["::{closure#0}", "::{closure_env#0}"].iter().find_map(|closure| function.find(closure))?;
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let before = &function[..end];
    let path = before.rfind(|c| !is_path(c)).map_or(before, |at| before[at..].trim_start_matches(|c| !is_path(c)));
    Some(path.split_once("::").map_or(path, |(_, name)| name)).filter(|name| !name.is_empty())
}

/// Functions of the C library between the kernel and `main`, or the thread's own function.
const STARTERS: &[&str] = &[
    "",
    "_start",
    "__libc_start_main",
    "__libc_start_call_main",
    "__libc_start_main_impl",
    "start_thread",
    "clone",
    "clone3",
    "__clone3",
    "__clone",
];

fn open(object: &Object, address: usize) -> File {
    // What lies under these names may be the user's, who must not choose what a privileged program reads.
    if crate::start::is_privileged() {
        return File::Missing(object.name.clone());
    }
    if !object.path.is_empty() {
        return match Loader::new(&object.path) {
            Ok(loader) => File::Open(Box::new(loader), object.path.clone()),
            Err(_) => File::Missing(object.path.clone()),
        };
    }
    // The executable may have been renamed or deleted since; this link still opens it.
    if object.name.is_empty() {
        let path = std::fs::read_link("/proc/self/exe").map(|p| p.display().to_string()).unwrap_or_default();
        return match Loader::new("/proc/self/exe") {
            Ok(loader) => File::Open(Box::new(loader), path),
            Err(_) => File::Missing(path),
        };
    }
    let path = mapped_path(address).unwrap_or_else(|| object.name.clone());
    match Loader::new(&path) {
        Ok(loader) => File::Open(Box::new(loader), path),
        Err(_) => File::Missing(path),
    }
}

/// The path of the file mapped at an address: absolute, unlike what the loader may have.
fn mapped_path(address: usize) -> Option<String> {
    let maps = std::fs::read("/proc/self/maps").ok()?;
    let maps = String::from_utf8_lossy(&maps);
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let hex = |text| usize::from_str_radix(text, 16).ok();
        let holds = (hex(start)?..hex(end)?).contains(&address);
        let path = rest.find('/').map(|at| rest[at..].trim_end_matches(" (deleted)").to_owned());
        if holds { path } else { None }
    })
}

fn debug_frames(loader: &Loader, probe: u64) -> Vec<Frame> {
    let Ok(frames) = loader.find_frames(probe) else { return Vec::new() };
    let named = frames.map(|frame| {
        let function = frame.function.as_ref().and_then(|f| f.raw_name().ok().map(|name| demangle(&name)));
        let place = frame.location;
        Ok(Frame {
            // Line tables alone do not name the outermost function.
            function: function.or_else(|| loader.find_symbol(probe).map(demangle)).unwrap_or_default(),
            file: place.as_ref().and_then(|l| l.file).map(tidy).unwrap_or_default(),
            line: place.as_ref().and_then(|l| l.line).unwrap_or_default(),
            column: place.as_ref().and_then(|l| l.column).unwrap_or_default(),
            ..Frame::default()
        })
    });
    let mut frames: Vec<Frame> = named.collect().unwrap_or_default();
    // Code that the line table does not cover says nothing.
    frames.retain(|frame| !frame.function.is_empty() || frame.line != 0);
    frames
}

/// A path without the detours that compilers leave in it: `/a/b/../c` is `/a/c`.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(last)) if !last.is_empty() && *last != ".." && *last != "." => drop(parts.pop()),
            ("." | "", Some(_)) => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The name that the dynamic loader has for an address.
fn exported(address: usize) -> Option<String> {
    // Addresses of another process mean nothing to this one's.
    if crate::image::is_read() {
        return None;
    }
    let mut info = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
    // SAFETY: `info` is room for what `dladdr` fills in, zero bytes are valid; a name that it
    // gives is a C string of the object, which is loaded.
    unsafe {
        if ::libc::dladdr(address as *const _, info.as_mut_ptr()) == 0 {
            return None;
        }
        let name = info.assume_init().dli_sname;
        (!name.is_null()).then(|| demangle(&CStr::from_ptr(name).to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack;

    #[inline(never)]
    fn here() -> Vec<usize> {
        stack::addresses(stack::capture(stack::StackId::NONE))
    }

    #[test]
    fn paths_are_tidied() {
        let cases = [
            ("/a/b/../c", "/a/c"),
            ("/a/b/../../../c", "/../c"),
            ("../x/./y//z", "../x/y/z"),
            ("a.c", "a.c"),
            ("./a/../b", "./b"),
            ("", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(tidy(path), expected, "{path}");
        }
    }

    #[test]
    fn tests_are_found_in_names_of_closures() {
        for (function, test) in [
            ("la::tests::sums::{closure#0}", Some("tests::sums")),
            ("<la::tests::sums::{closure#0} as core::ops::function::FnOnce<()>>::call_once", Some("tests::sums")),
            ("call_once<la::sums::{closure_env#0}, ()>", Some("sums")),
            ("{closure#0}", None),
            ("::{closure#0}", None),
            ("core::ops::function::FnOnce::call_once", None),
        ] {
            assert_eq!(test_in(function), test, "{function}");
        }
    }

    #[test]
    fn addresses_that_lie_nowhere_stay_addresses() {
        let frames = Symbols::new().stack(&[0x10], 10);
        // Nothing is known of it, so it is below everything.
        assert!(frames.is_empty());
        assert!(here().len() <= stack::DEPTH);
    }

    #[test]
    fn functions_of_libraries_are_named() {
        let address = ::libc::qsort as *const () as usize;
        let mut symbols = Symbols::new();
        let frame = &symbols.frames(address)[0];
        assert!(frame.function.contains("qsort"), "{frame:?}");
        assert!(frame.module.contains("libc"), "{frame:?}");
    }
}
