//! What programs ask for in C, Rust and Fortran, and what is followed without being asked for.

use super::{Built, bounds, build, ends, nonius, of_unit_interval, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

#[test]
fn rounding_functions_are_followed() {
    for (function, least, most) in
        [("floor", 0.0, 3.0), ("ceil", 0.0, 3.0), ("trunc", 0.0, 3.0), ("round", 0.0, 3.0), ("rint", 0.0, 3.0)]
    {
        for (call, level) in [(format!("{function}(3 * x)"), "-O0"), (format!("{function}f((float)(3 * x))"), "-O2")] {
            // What is left beside the integer is only small where the integer is that of the number.
            let body = format!("double n = {call}; double t = 3 * x - n; z = n + 100 * t * t;");
            let (report, _) = build(&of_unit_interval("", &body), level).run("oracle=zonotope:quiet=1");
            let z = bounds(&report, "z");
            assert_eq!(z["holds_for"], "all-inputs", "{call} {level}: {}", report["notes"]);
            let [lo, hi] = ends(&z["value"]);
            assert!(lo <= least && hi >= most && hi < 103.5, "{call} {level}: {z}");
        }
    }
    // What has too many integers, or may not be followed, has all of them.
    for (body, options) in [("z = floor(1e6 * x);", ""), ("z = 1e6 * floor(x);", "paths=0")] {
        let (report, _) = build(&of_unit_interval("", body), "-O2").run(&format!("oracle=zonotope:quiet=1:{options}"));
        let z = bounds(&report, "z");
        let [lo, hi] = ends(&z["value"]);
        assert!(lo <= 0.0 && hi >= 1e6 && z["holds_for"] == "all-inputs", "{body}: {z} {}", report["notes"]);
    }
}

/// An elimination with a pivot: either is as good.
const PIVOT: &str = "double a = x - 0.4, b = 1; BEGIN int swaps = fabs(a) < fabs(b); END \
    double p = swaps ? b : a, q = swaps ? a : b; z = p * 2 + q * 3;";

#[test]
fn a_pivot_takes_one_path() {
    let of = |begin: &str, end: &str, margin: &str| {
        let body = PIVOT.replace("BEGIN", begin).replace("END", end).replace("b = 1", margin);
        of_unit_interval("", &body)
    };
    for level in ["-O0", "-O2"] {
        let run = |source: &str| build(source, level).run("oracle=zonotope:quiet=1").0;
        let report = run(&of("nonius_one_path_begin();", "nonius_one_path_end();", "b = 0.5"));
        let z = bounds(&report, "z");
        assert_eq!(z["holds_for"], "one-path", "{level}: {report}");
        assert!(report["notes"].to_string().contains("one path: a test"), "{level}: {}", report["notes"]);
        // 2 b + 3 a of all inputs, though some would swap nothing.
        let [lo, hi] = ends(&z["value"]);
        assert!(lo <= -0.2 && hi >= 2.8 && hi - lo < 3.01, "{level}: {z}");
        assert_eq!(report["findings"].as_array().expect("findings").len(), 0, "{level}: {report}");
        // All ways else; and where there is but one, nothing is excepted.
        let z = run(&of("", "", "b = 0.5"));
        assert_eq!(bounds(&z, "z")["holds_for"], "all-inputs", "{level}: {z}");
        let z = run(&of("nonius_one_path_begin();", "nonius_one_path_end();", "b = 1"));
        assert_eq!(bounds(&z, "z")["holds_for"], "all-inputs", "{level}: {z}");
    }
}

#[test]
fn lanes_of_vectors_that_disagree_are_joined() {
    let before = "double v[64], w[64];\n\
        __attribute__((noinline)) void pick(void) { for (int i = 0; i < 64; i++) w[i] = v[i] < 0.5 ? CHOICE; }";
    for (choice, least, most, jumps) in
        [("v[i] : v[i] + 10", 0.0, 11.0, true), ("v[i] : 1 - v[i]", 0.0, 0.5, false), ("v[i] : 0.5", 0.0, 0.5, false)]
    {
        let body = "for (int i = 0; i < 64; i++) v[i] = 0.25; \
            for (int i = 0; i < 64; i += 5) { v[i] = 0.25; nonius_input_error(&v[i], 0.0, 1.0, -1e-9, 1e-9); } \
            pick(); z = w[5];";
        let source = of_unit_interval(&before.replace("CHOICE", choice), body);
        for level in ["-O0", "-O3"] {
            let (report, _) = build(&source, level).run("oracle=zonotope:quiet=1");
            let z = bounds(&report, "z");
            assert_eq!(z["holds_for"], "all-inputs", "{choice} {level}: {}", report["notes"]);
            let [lo, hi] = ends(&z["value"]);
            assert!(lo <= least && lo > least - 0.6 && hi >= most && hi < most + 0.6, "{choice} {level}: {z}");
            let is_found =
                report["findings"].as_array().expect("findings").iter().any(|f| f["kind"] == "unstable-branch");
            assert_eq!(is_found, jumps, "{choice} {level}: {report}");
        }
    }
}

#[test]
fn fortran_has_the_same_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "program main\n  use nonius\n  real(8) :: x, y, z\n  x = 0.25d0\n  y = 0.25d0\n\
        call nonius_input(x, 0d0, 1d0, name='x')\n  z = 2 * x\n  call nonius_bounds(z, 'z')\n\
        call nonius_split()\n  if (x < 0.5d0) then\n  y = x\n  else\n  y = 1 - x\n  end if\n  call nonius_merge(y)\n\
        call nonius_bounds(y, 'y')\n  print *, y + z\nend program\n";
    std::fs::write(folder.path().join("a.f90"), source).expect("a file in the test's own folder");
    for level in ["-O0", "-O2"] {
        let built = fortran(folder.path(), level);
        let (report, _) = built.run("oracle=zonotope:quiet=1");
        let [lo, hi] = ends(&bounds(&report, "z")["value"]);
        assert!(lo <= 0.0 && (2.0..2.1).contains(&hi), "{level}: {lo} {hi}");
        let [lo, hi] = ends(&bounds(&report, "y")["value"]);
        assert!(lo <= 0.0 && (0.5..1.01).contains(&hi), "{level}: {lo} {hi}");
        assert_eq!(bounds(&report, "y")["holds_for"], "all-inputs", "{level}: {report}");
    }
}

