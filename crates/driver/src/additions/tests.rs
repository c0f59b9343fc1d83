//! Command lines as make, CMake, autotools, libtool and people write them.

use super::*;
use crate::environment::Environment;
use std::fs;

/// What was added, one word for each matter, in order.
fn added(line: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    for file in ["libnonius_pass.so", "libnonius_rt.so", "nonius.h"] {
        fs::write(home.path().join(file), "").unwrap();
    }
    let environment = Environment { home: Some(home.path().into()), ..Environment::default() };
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let additions =
        Additions::for_invocation(&Invocation::read(&args), &Pieces::of(&environment), Language::C).unwrap();
    let words = [additions.before, additions.after].concat();
    let named = [
        ("-D__NONIUS__=1", "macro"),
        ("-fPIE", "pie-code"),
        ("-gline-tables-only", "lines"),
        ("-fpass-plugin=", "plugin"),
        ("-pie", "pie"),
        ("-fuse-ld=lld", "lld"),
        ("--load-pass-plugin=", "link-plugin"),
        ("--push-state", "runtime"),
    ];
    let found = |prefix: &str| words.iter().any(|w| w.to_string_lossy().starts_with(prefix));
    named.iter().filter(|(prefix, _)| found(prefix)).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

const COMPILE: &str = "macro pie-code lines plugin";
const BUILD: &str = "macro pie-code lines plugin pie runtime";

fn check(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(&added(line), expected, "{line}");
    }
}

#[test]
fn people() {
    check(&[
        ("a.c", BUILD),
        ("a.c -O2 -o a -lm", BUILD),
        ("-g a.c", "macro pie-code plugin pie runtime"),
        ("-g0 a.c", "macro pie-code plugin pie runtime"),
        ("-ggdb3 -c a.c", "macro pie-code plugin"),
        ("-gdwarf-4 -c a.c", "macro pie-code plugin"),
        ("-gz -gsplit-dwarf -gcolumn-info -c a.c", COMPILE),
        ("-c a.c -fPIC", "macro lines plugin"),
        ("-c a.c -fpie", "macro lines plugin"),
        ("-shared -fPIC a.c -o liba.so", "macro lines plugin runtime"),
        ("-shared a.c -o liba.so", "macro lines plugin runtime"),
        ("a.o b.o -o a", "pie runtime"),
        ("-pie a.o -o a", "runtime"),
        ("-S a.c", COMPILE),
        ("-S -emit-llvm a.c -o a.ll", COMPILE),
        ("a.ll -o a", "plugin pie runtime"),
        ("-c a.bc", "plugin"),
        ("-E a.c", "macro pie-code lines"),
        ("-fsyntax-only a.c", "macro pie-code lines"),
        ("--analyze a.c", "macro pie-code lines"),
        ("-c start.S", "macro"),
        ("-c a.s", "macro"),
        ("a.s -o a", "macro pie runtime"),
        ("a.h -o a.h.pch", "macro pie-code lines"),
        ("-x c++-header all.hpp -o all.pch", "macro pie-code lines"),
        ("-x c - -o a", BUILD),
        ("-x assembler - -c -o a.o", "macro"),
        ("-c -x ir a.txt", "plugin"),
        ("-xc a.txt -xnone b.o -o a", BUILD),
        ("-x c a.txt -x none b.s -c", COMPILE),
        ("-E -c a.c", "macro pie-code lines"),
        ("-flto -c a.c", COMPILE),
        ("-flto a.c", "macro pie-code lines plugin pie lld link-plugin runtime"),
        ("-flto=thin a.o b.o -fuse-ld=lld -o a", "pie link-plugin runtime"),
        ("-flto=thin a.o b.o -fuse-ld=gold -o a", "pie lld link-plugin runtime"),
        ("-flto -r a.o b.o -o c.o", "lld link-plugin"),
        ("-fno-lto a.o -o a", "pie runtime"),
        ("-nostdlib -nodefaultlibs a.o -lc -o a", "pie runtime"),
        ("-r a.o b.o -o c.o", ""),
        ("-r a.c -o c.o", COMPILE),
        ("-Wl,-r a.o -o c.o", ""),
        ("-c -- a.c", COMPILE),
        ("-o a -- a.c", BUILD),
        ("-### a.c", BUILD),
        ("-v a.o", "pie runtime"),
    ]);
}

#[test]
fn questions_are_left_alone() {
    check(&[
        ("", ""),
        ("--version", ""),
        ("-v", ""),
        ("-V", ""),
        ("-qversion", ""),
        ("-dumpmachine", ""),
        ("-dumpversion", ""),
        ("--help", ""),
        ("-print-search-dirs", ""),
        ("-print-prog-name=ld", ""),
        ("-print-file-name=libc.so", ""),
        ("--print-multiarch a.c", ""),
        ("-print-multi-os-directory", ""),
        ("-Wl,--version", ""),
        ("-Wl,-v -O2", ""),
        ("-cc1 -triple x86_64 a.c", ""),
        ("-O2 -Wall", ""),
    ]);
}

