//! What clang is really asked to do, as `-###` shows it.

use crate::home::{Folder, Left, NONIUS, finish, home_path, runtime_path};
use std::os::unix::fs::symlink;

/// The words of the line that runs `tool`, such as `-cc1` or `ld`.
fn words_of(left: &Left, tool: &str) -> Vec<String> {
    let line = left.stderr.lines().find(|l| l.contains(tool)).unwrap_or_else(|| panic!("no {tool}:\n{}", left.stderr));
    line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn position(words: &[String], word: &str) -> usize {
    words.iter().position(|w| w == word).unwrap_or_else(|| panic!("no {word} in {words:?}"))
}

#[test]
fn a_compile_gets_the_plugin_lines_and_the_macro() {
    let folder = Folder::with(&[("a.c", "int x;\n")]);
    let words = words_of(&folder.nonius("cc -### -c -O2 a.c"), "-cc1");
    for word in [
        &format!("-fpass-plugin={}/libnonius_pass.so", home_path()),
        "-debug-info-kind=line-tables-only",
        "__NONIUS__=1",
        "-pic-is-pie",
        "-O2",
    ] {
        position(&words, word);
    }
    let include = position(&words, "-idirafter");
    assert_eq!(words[include + 1], format!("{}/include", home_path()));
}

#[test]
fn the_users_words_win() {
    let folder = Folder::with(&[("a.c", "int x;\n")]);
    let words = words_of(&folder.nonius("cc -### -c -g3 -fPIC -U__NONIUS__ a.c"), "-cc1");
    position(&words, "-debug-info-kind=constructor");
    assert!(!words.contains(&"-pic-is-pie".to_owned()));
    assert!(position(&words, "__NONIUS__=1") < words.iter().rposition(|w| w == "__NONIUS__").unwrap());
    let none = words_of(&folder.nonius("cc -### -c -g0 a.c"), "-cc1");
    assert!(!none.iter().any(|w| w.starts_with("-debug-info-kind")));
}

#[test]
fn a_link_gets_the_runtime_behind_the_users_libraries() {
    let folder = Folder::with(&[("a.o", "")]);
    let words = words_of(&folder.nonius("cc -### a.o -lfoo -Wl,-rpath,/opt/lib -o a"), "/ld\"");
    let runtime = position(&words, &runtime_path());
    assert_eq!(words[runtime - 3..runtime], ["--push-state", "--no-as-needed", "-Bdynamic"]);
    // Shadows call fma where the processor has none.
    assert_eq!(words[runtime + 1..runtime + 6], ["--as-needed", "-lm", "--pop-state", "-rpath", &home_path()]);
    assert!(position(&words, "-lfoo") < runtime && position(&words, "/opt/lib") < runtime);
    position(&words, "-pie");
}

#[test]
fn cpp_links_its_library() {
    let folder = Folder::with(&[("a.cpp", "int main() {}\n")]);
    let left = folder.nonius("c++ -### a.cpp");
    position(&words_of(&left, "/ld\""), "-lstdc++");
    let of_c = folder.nonius("cc -### a.cpp");
    assert!(!words_of(&of_c, "/ld\"").contains(&"-lstdc++".to_owned()));
}

#[test]
fn assembly_preprocessing_and_relocatable_links_go_without() {
    let folder = Folder::with(&[("a.c", ""), ("a.s", ""), ("a.o", "")]);
    for line in ["cc -### -c a.s", "cc -### -E a.c", "cc -### -fsyntax-only a.c", "cc -### -r a.o -o b.o"] {
        let left = folder.nonius(line);
        assert!(!left.stderr.contains("libnonius"), "{line}: {}", left.stderr);
    }
}

#[test]
fn the_names_of_the_wrappers_work() {
    let folder = Folder::with(&[("a.cc", "int main() {}\n")]);
    for (name, cpp) in [("nonius-cc", false), ("nonius-c++", true)] {
        symlink(NONIUS, folder.path(name)).unwrap();
        let left = finish(folder.command(folder.path(name)).args(["-###", "a.cc"]), "");
        let words = words_of(&left, "/ld\"");
        position(&words, &runtime_path());
        assert_eq!(words.contains(&"-lstdc++".to_owned()), cpp, "{name}");
    }
}

#[test]
fn own_options_reach_the_plugin_and_not_clang() {
    let folder = Folder::with(&[("a.c", "int x;\n")]);
    let mut command = folder.command(NONIUS);
    command.args(["cc", "-c", "--nonius-no-avx", "--nonius-skip-functions=a b*", "a.c", "--nonius-check-loads"]);
    command.env("STANDIN_OPTIONS", folder.path("seen"));
    finish(&mut command, "").silent("own options");
    assert_eq!(folder.read("seen"), "no-avx=1\u{1f}skip-functions=a b*\u{1f}check-loads=1");

    let mut command = folder.command(NONIUS);
    command.args(["cc", "-c", "a.c"]).env("NONIUS_PASS_OPTIONS", "stale").env("STANDIN_OPTIONS", folder.path("seen"));
    finish(&mut command, "").silent("no own options");
    assert_eq!(folder.read("seen"), "(none)");
}

#[test]
fn help_is_clangs_except_for_our_own() {
    let folder = Folder::new();
    assert_eq!(folder.nonius("cc --help").stdout, folder.clang("--help").stdout);
    let own = folder.nonius("cc --nonius-help");
    assert_eq!(own.code, Some(0));
    assert!(own.stdout.contains("--nonius-only-functions=GLOB"));
}

#[test]
fn what_no_cache_would_see_is_refused() {
    let folder = Folder::with(&[("a.c", "int x;\n")]);
    let mut command = folder.command(NONIUS);
    let left = finish(command.args(["cc", "-c", "a.c"]).env("NONIUS_COMPILE_OPTIONS", "--nonius-no-avx"), "");
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("ccache") && left.stderr.contains("CFLAGS"), "{}", left.stderr);
    // Cargo builds anew when they change.
    let mut command = folder.command(NONIUS);
    command.args(["cc", "-c", "a.c"]).env("NONIUS_COMPILE_OPTIONS", "--nonius-no-avx");
    command.env("NONIUS_BUILD_SCRIPT_TARGET", "t").env("OUT_DIR", "/target/t/out");
    finish(command.env("STANDIN_OPTIONS", folder.path("seen")), "").silent("under cargo");
    assert_eq!(folder.read("seen"), "no-avx=1");
}

#[test]
fn caches_can_ask_what_decides_on_the_code() {
    let folder = Folder::new();
    let left = folder.nonius("cc --nonius-identity");
    assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""));
    assert!(left.stdout.contains("libnonius_pass.so") && left.stdout.contains("clang"), "{}", left.stdout);
    assert_eq!(left, folder.nonius("c++ --nonius-identity"));
}
