//! Optimization levels: a name for the test's own name, and the compiler flags behind it.

/// One way to compile a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub name: &'static str,
    pub flags: &'static [&'static str],
}

const fn level(name: &'static str, flags: &'static [&'static str]) -> Level {
    Level { name, flags }
}

const ALL: &[Level] = &[
    level("O0", &["-O0"]),
    level("O1", &["-O1"]),
    level("O2", &["-O2"]),
    level("O3", &["-O3"]),
    level("Os", &["-Os"]),
    level("O2-fast", &["-O2", "-ffast-math"]),
    level("O2-native", &["-O2", "-march=native"]),
    level("O3-native", &["-O3", "-march=native"]),
    level("O2-contract", &["-O2", "-ffp-contract=fast", "-mfma"]),
    // One processor for all machines: what fast-math lets the code generator reassociate depends on latencies.
    level("O3-v3-fast", &["-O3", "-march=x86-64-v3", "-ffast-math"]),
    level("O0-lto", &["-O0", "-flto"]),
    level("O1-lto", &["-O1", "-flto"]),
    level("O2-lto", &["-O2", "-flto=full", "-fuse-ld=lld"]),
    level("O3-lto", &["-O3", "-flto"]),
    level("O0-thin", &["-O0", "-flto=thin", "-fuse-ld=lld"]),
    level("O1-thin", &["-O1", "-flto=thin", "-fuse-ld=lld"]),
    level("O2-thin", &["-O2", "-flto=thin"]),
    level("O3-thin", &["-O3", "-flto=thin", "-fuse-ld=lld"]),
    level("O2-thin-gold", &["-O2", "-flto=thin", "-fuse-ld=gold"]),
];

/// What fire and clean tests use unless they say otherwise.
pub const FINDING_LEVELS: &[&str] = &["O0", "O2", "O3"];

/// What transparent tests use unless they say otherwise.
pub const TRANSPARENT_LEVELS: &[&str] = &["O0", "O1", "O2", "O3", "O2-fast", "O2-native", "O2-contract", "O3-v3-fast"];

/// LTO, full and thin: a program under `transparent/` that names no levels has one of these rows besides the usual ones.
pub const LTO_LEVELS: &[&[&str]] = &[&["O1-lto", "O2-thin"], &["O2-lto", "O3-thin"], &["O3-lto", "O1-thin"]];

/// Fortran and Rust go through the same pass: fewer levels tell as much.
pub const FEWER_FINDING_LEVELS: &[&str] = &["O0", "O2"];
pub const FEWER_TRANSPARENT_LEVELS: &[&str] = &["O0", "O3-native"];

pub fn by_name(name: &str) -> Option<Level> {
    ALL.iter().copied().find(|l| l.name == name)
}