#[test]
fn make_and_autotools() {
    check(&[
        ("-c -o conftest.o -g -O2 conftest.c", "macro pie-code plugin"),
        ("-o conftest -g -O2 conftest.c -lm", "macro pie-code plugin pie runtime"),
        ("-E conftest.c", "macro pie-code lines"),
        ("-E -", "macro pie-code lines"),
        ("-DHAVE_CONFIG_H -I. -I.. -MT foo.o -MD -MP -MF .deps/foo.Tpo -c -o foo.o foo.c", COMPILE),
        ("-DPACKAGE=\\\"x\\\" -MMD -MF foo.d -MQ foo.o -c foo.c", COMPILE),
        ("-M foo.c", "macro pie-code lines"),
        ("-MM -MF deps foo.c", "macro pie-code lines"),
        ("-o prog main.o util.o -L. -lfoo -lm -pthread", "pie runtime"),
        ("-Wl,--as-needed -Wl,-O1 -o prog main.o", "pie runtime"),
        // libtool
        ("-c src/a.c -fPIC -DPIC -o src/.libs/a.o", "macro lines plugin"),
        ("-shared -fPIC -DPIC .libs/a.o -Wl,-soname -Wl,liba.so.0 -o .libs/liba.so.0.0.0", "runtime"),
        ("-shared -nostdlib /usr/lib/crti.o .libs/a.o -lstdc++ -lc -Wl,-soname,l.so -o .libs/l.so", "runtime"),
        ("-shared -Wl,--whole-archive,libx.a,--no-whole-archive -o libx.so", "runtime"),
        ("-r -o .libs/a-lo.o a.o", ""),
        ("-print-search-dirs -m64", ""),
    ]);
}

#[test]
fn cmake_and_meson() {
    check(&[
        ("-DNDEBUG -O3 -std=gnu11 -MD -MT C/a.c.o -MF C/a.c.o.d -o C/a.c.o -c /src/a.c", COMPILE),
        ("-O3 -DNDEBUG -rdynamic C/a.c.o -o a -Wl,-rpath,/opt/lib /opt/lib/libz.so -lm", "pie runtime"),
        ("-fPIC -O2 -shared -Wl,-soname,libq.so.1 -o libq.so.1 C/q.c.o", "runtime"),
        ("-w -c CMakeCCompilerId.c", COMPILE),
        ("CMakeCCompilerId.c", BUILD),
        ("-v -o cmTC_1 C/t.c.o", "pie runtime"),
        ("-E -dM -x c /dev/null", "macro pie-code lines"),
        ("-Xclang -emit-pch -Xclang -include -Xclang /b/cmake_pch.h -x c-header -c b.h.c", "macro pie-code lines"),
        ("-xc -E -v -", "macro pie-code lines"),
        ("-Ifoo.p -fcolor-diagnostics -Wall -O0 -g -MD -MQ a.o -MF a.o.d -o a.o -c ../a.c", "macro pie-code plugin"),
        ("-o app app.p/main.c.o -Wl,--start-group -lm -Wl,--end-group", "pie runtime"),
    ]);
}

#[test]
fn response_files_are_looked_into() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("objects.rsp");
    fs::write(&file, "a.o \"b c.o\"\n-shared").unwrap();
    assert_eq!(added(&format!("-o x @{}", file.display())), "runtime");
    fs::write(&file, "-O2 -c a.c").unwrap();
    assert_eq!(added(&format!("@{}", file.display())), COMPILE);
}

#[test]
fn nothing_is_put_behind_a_double_dash() {
    let home = tempfile::tempdir().unwrap();
    for file in ["libnonius_pass.so", "libnonius_rt.so"] {
        fs::write(home.path().join(file), "").unwrap();
    }
    let environment = Environment { home: Some(home.path().into()), ..Environment::default() };
    let args = ["-o", "a", "--", "a.c"].map(OsString::from);
    let additions =
        Additions::for_invocation(&Invocation::read(&args), &Pieces::of(&environment), Language::C).unwrap();
    assert_eq!(additions.after, Vec::<OsString>::new());
    assert!(additions.before.contains(&"--push-state".into()));
}

/// Without FMA, shadows call `fma`, also in programs that link no libm.
#[test]
fn the_library_that_shadows_call_is_linked() {
    let home = tempfile::tempdir().unwrap();
    for file in ["libnonius_pass.so", "libnonius_rt.so"] {
        std::fs::write(home.path().join(file), "").unwrap();
    }
    let environment = Environment { home: Some(home.path().into()), ..Environment::default() };
    let words = |line: &str| {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Additions::for_invocation(&Invocation::read(&args), &Pieces::of(&environment), Language::C).unwrap().after
    };
    assert!(words("a.o").contains(&"-lm".into()));
    assert!(!words("-c a.c").contains(&"-lm".into()));
}

#[test]
fn a_missing_piece_matters_only_where_it_is_needed() {
    let home = tempfile::tempdir().unwrap();
    let environment = Environment { home: Some(home.path().into()), ..Environment::default() };
    let try_line = |line: &str| {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Additions::for_invocation(&Invocation::read(&args), &Pieces::of(&environment), Language::C)
    };
    assert!(try_line("--version").is_ok());
    assert!(try_line("-E a.c").is_ok());
    assert!(try_line("-c a.c").unwrap_err().to_string().contains("libnonius_pass.so"));
    assert!(try_line("a.o").unwrap_err().to_string().contains("libnonius_rt.so"));
}
