//! Bitcode, in all ways that it becomes a program: results as without Nonius, and the same finding in each.

use nonius_tests::program::nonius;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const MAIN: &str = "#include <stdio.h>
double root(double b, double c);
int main(void) { volatile double b = 1e8; printf(\"%.17g\\n\", root(b, 1)); return 0; }
";
const ROOT: &str = "#include <math.h>
double root(double b, double c) { double d = sqrt(b * b - 4 * c); return (-b + d) / 2; }
";
const ANSWER: &str = "-7.4505805969238281e-09\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("main.c"), MAIN).expect("a file");
        fs::write(folder.path().join("root.c"), ROOT).expect("a file");
        Folder(folder)
    }

    fn output(&self, program: &Path, words: &str) -> Output {
        let mut command = Command::new(program);
        command.args(words.split_whitespace()).current_dir(self.0.path()).env("NONIUS_OPTIONS", "color=never");
        command.output().unwrap_or_else(|error| panic!("{}: {error}", program.display()))
    }

    /// Runs commands, `nonius` among them, that must succeed in silence.
    fn build(&self, lines: &[&str]) {
        for line in lines {
            let (program, words) = line.split_once(' ').expect("a program and its words");
            let program = if program == "nonius" { nonius() } else { program.into() };
            let left = self.output(&program, words);
            assert!(left.status.success() && left.stderr.is_empty(), "{line}: {left:?}");
        }
    }

    /// Runs the program that `lines` leave as `a`. Returns how often its report names the line with the fault.
    fn findings(&self, lines: &[&str]) -> usize {
        self.build(lines);
        let left = self.output(&self.0.path().join("a"), "");
        assert_eq!(String::from_utf8_lossy(&left.stdout), ANSWER, "{lines:?}");
        String::from_utf8_lossy(&left.stderr).matches("--> root.c:2:78").count()
    }
}

#[test]
fn every_way_to_link_bitcode_finds_the_fault() {
    for lines in [
        // In steps and through an archive, with each linker.
        &[
            "nonius cc -O2 -flto -c main.c root.c",
            "llvm-ar-22 rcs r.a root.o",
            "nonius cc -O2 -flto main.o r.a -o a -lm",
        ][..],
        &["nonius cc -O1 -flto=thin -c main.c root.c", "nonius cc -flto=thin -fuse-ld=lld main.o root.o -o a -lm"],
        &["nonius cc -O0 -flto=thin -c main.c root.c", "nonius cc -O0 -flto=thin -fuse-ld=gold main.o root.o -o a -lm"],
        &["nonius cc -O3 -flto -c main.c root.c", "nonius cc -O3 -flto -fuse-ld=bfd main.o root.o -o a -lm"],
        // Without -flto, lld takes bitcode all the same.
        &["nonius cc -O2 -flto -c main.c root.c", "nonius cc -fuse-ld=lld main.o root.o -o a -lm"],
        // Mixtures: machine code, full and thin bitcode, bitcode of plain clang.
        &["nonius cc -O2 -c main.c", "nonius cc -O2 -flto -c root.c", "nonius cc -O2 -flto main.o root.o -o a -lm"],
        &[
            "nonius cc -O2 -flto=thin -c main.c",
            "nonius cc -O2 -flto -c root.c",
            "nonius cc -flto main.o root.o -o a -lm",
        ],
        &[
            "clang-22 -O2 -flto=thin -c main.c",
            "nonius cc -O2 -flto=thin -c root.c",
            "nonius cc -flto=thin main.o root.o -o a -lm",
        ],
        &[
            "clang-22 -O2 -flto -c main.c",
            "nonius cc -O2 -flto -c root.c",
            "nonius cc -O2 -flto main.o root.o -o a -lm",
        ],
        // Objects with both, used as either.
        &["nonius cc -O2 -flto -ffat-lto-objects -c main.c root.c", "nonius cc main.o root.o -o a -lm"],
        &[
            "nonius cc -O2 -flto -ffat-lto-objects -c main.c root.c",
            "nonius cc -O2 -flto -ffat-lto-objects main.o root.o -o a -lm",
        ],
        // Relocatable and shared links, where LTO ends before the program is linked.
        &[
            "nonius cc -O2 -flto -c main.c root.c",
            "nonius cc -O2 -flto -r main.o root.o -o all.o",
            "nonius cc all.o -o a -lm",
        ],
        &["nonius cc -O2 -flto -fPIC -shared root.c -o libroot.so -lm", "nonius cc -O2 -flto main.c ./libroot.so -o a"],
        &["nonius cc -g0 -O2 -flto=thin -save-temps main.c -c", "nonius cc -O2 -flto=thin main.o root.c -o a -lm"],
        &["nonius c++ -O2 -flto -x c++ main.c root.c -o a"],
    ] {
        assert_eq!(Folder::new().findings(lines), 1, "{lines:?}");
    }
}

