//! What kind of input a file on the command line is.

/// What clang makes of an input, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A source of the C family: becomes LLVM IR.
    Source,
    /// A header or module interface given as an input: becomes a precompiled header.
    Header,
    /// Assembly, with or without a preprocessor: never becomes LLVM IR.
    Assembly,
    /// LLVM IR, as text or bitcode.
    Ir,
    /// Everything clang hands to the linker, or to another compiler: objects, libraries, scripts.
    Other,
}

/// The kind that a file name implies.
pub(crate) fn by_name(name: &str) -> Kind {
    let file = name.rsplit('/').next().unwrap_or(name);
    match file.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "c" | "i" | "m" | "mi" | "cc" | "CC" | "cp" | "cxx" | "CXX" | "cpp" | "CPP" | "c++" | "C++" | "C" | "ii"
        | "mm" | "mii" | "M" | "cl" | "cli" | "clcpp" | "clii" | "cu" | "cui" | "hip" | "hipi" | "hlsl" | "cppm"
        | "ccm" | "cxxm" | "c++m" | "iim" | "pcm" | "ast" => Kind::Source,
        "h" | "hh" | "H" | "hpp" | "hxx" => Kind::Header,
        "s" | "S" | "asm" => Kind::Assembly,
        "ll" | "bc" => Kind::Ir,
        _ => Kind::Other,
    }
}

const FORTRAN: &[&str] = &[
    "f", "F", "for", "FOR", "fpp", "FPP", "ftn", "FTN", "f77", "F77", "f90", "F90", "f95", "F95", "f03", "F03", "f08",
    "F08", "f18", "F18", "cuf", "CUF",
];

/// Whether a file name is that of a Fortran source.
pub fn is_fortran_source(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| FORTRAN.contains(&extension))
}

/// Whether a file name is that of a Rust source.
pub fn is_rust_source(name: &str) -> bool {
    name.ends_with(".rs")
}

/// The kind that a file name implies for flang, which reads no C.
pub(crate) fn by_name_for_flang(name: &str) -> Kind {
    match by_name(name) {
        _ if is_fortran_source(name) => Kind::Source,
        kind @ (Kind::Ir | Kind::Assembly) => kind,
        _ => Kind::Other,
    }
}

/// Whether a file name is that of a C++ source, so that the C++ libraries must be linked.
pub fn is_cpp_source(name: &str) -> bool {
    const CPP: &[&str] = &["cc", "CC", "cp", "cxx", "CXX", "cpp", "CPP", "c++", "C++", "C", "ii", "mm", "cppm"];
    name.rsplit_once('.').is_some_and(|(_, extension)| CPP.contains(&extension))
}

/// The kind that `-x language` gives to the files after it; `None` for `-x none`, which goes back
/// to their names.
pub(crate) fn by_language(language: &str) -> Option<Kind> {
    match language {
        "none" => None,
        "assembler" | "assembler-with-cpp" => Some(Kind::Assembly),
        "ir" => Some(Kind::Ir),
        "object" => Some(Kind::Other),
        _ if language.ends_with("-header") || language.ends_with("-header-unit") => Some(Kind::Header),
        _ if language.starts_with('f') => Some(Kind::Other), // f77, f95 and their -cpp-input: Fortran
        _ => Some(Kind::Source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        let cases = [
            ("a.c", Kind::Source),
            ("dir.d/a.C", Kind::Source),
            ("a.b.cpp", Kind::Source),
            ("a.ii", Kind::Source),
            ("../all.h", Kind::Header),
            ("start.S", Kind::Assembly),
            ("a.ll", Kind::Ir),
            ("a.o", Kind::Other),
            ("libm.so.6", Kind::Other),
            ("libx.a", Kind::Other),
            ("no.c/extension", Kind::Other),
            ("", Kind::Other),
        ];
        for (name, kind) in cases {
            assert_eq!(by_name(name), kind, "{name}");
        }
    }

    #[test]
    fn languages_tell_the_kind() {
        let cases = [
            ("none", None),
            ("c", Some(Kind::Source)),
            ("c++-cpp-output", Some(Kind::Source)),
            ("objective-c++-header", Some(Kind::Header)),
            ("c++-system-header", Some(Kind::Header)),
            ("assembler-with-cpp", Some(Kind::Assembly)),
            ("ir", Some(Kind::Ir)),
            ("f95-cpp-input", Some(Kind::Other)),
        ];
        for (language, kind) in cases {
            assert_eq!(by_language(language), kind, "{language}");
        }
    }
}
