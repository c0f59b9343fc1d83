//! The library exports what the pass calls, and nothing else.

mod common;

use nonius_abi::{api, files, hooks, libc, libm, thread};
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;

fn exported() -> BTreeMap<String, SymbolKind> {
    let bytes = std::fs::read(common::runtime()).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let defined = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    defined.map(|symbol| (symbol.name().unwrap().to_owned(), symbol.kind())).collect()
}

/// Functions of the C library that the runtime stands in front of.
fn interposed() -> impl Iterator<Item = &'static str> {
    let endings = libc::INTERPOSED_ENDINGS.iter().chain(libc::INTERPOSED_CANCELLATION);
    files::FUNCTIONS.iter().chain(endings).copied()
}

#[test]
fn every_name_of_the_abi_is_exported() {
    let mut expected: Vec<String> = hooks::HOOKS.iter().map(|hook| hook.name.to_owned()).collect();
    expected.extend(hooks::PRESERVING.iter().map(|hook| hooks::preserving(hook)));
    expected.extend([hooks::COLD, hooks::LIMITS, hooks::FLOATS, thread::POINTER].map(str::to_owned));
    expected.extend(libc::WRAPPED.iter().map(|name| libc::wrapper(name)));
    expected.extend(
        [api::CHECK, api::PRINT, api::ULPS, api::CAPTURE].iter().chain(api::PLAIN).map(|name| (*name).to_owned()),
    );
    for (prefix, _) in api::REQUESTS {
        expected.extend(api::SUFFIXES.iter().map(|suffix| format!("{prefix}{suffix}")));
    }
    for function in libm::FUNCTIONS {
        use libm::Shape::*;
        let kinds: &[&str] = match function.shape {
            ToInteger | Sincos | Remquo | LgammaR => &[],
            Complex | ComplexPair => &["c"],
            _ => &["r", "w", "q"],
        };
        expected.extend(kinds.iter().map(|kind| format!("__nonius_{kind}_{}", function.evaluator)));
    }
    expected.extend(interposed().map(str::to_owned));
    let exported = exported();
    let missing: Vec<_> = expected.iter().filter(|name| !exported.contains_key(*name)).collect();
    assert!(missing.is_empty(), "not exported: {missing:?}");
}

#[test]
fn nothing_else_is_exported() {
    let listens = |name: &String| interposed().any(|f| f == name);
    let own = |name: &String| name.starts_with("__nonius_") || name == libc::WRAP_REALLOC || listens(name);
    let foreign: Vec<_> = exported().into_keys().filter(|name| !own(name)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn thread_locals_leave_room_for_others() {
    assert_eq!(exported()[thread::POINTER], SymbolKind::Tls);
    let bytes = std::fs::read(common::runtime()).unwrap();
    let file = object::read::elf::ElfFile64::<object::Endianness>::parse(&*bytes).unwrap();
    let segments = object::read::elf::ElfFile::elf_program_headers(&file);
    let tls: u64 = segments
        .iter()
        .filter(|header| header.p_type.get(object::Endianness::Little) == object::elf::PT_TLS)
        .map(|header| header.p_memsz.get(object::Endianness::Little))
        .sum();
    // What a late dlopen finds free in the static block is a kilobyte and a half, for all libraries. Most of this is MPFR's.
    assert!(tls > 0 && tls <= 1024, "{tls} bytes");
}