#[test]
fn ir_is_instrumented_by_the_compile_that_makes_machine_code_of_it() {
    let emit = "nonius cc -O2 -emit-llvm -c main.c root.c";
    assert_eq!(Folder::new().findings(&[emit, "nonius cc -O2 main.bc root.bc -o a -lm"]), 1);
    assert_eq!(Folder::new().findings(&[emit, "nonius cc -O0 main.bc root.bc -o a -lm"]), 1);
    let text = ["nonius cc -O1 -S -emit-llvm main.c root.c", "nonius cc -O3 main.ll root.ll -o a -lm"];
    assert_eq!(Folder::new().findings(&text), 1);
    // Plain clang makes the plain program of it.
    assert_eq!(Folder::new().findings(&[emit, "clang-22 -O2 main.bc root.bc -o a -lm"]), 0);
}

#[test]
fn options_of_a_compile_hold_in_the_link() {
    let skip =
        ["nonius cc -O2 -flto --nonius-skip-files=root.c -c root.c", "nonius cc -O2 -flto main.c root.o -o a -lm"];
    assert_eq!(Folder::new().findings(&skip), 0);
    let only =
        ["nonius cc -O2 -flto --nonius-only-functions=root -c root.c", "nonius cc -O2 -flto main.c root.o -o a -lm"];
    assert_eq!(Folder::new().findings(&only), 1);
}

#[test]
fn a_cache_of_plain_links_is_not_used() {
    let folder = Folder::new();
    let cached = "-O2 -flto=thin -fuse-ld=lld -Wl,--thinlto-cache-dir=cache main.o root.o -o a -lm";
    let compile = "nonius cc -O2 -flto=thin -c main.c root.c";
    assert_eq!(folder.findings(&[compile, &format!("clang-22 {cached}")]), 0);
    for _ in 0..2 {
        assert_eq!(folder.findings(&[&format!("nonius cc {cached}")]), 1);
    }
}

#[test]
fn rust_is_built_without_lto_and_with_incremental_modules() {
    let source = "use std::hint::black_box;
mod inner { pub fn root(b: f64, c: f64) -> f64 { (-b + (b * b - 4.0 * c).sqrt()) / 2.0 } }
#[inline(never)] fn pass(s: [f64; 3]) -> [f64; 3] { [s[0] + 1.0, s[1], s[2]] }
fn main() { println!(\"{:e} {:?}\", inner::root(black_box(1e8), 1.0), pass(black_box([1.0, 0.7, 1.0]))); }
";
    for flags in ["-Clto=fat", "-Clto=thin", "-Clinker-plugin-lto", "-Cincremental=inc -Ccodegen-units=4"] {
        let folder = Folder::new();
        fs::write(folder.0.path().join("a.rs"), source).expect("a file");
        folder.build(&[&format!("nonius rustc -O {flags} a.rs -o a")]);
        let left = folder.output(&folder.0.path().join("a"), "");
        let stderr = String::from_utf8_lossy(&left.stderr);
        assert_eq!(String::from_utf8_lossy(&left.stdout), "-7.450580596923828e-9 [2.0, 0.7, 1.0]\n", "{flags}");
        assert_eq!(stderr.matches("--> a.rs:2:").count(), 1, "{flags}: {stderr}");
    }
}
