//! Where values are seen: returns that share an end, and stores and calls that the optimizer merged.

use nonius_tests::program::Built;
use serde_json::Value;

/// Function, place and line of all sightings of all findings.
fn sightings(report: &Value) -> Vec<(String, String, u64)> {
    let sighting = |at: &Value, location: &Value| {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        (text(&location["function"]), text(at), location["line"].as_u64().unwrap_or(0))
    };
    let mut all = Vec::new();
    for finding in report["findings"].as_array().expect("a list") {
        let seen = finding.get("observed_location").unwrap_or(&finding["location"]);
        all.push(sighting(&finding["observed_at"], seen));
        let symptoms = finding["symptoms"].as_array().cloned().unwrap_or_default();
        all.extend(symptoms.iter().map(|s| sighting(&s["observed_at"], &s["location"])));
    }
    all
}

/// The line of `source` that holds `mark`.
fn line_of(source: &str, mark: &str) -> u64 {
    source.lines().position(|line| line.contains(mark)).expect("a marked line") as u64 + 1
}

const ORACLES: &[&str] = &["--oracle=residue", "--oracle=mpfr:256"];

#[test]
fn a_return_is_seen_where_it_is_written() {
    const SOURCE: &str = "#include <math.h>
#include <stdio.h>
__attribute__((noinline)) double pick(double x, int k) {
    if (k == 1)
        return sqrt(x + 1) - sqrt(x); // taken
    if (k == 2)
        return cos(1 / x) - 1;
    return (x + 1) * x;
}
int main(void) {
    volatile double x = 1e15;
    volatile int k = 1;
    printf(\"%g\\n\", pick(x, k));
}
";
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", SOURCE);
        for oracle in ORACLES {
            let (stderr, report) = built.run(&["--confirm=0", oracle], &[]);
            let returned: Vec<_> = sightings(&report).into_iter().filter(|s| s.1 == "return").collect();
            let expected = ("pick".to_owned(), "return".to_owned(), line_of(SOURCE, "// taken"));
            assert_eq!(returned, [expected], "{level} {oracle}: {stderr}");
        }
    }
}

#[test]
fn what_was_merged_is_seen_where_it_was_chosen_or_made() {
    const SOURCE: &str = "#include <math.h>
#include <stdio.h>
__attribute__((noinline)) void put(double *p, double x, int k) {
    if (k == 1) // chosen
        *p = (sqrt(x + 1) - sqrt(x)) * 2; // made
    else
        *p = (cos(1 / x) - 1) * 3;
}
int main(void) {
    volatile double x = 1e15;
    volatile int k = 1;
    double out;
    put(&out, x, k);
    printf(\"%g\\n\", out);
}
";
    let [chosen, made] = ["// chosen", "// made"].map(|mark| line_of(SOURCE, mark));
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", SOURCE);
        for oracle in ORACLES {
            let (stderr, report) = built.run(&["--confirm=0", oracle], &[]);
            assert_eq!(report["findings"][0]["location"]["line"], made, "{level} {oracle}: {stderr}");
            let stored = sightings(&report).into_iter().find(|s| s.0 == "put" && s.1 == "store");
            let line = stored.expect("the store is seen").2;
            assert!(line == made || line == chosen, "{level} {oracle}: line {line}\n{stderr}");
        }
    }
}
