//! Nonius in its places: under CMake with link-time optimization, behind ccache, installed, packaged, removed.

use nonius_tests::tools::{nonius_binary, tests_root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const LIBRARY: &str = "double twice(double x) { return x + x; }\n";
const PROGRAM: &str = r#"
#include <stdio.h>
double twice(double);
int main(void) {
    volatile double big = 1e16, one = 1;
    double sum = big + one;
    printf("%g\n", twice(sum - big));
}
"#;

struct Project {
    folder: TempDir,
    nonius: PathBuf,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file in the test's own folder");
        }
        let nonius = nonius_binary(&tests_root().expect("the tests' folder")).expect("a nonius");
        Project { folder, nonius }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// One of the names that the program goes by.
    fn tool(&self, name: &str) -> PathBuf {
        let tool = self.nonius.with_file_name(name);
        assert!(tool.exists(), "{} is missing: run './x build'", tool.display());
        tool
    }

    /// Words of the line with blanks in them are in quotes.
    fn command(&self, program: impl AsRef<Path>, line: &str) -> Command {
        let mut command = Command::new(program.as_ref());
        let words = line.split('"').enumerate().flat_map(|(n, part)| match n % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        command.args(words).current_dir(self.folder.path());
        command.env("XDG_STATE_HOME", self.path(".state")).env("CCACHE_DIR", self.path(".ccache"));
        for name in ["NONIUS_OPTIONS", "LD_LIBRARY_PATH", "CC", "CXX", "CFLAGS", "DESTDIR", "NONIUS_HOME"] {
            command.env_remove(name);
        }
        command
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs to the end, well, and gives what was said.
fn done(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = text(&stdout) + &text(&stderr);
    assert!(status.success(), "{command:?}: {status}\n{said}");
    said
}

const LISTS: &str = "
cmake_minimum_required(VERSION 3.16)
project(sums C CXX)
include(CheckIPOSupported)
check_ipo_supported()
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
enable_testing()
add_library(twice STATIC twice.c)
add_executable(a a.c)
target_link_libraries(a twice)
add_test(NAME a COMMAND a)
add_test(NAME fails COMMAND ${CMAKE_COMMAND} -E false)
";

#[test]
fn cmake_optimizes_between_procedures_with_or_without_the_toolchain_file() {
    let project = Project::new(&[("CMakeLists.txt", LISTS), ("a.c", PROGRAM), ("twice.c", LIBRARY)]);
    let toolchain = tests_root().expect("the tests' folder").join("../cmake/nonius.cmake");
    let by_file = format!("-S . -B by-file -G Ninja \"-DCMAKE_TOOLCHAIN_FILE={}\"", toolchain.display());
    let mut configure = project.command("cmake", &by_file);
    // The toolchain file finds the program beside it, or in PATH.
    let folder = project.nonius.parent().expect("a folder").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    done(configure.env("PATH", &path));
    let mut configure = project.command("cmake", "-S . -B by-name -G Ninja");
    done(configure.env("CC", project.tool("nonius-cc")).env("CXX", project.tool("nonius-c++")));
    for build in ["by-file", "by-name"] {
        done(&mut project.command("cmake", &format!("--build {build}")));
        let left = project.command(&project.nonius, &format!("run --confirm=0 ./{build}/a")).output().expect("it runs");
        assert_eq!(left.status.code(), Some(1), "{build}: {}", text(&left.stderr));
        assert!(text(&left.stderr).contains("precision-loss"), "{build}: {}", text(&left.stderr));
    }
    // A failed test is not green, whatever is found in the others.
    let tests = format!("run --confirm=0 ctest --test-dir {:?}", project.path("by-name"));
    let left = project.command(&project.nonius, &tests).output().expect("it runs");
    assert_eq!(left.status.code(), Some(8), "ctest's own status: {}", text(&left.stderr));
    assert!(text(&left.stderr).contains("precision-loss"), "{}", text(&left.stderr));
}

#[test]
fn the_presets_are_presets() {
    let project = Project::new(&[("CMakeLists.txt", LISTS), ("a.c", PROGRAM), ("twice.c", LIBRARY)]);
    let presets = tests_root().expect("the tests' folder").join("../cmake/CMakePresets.json");
    fs::copy(presets, project.path("CMakePresets.json")).expect("a file to copy");
    let said = done(&mut project.command("cmake", "--list-presets=all"));
    assert!(said.matches("\"nonius\"").count() == 3, "{said}");
}

#[test]
fn ccache_sees_what_changes_the_code() {
    let project = Project::new(&[("a.c", PROGRAM)]);
    let compile = |flags: &str, object: &str| {
        let line = format!("{:?} -O2 {flags} -c a.c -o {object}", project.tool("nonius-cc"));
        let mut command = project.command("ccache", &line);
        done(command.env("CCACHE_COMPILERCHECK", "%compiler% --nonius-identity"));
        fs::read(project.path(object)).expect("an object")
    };
    let hits = || {
        let said = done(&mut project.command("ccache", "--print-stats"));
        let count = |name: &str| {
            let line = said.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {said}"));
            line.split_whitespace().last().and_then(|n| n.parse::<u32>().ok()).expect("a number")
        };
        count("direct_cache_hit") + count("preprocessed_cache_hit")
    };
    let whole = compile("", "a.o");
    let without = compile("--nonius-skip-functions=main", "b.o");
    assert_eq!(hits(), 0, "other options make other code");
    assert_ne!(whole.len(), without.len());
    assert_eq!(compile("", "c.o"), whole);
    assert_eq!(compile("--nonius-skip-functions=main", "d.o"), without);
    assert_eq!(hits(), 2);
    // An option that ccache would not see is refused wherever code is made.
    let line = format!("{:?} -O1 -c a.c", project.tool("nonius-cc"));
    let mut command = project.command("ccache", &line);
    let left = command.env("NONIUS_COMPILE_OPTIONS", "--nonius-no-avx").output().expect("ccache starts");
    assert!(!left.status.success() && text(&left.stderr).contains("CFLAGS"), "{}", text(&left.stderr));
}

/// `./x`, which takes what was built as it is.
fn x(project: &Project, line: &str) -> Command {
    let root = tests_root().expect("the tests' folder").join("..");
    let mut command = project.command(root.join("x"), line);
    command
        .env("NONIUS_X_BUILT", "1")
        .env("CARGO_TARGET_DIR", project.nonius.ancestors().nth(2).expect("a target folder"));
    command
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() && !path.is_symlink() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_is_installed_can_be_removed() {
    let project = Project::new(&[]);
    let prefix = project.path("prefix");
    for destination in [None, Some(project.path("stage"))] {
        let line = |verb: &str| format!("{verb} --prefix {}", prefix.display());
        let run = |verb: &str| {
            let mut command = x(&project, &line(verb));
            done(command.envs(destination.iter().map(|folder| ("DESTDIR", folder))))
        };
        run("install");
        let staged = |folder: &PathBuf| folder.join(prefix.strip_prefix("/").expect("an absolute path"));
        let root = destination.as_ref().map_or_else(|| prefix.clone(), staged);
        for name in [
            "bin/nonius-cc",
            "bin/nonius-llvm-ar",
            "lib/nonius/libnonius_rt.so",
            "include/nonius.h",
            "include/nonius_acsl.h",
            "share/man/man1/nonius-run.1",
            "share/bash-completion/completions/nonius",
            "share/nonius/cmake/nonius.cmake",
            "share/nonius/cmake/CMakePresets.json",
        ] {
            assert!(root.join(name).is_file(), "{name} after {destination:?}");
        }
        run("uninstall");
        assert!(files(&root).is_empty(), "{:?}", files(&root));
    }
}

/// Installs the package by dpkg into an empty root, runs the demo from there, and removes it again. What it depends on is
/// this machine's.
fn installs_by_dpkg(project: &Project, deb: &Path) {
    let root = project.path("root");
    for folder in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    fs::write(root.join("var/lib/dpkg/status"), "").expect("a file");
    let dpkg = |words: &str| {
        let always = format!("--root={} --force-depends --force-not-root --log=/dev/null", root.display());
        done(&mut project.command("dpkg", &format!("{always} {words}")))
    };
    dpkg(&format!("--install {deb:?}"));
    let listed = dpkg("--listfiles nonius");
    assert!(
        listed.contains("/usr/bin/nonius-cc") && listed.contains("/usr/share/man/man1/nonius-run.1.gz"),
        "{listed}"
    );
    let status = done(
        &mut project.command("dpkg-query", &format!("--admindir={} -W nonius", root.join("var/lib/dpkg").display())),
    );
    assert!(status.starts_with("nonius\t"), "{status}");
    demo(project, &root.join("usr"));
    dpkg("--purge nonius");
    assert!(files(&root.join("usr")).is_empty(), "{:?}", files(&root.join("usr")));
}

/// Runs the demo of an installation, where there is no Rust.
fn demo(project: &Project, root: &Path) {
    let mut command = project.command(root.join("share/nonius/examples/demo"), "");
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    let said = done(command.env_clear().env("PATH", path).env("HOME", project.path("home")));
    assert!(said.contains("4 programs with findings, 1 without"), "{said}");
}

#[test]
fn packages_pass_the_demo_without_rust() {
    let project = Project::new(&[]);
    done(&mut x(&project, "package"));
    let folder = project.nonius.with_file_name("../package");
    let package = |end: &str| {
        let all = files(&folder);
        all.into_iter().find(|path| path.to_string_lossy().ends_with(end)).unwrap_or_else(|| panic!("no {end}"))
    };
    done(&mut project.command("tar", &format!("-xf {:?}", package(".tar.gz"))));
    let unpacked = fs::read_dir(project.folder.path()).expect("a folder").flatten().map(|entry| entry.path());
    let unpacked = unpacked.into_iter().find(|path| path.join("bin/nonius").exists()).expect("an unpacked tree");
    demo(&project, &unpacked);
    let deb = package(".deb");
    done(&mut project.command("dpkg-deb", &format!("-x {deb:?} deb")));
    demo(&project, &project.path("deb/usr"));
    installs_by_dpkg(&project, &deb);
    let depends = done(&mut project.command("dpkg-deb", &format!("-f {deb:?} Depends")));
    assert!(depends.contains("clang-22"), "{depends}");
}
