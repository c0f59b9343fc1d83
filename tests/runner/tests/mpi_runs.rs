//! Whole runs of MPI programs: one report of all ranks, ranks that die, and ranks that were not built with Nonius.

use nonius_tests::tools::{nonius_binary, tests_root};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LIBRARIES: [&str; 2] = ["openmpi", "mpich"];

fn nonius() -> PathBuf {
    nonius_binary(&tests_root().unwrap()).unwrap()
}

fn compile(library: &str, source: &Path, to: &Path, is_plain: bool) {
    let compiler = if is_plain { "clang-22".into() } else { nonius().with_file_name("nonius-cc") };
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

/// flang refuses Open MPI's `mpif.h`, and the flags that MPICH's `mpifort` adds: so without that wrapper.
#[test]
fn fortran_over_mpich_carries() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut command = Command::new(nonius().with_file_name("nonius-fortran"));
    command.arg(tests_root().unwrap().join("mpi/fortran/ring.f90")).args(["-O2", "-o"]).arg(folder.join("a"));
    command.args(["-I/usr/include/x86_64-linux-gnu/mpich", "-lmpichfort", "-lmpich"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    launch(&[&nonius()], "mpich", folder, &["-n", "3", "./a"]);
    let report = report(folder);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    let finding = &report["findings"][0];
    assert_eq!((&finding["location"]["line"], finding["ranks"].to_string()), (&Value::from(15), "[0,1,2]".to_owned()));
    assert!(finding["worst"]["bits_lost"].as_f64().unwrap() >= 52.0);
}
