//! Doctests: findings name the lines of the file that they stand in, be they programs of their own (edition 2021) or merged
//! into one (2024).

use nonius_tests::report::Report;
use nonius_tests::tools::{nonius_binary, tests_root};
use std::path::Path;
use std::process::Command;

/// Findings are expected on the lines that end with `sqrt());`, or `sqrt()`.
const SOURCE: &str = r#"//! Statements alone.
//!
//! ```
//! let x = std::hint::black_box(1e15f64);
//! println!("{}", (x + 1.0).sqrt() - x.sqrt());
//! ```

/// Hidden lines, and the crate itself.
///
/// ```
/// # use doc::same;
/// let x = std::hint::black_box(1e15f64);
///
/// println!("{}", same(x));
/// println!("{}", (x + 2.0).sqrt() - x.sqrt());
/// ```
///
/// A program:
///
/// ```
/// use doc::same;
/// fn gap(x: f64) -> f64 {
///     (x + 3.0).sqrt() - x.sqrt()
/// }
/// fn main() {
///     let x = std::hint::black_box(1e15f64);
///     println!("{}", gap(same(x)));
/// }
/// ```
///
/// Nothing to find:
///
/// ```
/// let x = std::hint::black_box(1e15f64);
/// println!("{}", 1.0 / ((x + 1.0).sqrt() + x.sqrt()) > 0.0);
/// ```
pub fn same(x: f64) -> f64 {
    x
}
/** A block of comment.

```
let x = std::hint::black_box(1e15f64);
# let _hidden = 1;
println!("{}", (x + 4.0).sqrt() - x.sqrt());
```
*/
pub mod inner {
    /// ```
    /// # fn f() -> Result<(), std::fmt::Error> {
    /// let x = std::hint::black_box(1e15f64);
    /// println!("{}", (x + 5.0).sqrt() - x.sqrt());
    /// # Ok(())
    /// # }
    /// # f().unwrap();
    /// ```
    pub fn f() {}
    /// ```
    /// let x = std::hint::black_box(1e15f64);
    /// println!("{}", (x + 6.0).sqrt() - x.sqrt());
    /// # Ok::<(), std::fmt::Error>(())
    /// ```
    pub fn g() {}
}
"#;

fn run(folder: &Path, edition: &str) -> (Report, String) {
    std::fs::create_dir(folder.join("src")).unwrap();
    let manifest = format!("[package]\nname = \"doc\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n[workspace]\n");
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/lib.rs"), SOURCE).unwrap();
    let wrapper = nonius_binary(&tests_root().unwrap()).unwrap().with_file_name("cargo-nonius");
    let report = folder.join("report.json");
    let mut command = Command::new(wrapper);
    command.args(["nonius", "test", "--doc"]).current_dir(folder).env_remove("RUSTC_WRAPPER");
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.env("NONIUS_OPTIONS", format!("report={}", report.display())).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    (Report::read(&report).unwrap(), told)
}

fn are_named_by_their_lines(edition: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (report, told) = run(folder.path(), edition);
    let is_bad = |line: &str| line.contains(".sqrt() - x.sqrt()");
    let expected: Vec<(u32, u32)> = SOURCE
        .lines()
        .zip(1..)
        .filter(|(text, _)| is_bad(text))
        .map(|(text, line)| (line, text.find("(x +").unwrap() as u32 + 1))
        .collect();
    let mut places: Vec<(u32, u32)> = report
        .findings
        .iter()
        .inspect(|f| assert!(f.location.file.ends_with("src/lib.rs"), "{}", f.location.file))
        .inspect(|f| assert_eq!(f.kind, "precision-loss"))
        .inspect(|f| assert!((33.0..=53.0).contains(&f.worst.bits_lost.as_f64().unwrap()), "{}", f.worst.bits_lost))
        .map(|f| (f.location.line, f.location.column))
        .collect();
    places.sort_unstable();
    assert_eq!(places, expected, "{told}");
    // The source is shown, and the program that shows it is gone.
    assert!(
        told.contains("println!(\"{}\", (x + 2.0).sqrt() - x.sqrt());") && !told.contains("doctest_bundle"),
        "{told}"
    );
}

#[test]
fn doctests_that_are_programs_of_their_own_are_named_by_their_lines() {
    are_named_by_their_lines("2021");
}

#[test]
fn doctests_that_were_merged_are_named_by_their_lines() {
    are_named_by_their_lines("2024");
}
