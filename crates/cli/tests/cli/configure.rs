//! What configure scripts, CMake and libtool ask of a compiler. They take any word on stderr for
//! a failure, and any difference for another compiler.

use crate::home::{Folder, NONIUS, finish};

#[test]
fn questions_get_clangs_own_answers() {
    let folder = Folder::new();
    for line in [
        "--version",
        "-v",
        "-dumpmachine",
        "-dumpversion",
        "-print-search-dirs",
        "-print-prog-name=ld",
        "-print-file-name=libc.so",
        "-print-multi-os-directory",
        "-print-target-triple",
        "-V",
        "-qversion",
        "-Wl,--version",
        "",
    ] {
        assert_eq!(folder.nonius(&format!("cc {line}")), folder.clang(line), "{line}");
    }
}

#[test]
fn tests_of_configure_pass_in_silence() {
    let folder = Folder::with(&[
        ("conftest.c", "int main(void)\n{\n\n  return 0;\n}\n"),
        ("conftest.cpp", "#include <iostream>\nint main() { std::cout << \"\"; }\n"),
        ("conftest.h", "int from_header;\n"),
        ("conftest.S", "#ifdef __NONIUS__\n\tnop\n#endif\n"),
        ("conftest.txt", "int main(void) { return 0; }\n"),
        ("words.rsp", "-c \"conftest.c\" -o rsp.o\n"),
    ]);
    for line in [
        "cc -c conftest.c",
        "cc -c -g -O2 conftest.c",
        "cc -c -Weverything -Werror -pedantic-errors conftest.c",
        "cc -o conftest conftest.c",
        "cc -o conftest -g -O2 conftest.c -lm",
        "cc -o conftest -Werror conftest.o",
        "cc conftest.c",
        "cc -E conftest.c -o conftest.i",
        "cc -c conftest.i",
        "cc -M conftest.c -o deps",
        "cc -MD -MF deps -MT x -c conftest.c",
        "cc -fsyntax-only -Werror conftest.c",
        "cc -c conftest.S -Werror",
        "cc conftest.h -o conftest.h.pch -Werror",
        "cc -include conftest.h -c conftest.c",
        "cc -S conftest.c",
        "cc -S -emit-llvm conftest.c",
        "cc -c conftest.ll -Werror",
        "cc conftest.ll -o conftest",
        "cc -fPIC -DPIC -c conftest.c -o shared.o",
        "cc -shared shared.o -Wl,-soname -Wl,libc1.so.0 -o libc1.so",
        "cc -r conftest.o -o again.o",
        "cc -x c conftest.txt -o conftest",
        "cc -o conftest -- conftest.c",
        "cc @words.rsp",
        // With any -g clang warns here of its own assembly: "inconsistent use of MD5 checksums".
        "cc -g0 -save-temps -c conftest.c",
        "cc -flto -c conftest.c -o lto.o",
        "cc -Werror -Wl,--as-needed -Wl,-z,relro -rdynamic -pthread conftest.c -o conftest",
        "c++ -c -Werror conftest.cpp",
        "c++ -o conftest conftest.cpp",
    ] {
        folder.nonius(line).silent(line);
    }
}

#[test]
fn the_preprocessor_reads_standard_input() {
    let folder = Folder::new();
    let source = "#include <nonius.h>\n#if defined __NONIUS__ && STANDIN_HEADER\nyes\n#endif\n";
    let left = finish(folder.command(NONIUS).args(["cc", "-E", "-"]), source);
    assert!(left.code == Some(0) && left.stderr.is_empty() && left.stdout.ends_with("yes\n"), "{left:?}");
    let left = finish(folder.command(NONIUS).args(["cc", "-xc", "-c", "-o", "a.o", "-"]), "int x;\n");
    left.silent("a source on standard input");
}

#[test]
fn errors_are_clangs_own() {
    let folder = Folder::with(&[
        ("conftest.c", "int main(void) { return no_such; }\n"),
        ("b.c", "int f(void);\nint main(void) { return f(); }\n"),
    ]);
    for line in ["-c conftest.c", "-c missing.c", "-c conftest.c --no-such-option", "-c conftest.c -o", "-E missing.c"]
    {
        assert_eq!(folder.nonius(&format!("cc {line}")), folder.clang(line), "{line}");
    }
    let link = folder.nonius("cc b.c");
    assert_eq!(link.code, Some(1));
    assert!(link.stderr.contains("undefined reference to `f'"), "{}", link.stderr);
}

#[test]
fn a_wrapper_of_a_wrapper_works() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    let left = finish(folder.command("env").args(["LC_ALL=C", NONIUS, "cc", "a.c", "-o", "a"]), "");
    left.silent("env");
    folder.nonius("run ./a"); // must not hang: there is no report
}
