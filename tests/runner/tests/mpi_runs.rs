//! Whole runs of MPI programs: one report of all ranks, ranks that die, and ranks that were not built with Nonius.

use nonius_tests::tools::{self, nonius_binary, tests_root};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LIBRARIES: [&str; 2] = ["openmpi", "mpich"];

fn nonius() -> PathBuf {
    nonius_binary(&tests_root().unwrap()).unwrap()
}

fn compile(library: &str, source: &Path, to: &Path, is_plain: bool) {
    let compiler = if is_plain { "clang-22".into() } else { tools::compiler(&nonius(), "nonius-cc") };
    let mut command = Command::new(format!("mpicc.{library}"));
    command.env("OMPI_CC", &compiler).env("MPICH_CC", &compiler);
    let include = tests_root().unwrap().join("mpi");
    let output = command.arg("-O2").arg(source).arg("-I").arg(include).arg("-o").arg(to).arg("-lm").output();
    let output = output.expect("'./x setup --tests' installs both libraries");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The launcher, with `before` ahead of it.
fn launch(before: &[&Path], library: &str, folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("120").args(before);
    if !before.is_empty() {
        command.args(["run", "--report=r.json"]);
    }
    command.arg(format!("mpirun.{library}"));
    if library == "openmpi" {
        command.arg("--oversubscribe");
    }
    command.args(words).current_dir(folder).env("TMPDIR", folder).env_remove("NONIUS_OPTIONS");
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.output().unwrap()
}

fn report(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("r.json")).unwrap()).unwrap()
}

fn program(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("program.c");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn one_report_names_the_ranks() {
    for library in LIBRARIES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        compile(library, &tests_root().unwrap().join("mpi/scan.c"), &folder.join("a"), false);
        let output = launch(&[&nonius()], library, folder, &["-n", "4", "./a"]);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        // Each rank prints two lines, once: a second run would print nothing, and there is none.
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 8);
        let report = report(folder);
        let mut ranks: Vec<(u64, String)> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| (f["location"]["line"].as_u64().unwrap(), f["ranks"].to_string()))
            .collect();
        ranks.sort();
        assert_eq!(ranks, [(9, "[0,1,2,3]".to_owned()), (12, "[1,2,3]".to_owned())]);
        let notes = report["notes"].to_string();
        assert!(
            notes.contains("4 processes reported") && notes.contains("not confirmed: shadows cross MPI ranks"),
            "{notes}"
        );
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("seen 3 times, on MPI ranks 1-3;"), "{text}");
    }
}

#[test]
fn ranks_that_were_not_built_with_nonius_turn_carrying_off() {
    for library in LIBRARIES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let source = tests_root().unwrap().join("mpi/sendrecv.c");
        compile(library, &source, &folder.join("shadowed"), false);
        compile(library, &source, &folder.join("plain"), true);
        for order in [["./shadowed", "./plain"], ["./plain", "./shadowed"]] {
            let output = launch(&[], library, folder, &["-n", "1", order[0], ":", "-n", "1", order[1]]);
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{text}");
            assert_eq!(text.matches("of 2 MPI ranks here 1 were linked by Nonius").count(), 1, "{text}");
            assert!(!text.contains("sendrecv.c:8:"), "carried all the same: {text}");
            assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4);
        }
    }
}

#[test]
fn a_rank_that_exits_early_ends_the_run_as_without_nonius() {
    const EARLY: &str = "#include \"common.h\"\nint main(int argc, char **argv) {\n    begin(&argc, &argv);\n    \
                         if (rank == 1) _Exit(3);\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n    return 0;\n}\n";
    for library in LIBRARIES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let source = program(folder, EARLY);
        compile(library, &source, &folder.join("shadowed"), false);
        compile(library, &source, &folder.join("plain"), true);
        let status = |name: &str| launch(&[], library, folder, &["-n", "2", name]).status.code();
        assert_eq!(status("./shadowed"), status("./plain"), "{library}");
        assert_ne!(status("./plain"), Some(124), "it hangs");
    }
}

#[test]
fn two_libraries_or_no_header_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = program(folder.path(), "int main(void) { return 0; }\n");
    let mut command = Command::new(nonius().with_file_name("nonius-cc"));
    command.arg(&source).args(["-o", "a", "-L/usr/lib/x86_64-linux-gnu/openmpi/lib", "-lmpi", "-lmpich"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && text.contains("two MPI libraries are linked (mpi, mpich)"), "{text}");
}

