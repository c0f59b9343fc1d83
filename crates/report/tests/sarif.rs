//! SARIF, held against a golden and against what every reader of it relies on.

mod common;

use common::{no_sources, sample, sources};
use nonius_report::sarif;
use serde_json::Value;

#[test]
fn whole_report() {
    insta::assert_snapshot!(sarif::write(&sample(), &mut sources()).unwrap());
}

#[test]
fn results_point_at_their_rules_and_places() {
    for mut sources in [sources(), no_sources()] {
        let log: Value = serde_json::from_str(&sarif::write(&sample(), &mut sources).unwrap()).unwrap();
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), sample().findings.len());
        for result in results {
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let region = &result["locations"][0]["physicalLocation"]["region"];
            if let (Some(start), Some(end)) = (region["startColumn"].as_u64(), region["endColumn"].as_u64()) {
                assert!(0 < start && start < end, "{region}");
            }
        }
    }
}
