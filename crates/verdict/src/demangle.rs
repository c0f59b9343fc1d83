//! Names as the source has them.

use cpp_demangle::{DemangleOptions, Symbol};

/// The function behind a linkage name of C++, Rust or Fortran; other names as they are.
pub fn demangle(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        // The alternate form leaves the hash out.
        return format!("{rust:#}");
    }
    if let Some(fortran) = name.strip_prefix("_Q").and_then(fortran) {
        return fortran;
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let cpp = name.starts_with("_Z").then(|| Symbol::new(name)).and_then(Result::ok);
    cpp.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

/// Flang's scheme after `_Q`: capital letters introduce parts, `M` a module, `S` a submodule, `F` the host
/// procedure, `P` the procedure, all in lower case. Anything else is left alone.
fn fortran(parts: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut rest = parts;
    while !rest.is_empty() {
        let kind = rest.chars().next().filter(|c| "MSFPQ".contains(*c))?;
        rest = &rest[kind.len_utf8()..];
        let end = rest.find(|c: char| c.is_ascii_uppercase()).unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        // The main program is a host without a name.
        if !name.is_empty() {
            names.push(name);
        }
        rest = tail;
    }
    (!names.is_empty()).then(|| names.join("::"))
}

#[cfg(test)]
mod tests {
    use super::demangle;
    use proptest::prelude::*;

    #[test]
    fn names_are_those_of_the_source() {
        let cases = [
            ("main", "main"),
            ("_ZN2la3dotEPKdS1_i", "la::dot"),
            ("_ZN3fooIdE3barEv", "foo<double>::bar"),
            ("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("_QMlinearPsolve", "linear::solve"),
            ("_QPsolve", "solve"),
            ("_QFPinner", "inner"),
            ("_QQmain", "main"),
            ("_Zx", "_Zx"),
            ("_Quick", "_Quick"),
            ("solve_", "solve_"),
        ];
        for (name, expected) in cases {
            assert_eq!(demangle(name), expected);
        }
    }

    proptest! {
        #[test]
        fn no_name_makes_it_panic(name in "(_Z|_R|_Q|)[A-Za-z0-9_]{0,40}") {
            let _ = demangle(&name);
        }
    }
}