fn fortran(folder: &Path, level: &str) -> Built {
    let program = folder.join("a");
    let module = root().join("include/nonius.F90");
    let mut command = Command::new(nonius());
    command.args(["fortran", level, "-g", "-o"]).args([&program, &module]).arg("a.f90").current_dir(folder);
    let built = command.output().expect("nonius starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    // The program's own folder is gone with the test's.
    Built { folder: tempfile::tempdir().expect("a folder"), program }
}

#[test]
fn rust_has_the_same_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let api = root().join("crates/api-rs").canonicalize().expect("the crate");
    let manifest = format!(
        "[package]\nname = \"ranges\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nnonius = {{ path = {api:?} }}\n"
    );
    std::fs::create_dir(at("src")).expect("a folder in the test's own");
    std::fs::write(at("Cargo.toml"), manifest).expect("a file in the test's own folder");
    std::fs::write(at("src/main.rs"), RANGES).expect("a file in the test's own folder");
    for profile in [&["run"][..], &["run", "--release"]] {
        let mut command = Command::new(nonius().with_file_name("cargo-nonius"));
        command.arg("nonius").args(profile).current_dir(folder.path()).env("CARGO_TARGET_DIR", at("target"));
        let options = format!("oracle=zonotope:quiet=1:report={}", at("report.json").display());
        let ran = command.env("NONIUS_OPTIONS", options).env("CARGO_NET_OFFLINE", "true").output();
        let ran = ran.expect("cargo nonius starts");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "0.25 0.5\n", "{}", String::from_utf8_lossy(&ran.stderr));
        let text = std::fs::read(at("report.json")).expect("a report");
        let report: Value = serde_json::from_slice(&text).expect("JSON");
        let [lo, hi] = ends(&bounds(&report, "y")["value"]);
        assert!(lo <= 0.0 && (0.5..1.01).contains(&hi), "{profile:?}: {report}");
        let [lo, hi] = ends(&bounds(&report, "z")["value"]);
        assert!(lo <= 0.0 && (2.0..2.01).contains(&hi), "{profile:?}: {report}");
        assert_eq!(bounds(&report, "y")["holds_for"], "one-path", "{profile:?}: {report}");
    }
}

const RANGES: &str = r#"
fn main() {
    let mut x = std::hint::black_box(0.25f64);
    nonius::input!(x, 0.0, 1.0, -1e-9, 1e-9);
    nonius::split();
    let mut y = if x < 0.5 { x } else { 1.0 - x };
    nonius::merge(std::slice::from_mut(&mut y));
    nonius::bounds!(y);
    let z = nonius::one_path(|| if x < 0.4 { 2.0 * x } else { 100.0 });
    nonius::bounds!(z);
    println!("{y} {}", 2.0 * y);
}
"#;