/// The words of a library's Fortran wrapper that matter, without the wrapper.
fn fortran_words(library: &str) -> &'static [&'static str] {
    match library {
        "openmpi" => &["-I/usr/lib/x86_64-linux-gnu/openmpi/include", "-L/usr/lib/x86_64-linux-gnu/openmpi/lib"],
        _ => &["-I/usr/include/x86_64-linux-gnu/mpich"],
    }
}

fn fortran(library: &str, source: &Path, to: &Path) -> Output {
    let mut command = Command::new(nonius().with_file_name("nonius-fortran"));
    command.arg(source).args(["-O2", "-o"]).arg(to).args(fortran_words(library));
    let libraries = if library == "openmpi" { ["-lmpi_mpifh", "-lmpi"] } else { ["-lmpichfort", "-lmpich"] };
    command.args(libraries).output().unwrap()
}

#[test]
fn fortran_carries_without_a_wrapper() {
    for library in LIBRARIES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let output = fortran(library, &tests_root().unwrap().join("mpi/fortran/ring.f90"), &folder.join("a"));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && text.is_empty(), "{text}");
        launch(&[&nonius()], library, folder, &["-n", "3", "./a"]);
        let report = report(folder);
        assert_eq!(report["findings"].as_array().unwrap().len(), 1);
        let finding = &report["findings"][0];
        let place = (&finding["location"]["line"], finding["ranks"].to_string());
        assert_eq!(place, (&Value::from(15), "[0,1,2]".to_owned()), "{library}");
        assert!(finding["worst"]["bits_lost"].as_f64().unwrap() >= 52.0);
    }
}

/// `mpi_f08` lets programs leave out the last argument: what it has not must not reach the library without it.
#[test]
fn what_mpi_f08_has_not_does_not_compile() {
    const CALLS: [(&str, bool); 4] = [
        ("call MPI_Barrier(MPI_COMM_WORLD)", true),
        ("call PMPI_Barrier(MPI_COMM_WORLD)", false),
        ("call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request)", false),
        ("call MPI_Barrier(0)", false),
    ];
    for library in LIBRARIES {
        for (call, is_good) in CALLS {
            let folder = tempfile::tempdir().unwrap();
            let source = folder.path().join("program.f90");
            let request = "type(MPI_Request) :: request";
            fs::write(&source, format!("use mpi_f08\nimplicit none\n{request}\n{call}\nend\n")).unwrap();
            let output = fortran(library, &source, &folder.path().join("a"));
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.success(), is_good, "{call}: {text}");
            assert!(is_good || text.contains("program.f90:4:"), "{call}: {text}");
        }
    }
}

/// What the crate `mpi` does, without it: MPICH's handles are numbers.
const RUST: &str = r#"
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::ptr::null_mut;
unsafe extern "C" {
    fn MPI_Init(argc: *mut c_int, argv: *mut c_void) -> c_int;
    fn MPI_Comm_rank(comm: c_int, rank: *mut c_int) -> c_int;
    fn MPI_Sendrecv_replace(at: *mut c_void, count: c_int, kind: c_int, to: c_int, out: c_int, from: c_int, tag: c_int,
                            comm: c_int, status: *mut c_void) -> c_int;
    fn MPI_Finalize() -> c_int;
}
const WORLD: c_int = 0x44000000;
const DOUBLE: c_int = 0x4c00080b;
fn main() {
    let (large, small) = (black_box(1e16), black_box(if std::env::args().len() > 1 { 0.0 } else { 1.0 }));
    let mut value: f64 = large + small;
    let mut rank = 0;
    unsafe {
        MPI_Init(null_mut(), null_mut());
        MPI_Comm_rank(WORLD, &mut rank);
        MPI_Sendrecv_replace((&raw mut value).cast(), 1, DOUBLE, 1 - rank, 7, 1 - rank, 7, WORLD, 1 as *mut c_void);
    }
    println!("{}", value - large);
    unsafe { MPI_Finalize() };
}
"#;

#[test]
fn rust_carries() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("ring.rs"), RUST).unwrap();
    let mut command = Command::new(nonius());
    command.args(["rustc", "--edition=2024", "-O", "-g", "-l", "mpich", "ring.rs"]).current_dir(folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (words, count) in [(&["-n", "2", "./ring"][..], 1), (&["-n", "2", "./ring", "stable"], 0)] {
        let output = launch(&[&nonius()], "mpich", folder, words);
        assert_eq!(output.stdout, b"0\n0\n", "{}", String::from_utf8_lossy(&output.stderr));
        let report = report(folder);
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings.len(), count, "{report}");
        assert!(findings.iter().all(|f| f["ranks"] == serde_json::json!([0, 1])), "{report}");
    }
}
