//! `nonius run pytest` over a native module: one report with the module's findings, confirmed, and pytest's own status.

use nonius_tests::program::{Built, nonius};
use nonius_tests::tools;
use serde_json::Value;
use std::fs;
use std::process::Output;

/// Debian's, which `./x setup --tests` installs pytest and the headers for. Its program is not position-independent and can
/// have no shadow memory: one of two lines around its library can.
const PYTHON: &str = "/usr/bin/python3";
const LAUNCHER: &str =
    "#include <Python.h>\nint main(int count, char **words) { return Py_BytesMain(count, words); }\n";

const MODULE: &str = r#"
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
static double gap_of(double x) { return sqrt(x + 1) - sqrt(x); }
static double stable_gap_of(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }
static PyObject *gap(PyObject *self, PyObject *x) { return PyFloat_FromDouble(gap_of(PyFloat_AsDouble(x))); }
static PyObject *stable_gap(PyObject *self, PyObject *x) { return PyFloat_FromDouble(stable_gap_of(PyFloat_AsDouble(x))); }
static PyMethodDef methods[] = {{"gap", gap, METH_O, ""}, {"stable_gap", stable_gap, METH_O, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "roots", "", -1, methods};
PyMODINIT_FUNC PyInit_roots(void) { return PyModule_Create(&module); }
"#;

const BAD: &str = "import roots\n\ndef test_gap():\n    assert 0 <= roots.gap(1e15) < 1\n";
const STABLE: &str = "import roots\n\ndef test_stable_gap():\n    assert 0 < roots.stable_gap(1e15) < 1\n";
const FAILING: &str = "import roots\n\ndef test_wrong():\n    assert roots.stable_gap(1e15) > 1\n";

const SETUP: &str = "from setuptools import Extension, setup\nsetup(name='roots', version='1.0', \
                     ext_modules=[Extension('roots', ['roots.c'], libraries=['m'])])\n";
const SCRIPT: &str = "import sys, roots\nprint(getattr(roots, sys.argv[1])(1e15))\n";

/// The module, built as setuptools would with CC=nonius-cc, beside the tests.
fn project() -> Built {
    let built = Built::new("cc", &[], "empty.c", "int main(void) { return 0; }\n");
    fs::write(built.path("roots.c"), MODULE).expect("a file");
    for (name, text) in [("test_bad.py", BAD), ("test_stable.py", STABLE), ("failing.py", FAILING)] {
        fs::write(built.path(name), text).expect("a file");
    }
    let ask = "import sysconfig as s\nprint(s.get_path('include'), s.get_config_var('EXT_SUFFIX'), s.get_python_version(), sep='\\n')";
    let said = built.command(PYTHON.as_ref(), &["-c", ask]).output().expect("Debian's Python");
    let said = String::from_utf8(said.stdout).expect("text");
    let [include, suffix, version] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
    let (include, output) = (format!("-I{include}"), format!("roots{suffix}"));
    let words = ["-O2", "-g", "-shared", "-fPIC", &include, "roots.c", "-o", &output, "-lm"];
    let left = built.command(&nonius().with_file_name("nonius-cc"), &words).output().expect("nonius-cc starts");
    assert!(left.status.success(), "is python3-dev there ('./x setup --tests')? {}", stderr(&left));
    fs::write(built.path("python.c"), LAUNCHER).expect("a file");
    let words = ["-fPIE", "-pie", &include, "python.c", "-o", "python", &format!("-lpython{version}")];
    let left = built.command("clang-22".as_ref(), &words).output().expect("clang starts");
    assert!(left.status.success(), "{}", stderr(&left));
    built
}

fn stderr(left: &Output) -> String {
    String::from_utf8_lossy(&left.stderr).into_owned()
}

/// Runs pytest on some files; its status, what was said, and the report.
fn run(built: &Built, files: &[&str]) -> (Option<i32>, String, Value) {
    let head = ["run", "--report=r.json", "./python", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
    let left = built.nonius(&[&head[..], files].concat());
    let said = stderr(&left) + &String::from_utf8_lossy(&left.stdout);
    let report = fs::read(built.path("r.json")).unwrap_or_else(|e| panic!("{e}: {said}"));
    (left.status.code(), said, serde_json::from_slice(&report).expect("JSON"))
}

#[test]
fn findings_of_a_native_module_are_confirmed_and_named() {
    let built = project();
    let (status, said, report) = run(&built, &["test_bad.py", "test_stable.py"]);
    assert!(said.contains("2 passed"), "pytest's own output stays: {said}");
    assert_eq!(status, Some(1), "{said}");
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{said}");
    let finding = &findings[0];
    assert_eq!(
        (&finding["location"]["function"], &finding["location"]["line"]),
        (&"gap_of".into(), &5.into()),
        "{said}"
    );
    assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{said}");
    // Python's own frames are one line.
    let frames = said.lines().filter(|line| line.contains("_PyEval") || line.contains("Py_Main")).count();
    assert!(frames <= 1, "{said}");
}

#[test]
fn a_stable_module_is_clean_and_a_failing_test_keeps_pytests_status() {
    let built = project();
    let (status, said, report) = run(&built, &["test_stable.py"]);
    assert_eq!((status, report["findings"].as_array().map(Vec::len)), (Some(0), Some(0)), "{said}");
    let (status, said, _) = run(&built, &["failing.py"]);
    assert!(said.contains("1 failed"), "{said}");
    assert_eq!(status, Some(1), "{said}");
}

/// The commands of docs/build-systems.md.
#[test]
fn a_module_that_pip_built_is_found_in_by_the_interpreter() {
    let built = project();
    for entry in fs::read_dir(built.path(".")).expect("the project") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "so") {
            fs::remove_file(path).expect("a module");
        }
    }
    fs::write(built.path("setup.py"), SETUP).expect("a file");
    fs::write(built.path("script.py"), SCRIPT).expect("a file");
    let words = ["-m", "pip", "install", "--no-binary", ":all:", "--no-build-isolation", "--no-index", "--no-deps"];
    let mut pip = built.command(PYTHON.as_ref(), &[&words[..], &["--target", "modules", "."]].concat());
    let left = pip.env("CC", tools::compiler(&nonius(), "nonius-cc")).output().expect("Debian's Python");
    assert!(left.status.success(), "is python3-pip there ('./x setup --tests')? {}", stderr(&left));
    for (function, count) in [("gap", 1), ("stable_gap", 0)] {
        let words = ["run", "--report=r.json", "env", "PYTHONPATH=modules", "./python", "script.py", function];
        let left = built.nonius(&words);
        let said = stderr(&left);
        let report: Value = serde_json::from_slice(&fs::read(built.path("r.json")).expect("a report")).expect("JSON");
        let findings = report["findings"].as_array().expect("findings");
        assert_eq!((left.status.code(), findings.len()), (Some(count), count as usize), "{said}");
        assert!(
            findings
                .iter()
                .all(|f| f["location"]["function"] == "gap_of" && f["confirmation"]["verdict"] == "confirmed")
        );
    }
}
