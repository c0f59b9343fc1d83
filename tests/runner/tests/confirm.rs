//! Findings that the second run of `nonius run` must know again, whatever lies between the two engines' views of them.

use nonius_tests::program::Built;

const MERGED_STORE: &str = include_str!("../../fire/memory/merged_store.c");

#[test]
fn a_store_without_a_line_is_seen_in_its_function_by_both_engines() {
    for level in ["-O0", "-O2", "-O3"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", MERGED_STORE);
        let (stderr, report) = built.run(&[], &["1e-8", "7", "3", "0"]);
        let finding = &report["findings"][0];
        assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
        assert_eq!(finding["causes"][0]["operation"], "call acos", "{level}: {stderr}");
        let seen = finding["observed_location"].as_object().unwrap_or_else(|| panic!("{level}: {stderr}"));
        assert_eq!(seen["function"], "place", "{level}: {stderr}");
        assert_ne!(seen["line"], 0, "{level}: {stderr}");
    }
}

const RANDOM_SUM: &str = include_str!("../../clean/fortran/random_sum.f90");

#[test]
fn what_comes_from_outside_again_and_again_is_followed() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("fortran", &[level], "a.f90", RANDOM_SUM);
        let (stderr, report) = built.run(&["--oracle=mpfr:256"], &[]);
        let observables = report["observables"].as_array().expect("observables");
        assert!(!observables.is_empty(), "{level}: {stderr}");
        for observable in observables {
            assert_eq!(observable["not_followed"], 0, "{level}: {observable:#}");
        }
    }
}
