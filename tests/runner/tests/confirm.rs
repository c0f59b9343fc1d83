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
