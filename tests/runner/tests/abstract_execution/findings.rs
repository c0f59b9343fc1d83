//! Findings of abstract execution: what is certain has an example, and what is robust is silent.

use super::{build, of_unit_interval, root};
use serde_json::Value;

fn finding<'a>(report: &'a Value, kind: &str) -> Option<&'a Value> {
    report["findings"].as_array().expect("findings").iter().find(|f| f["kind"] == kind)
}

#[test]
fn a_loss_names_inputs_that_show_it() {
    let program = |body: &str| {
        format!(
            "#include <nonius.h>\n#include <math.h>\n#include <stdio.h>\nint main(void) {{ double x = 1e12;\n\
             nonius_input(&x, 1e10, 1e12);\n{body}\nreturn 0; }}\n"
        )
    };
    let bad = program("printf(\"%g\\n\", sqrt(x + 1) - sqrt(x));");
    let stable = program("printf(\"%g\\n\", 1 / (sqrt(x + 1) + sqrt(x)));");
    for level in ["-O0", "-O2"] {
        let built = build(&bad, level);
        let (report, ran) = built.run("oracle=zonotope");
        let found = finding(&report, "precision-loss").unwrap_or_else(|| panic!("{level}: {report}"));
        assert_eq!((&found["operation"], &found["severity"]), (&"subtraction".into(), &"error".into()), "{found}");
        let example = &found["for_inputs"]["example"];
        let x = example["inputs"][0]["value"].as_f64().expect("a number");
        assert_eq!(example["inputs"][0]["name"], "x");
        // What the example says of the float is so.
        assert_eq!(example["value"].as_f64().expect("a number"), (x + 1.0).sqrt() - x.sqrt(), "{level}: {example}");
        let ideal = 1.0 / ((x + 1.0).sqrt() + x.sqrt());
        assert!((example["ideal"].as_f64().expect("a number") / ideal - 1.0).abs() < 1e-12, "{level}: {example}");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(said.contains("up to") && said.contains("for example with x = "), "{level}: {said}");
        let (report, _) = build(&stable, level).run("oracle=zonotope:quiet=1");
        assert_eq!(report["findings"].as_array().expect("findings").len(), 0, "{level}: {report}");
    }
}

#[test]
fn a_loss_that_only_bounds_allow_is_possible() {
    // Roundings of hundreds of terms may all lie on one side, but they do not.
    let body = |terms: u32| {
        format!("float s = 0; for (int i = 0; i < {terms}; i++) s += (float)x / (i + 1); printf(\"%g\\n\", s); z = s;")
    };
    for level in ["-O0", "-O2"] {
        let run = |body: String| {
            let source =
                of_unit_interval("", &body).replace("nonius_input(&x, 0.0, 1.0)", "nonius_input(&x, 0.2, 0.3)");
            let built = build(&source, level);
            let (report, ran) = built.run("oracle=zonotope");
            (report, String::from_utf8_lossy(&ran.stderr).into_owned())
        };
        let (report, said) = run(body(500));
        let found = finding(&report, "precision-loss").unwrap_or_else(|| panic!("{level}: {report}"));
        assert!(found["for_inputs"]["example"].is_null() && found["severity"] == "warning", "{level}: {found}");
        assert!(said.contains("may be lost") && said.contains("possible, not certain"), "{level}: {said}");
        let (report, _) = run(body(8));
        assert!(finding(&report, "precision-loss").is_none(), "{level}: {report}");
    }
}

#[test]
fn an_unstable_test_names_inputs_that_flip_it() {
    for level in ["-O0", "-O2"] {
        let source = std::fs::read_to_string(root().join("tests/abstract/comp_disc.c")).expect("a program");
        let (report, ran) = build(&source, level).run("oracle=zonotope");
        let found = finding(&report, "unstable-branch").unwrap_or_else(|| panic!("{level}: {report}"));
        let example = &found["for_inputs"]["example"];
        let number = |v: &Value| v.as_f64().expect("a number");
        let [float, real] = ["value", "ideal"].map(|key| number(&example["inputs"][0][key]));
        // The float takes one side and the real the other, as the example says.
        let outcomes = ["value", "ideal"].map(|key| number(&example[key]) != 0.0);
        assert_eq!(outcomes, [float < 0.5, real < 0.5], "{level}: {example}");
        assert_ne!(outcomes[0], outcomes[1], "{level}: {example}");
        assert!((float - real).abs() <= 1.000001e-7, "{level}: {example}");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(said.contains("for the float and") && said.contains("differ by up to"), "{level}: {said}");
    }
}
