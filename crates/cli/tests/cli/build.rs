//! Programs and libraries built through the wrapper start and find the runtime.

use crate::home::{Folder, NONIUS, finish};
use std::os::unix::fs::symlink;

#[test]
fn a_make_project_builds_and_runs() {
    let folder = Folder::with(&[
        ("main.c", "#include \"twice.h\"\nint main(void) { return twice(21.0) == 42.0 ? 0 : 1; }\n"),
        ("twice.c", "#include \"twice.h\"\ndouble twice(double x) { return x + x; }\n"),
        ("twice.h", "double twice(double x);\n"),
        (
            "Makefile",
            "CFLAGS = -O2 -Wall -Werror -MMD\nARFLAGS = rc\nprogram: main.o libtwice.a\n\t$(CC) $(LDFLAGS) -o $@ $^ -lm\n\
             libtwice.a: libtwice.a(twice.o)\n",
        ),
    ]);
    symlink(NONIUS, folder.path("nonius-cc")).unwrap();
    let make = format!("CC={}", folder.path("nonius-cc").display());
    let left = finish(folder.command("make").args(["-s", &make]), "");
    assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""));
    assert_eq!(finish(&mut folder.command("./program"), "").code, Some(0));
    assert!(folder.read("main.d").contains("twice.h"));
}

/// The `NEEDED` entries of a program or library.
fn needed(folder: &Folder, file: &str) -> String {
    let left = finish(folder.command("llvm-readelf-22").args(["--dynamic-table", file]), "");
    assert_eq!(left.code, Some(0), "{}", left.stderr);
    left.stdout
}

#[test]
fn the_runtime_is_needed_whatever_the_linker_is_told() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n"), ("b.c", "int f(void) { return 1; }\n")]);
    for line in [
        "cc a.c -o a",
        "cc -Wl,--as-needed a.c -o a",
        "cc -fuse-ld=lld a.c -o a",
        "cc -Wl,--gc-sections -Wl,-O1 -s a.c -o a",
        "cc a.c -o a -Wl,-Bstatic -Wl,-Bdynamic",
    ] {
        folder.nonius(line).silent(line);
        let dynamic = needed(&folder, "a");
        assert!(dynamic.contains("[libnonius_rt.so]"), "{line}: {dynamic}");
        assert_eq!(finish(&mut folder.command("./a"), "").code, Some(0), "{line}");
    }
    let line = "cc -shared -fPIC b.c -o libb.so -Wl,--no-undefined";
    folder.nonius(line).silent(line);
    assert!(needed(&folder, "libb.so").contains("[libnonius_rt.so]"));
}

#[test]
fn executables_are_position_independent() {
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    folder.nonius("cc a.c -o a").silent("a.c");
    let left = finish(folder.command("llvm-readelf-22").args(["--file-header", "a"]), "");
    assert!(left.stdout.contains("DYN (Shared object file)"), "{}", left.stdout);
}

#[test]
fn names_with_blanks_and_commas_come_through() {
    let folder = Folder::with(&[("a, b.c", "int main(void) { return X; }\n")]);
    let mut command = folder.command(NONIUS);
    command.args(["cc", "-DX=(1, 0)", "-Wno-unused-value", "a, b.c", "-o", "out put"]);
    finish(&mut command, "").silent("blanks");
    assert_eq!(finish(&mut folder.command("./out put"), "").code, Some(0));
}
