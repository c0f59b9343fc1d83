//! Bounds of abstract execution on random programs, always the same ones. Long runs are `./x fuzz --bounds`.

use nonius_tests::bounds::try_unit;
use nonius_tests::tools::{nonius_binary, tests_root};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=3;
const SAMPLES: usize = 300;

#[test]
fn no_run_leaves_its_bounds() {
    let nonius = nonius_binary(&tests_root().expect("the tests' folder")).expect("nonius is built");
    for seed in SEEDS {
        let outcome = try_unit(seed, &nonius, SAMPLES).expect("a unit");
        assert!(outcome.violations.is_empty(), "./x fuzz --bounds --seed {seed} --units 1: {:#?}", outcome.violations);
        // A test that looks at nothing is none.
        assert!(outcome.whole > 0 && outcome.checks > 1000, "{outcome:?}");
    }
}
