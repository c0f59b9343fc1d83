//! The truth itself: known values, and identities that are identities.

use nonius_accuracy::exact::{self, Ideal};
use nonius_accuracy::formula::{self, Formula, Kind};
use nonius_accuracy::inputs;
use nonius_accuracy::real::Real;
use rug::Float;

fn named(name: &str) -> Formula {
    formula::all().unwrap().into_iter().find(|f| f.name == name).unwrap()
}

fn ideal(name: &str, inputs: &[f64]) -> f64 {
    match exact::evaluate(&named(name), inputs, Real::Double).ideal {
        Ideal::Value(value) => value.to_f64(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn ideals_are_those_of_the_books() {
    let cases: [(&str, &[f64], f64); 9] = [
        ("rump", &[77617.0, 33096.0], -0.8273960599468214),
        ("rump-quartic", &[10864.0, 18817.0], 1.0),
        ("sqrt-step", &[1e99], 1.5811388300841897e-50),
        // x + x^2/2 + ... at x = 1e-90.
        ("exp-minus-one", &[1e-90], 1e-90),
        ("log-one-plus", &[1e-90], 1e-90),
        ("versine-over-square", &[1e-20], 0.5),
        // log(n) + 1/(2n) - ..., so log(1e35) to all digits.
        ("n-log-n-step", &[1e35], 80.59047825479159),
        // The sequence that starts with 2 and -4 is (3 6^(n+1) - 4 5^(n+1)) / (3 6^n - 4 5^n); this is the eighth.
        ("muller-exact-start", &[2.0, -4.0], 22_420_588.0 / 3_476_348.0),
        ("hypot-tiny", &[3e-200, 4e-200], 5e-200),
    ];
    for (name, inputs, expected) in cases {
        let found = ideal(name, inputs);
        assert!(((found - expected) / expected).abs() <= 4e-16, "{name}: {found:e}, expected {expected:e}");
    }
}

/// Their value at 2048 bits is nothing.
#[test]
fn identities_are_identities() {
    for formula in formula::all().unwrap().iter().filter(|f| f.kind == Kind::Identity) {
        for real in Real::ALL {
            for input in inputs::draw(&formula.name, &formula.variables, real, 20) {
                let value = exact::value_at(formula, &input, real, 2048);
                let limit = Float::with_val(64, 1e-200);
                assert!(
                    value.is_nan() || value.is_infinite() || value.clone().abs() < limit,
                    "{}: {value:e}",
                    formula.name
                );
            }
        }
    }
}

/// Formulas that are not declared so are not 0 either, or they belong among the identities.
#[test]
fn formulas_have_ideals() {
    for formula in formula::all().unwrap().iter().filter(|f| f.kind == Kind::Formula) {
        let inputs = inputs::draw(&formula.name, &formula.variables, Real::Double, 20);
        let known = |input: &Vec<f64>| matches!(exact::evaluate(formula, input, Real::Double).ideal, Ideal::Value(_));
        let count = inputs.iter().filter(|input| known(input)).count();
        assert!(count >= 5, "{}: {count} of 20 inputs have an ideal", formula.name);
    }
}
