//! Double-double arithmetic as a user has it: what it prints is right, whatever its error terms look like.
use std::hint::black_box;
use twofloat::{consts, TwoFloat};

fn show(what: &str, x: TwoFloat) {
    println!("{what} {:e}", f64::from(x));
}

/// A continued fraction: a division a step.
fn golden(steps: u32) -> TwoFloat {
    let mut x = TwoFloat::from(black_box(2.0));
    for _ in 0..steps {
        x = x.recip() + 1.0;
    }
    x
}

fn polynomial(x: TwoFloat, coefficients: &[f64]) -> TwoFloat {
    coefficients.iter().rev().fold(TwoFloat::from(0.0), |sum, &c| sum * x + c)
}

/// e by its series, each term divided by its number.
fn series(x: TwoFloat) -> TwoFloat {
    let (mut term, mut sum) = (TwoFloat::from(1.0), TwoFloat::from(1.0));
    for i in 1..30 {
        term = term * x / f64::from(i);
        sum += term;
    }
    sum
}

fn main() {
    let third = TwoFloat::from(1.0) / black_box(3.0);
    let mut sum = TwoFloat::from(0.0);
    for i in 1..=1000 {
        sum += third * f64::from(i) / TwoFloat::from(7.0);
    }
    show("sum", sum);
    show("product", sum * third);
    show("root of 1/3", third.sqrt());
    show("exp of 1/3", third.exp());
    let x = TwoFloat::from(black_box(1e15));
    show("difference of roots", (x + 1.0).sqrt() - x.sqrt());
    for i in 1..=40 {
        let x = TwoFloat::new_div(f64::from(i), black_box(7.0));
        show("root", x.sqrt());
        show("cube root", x.cbrt());
        show("hypot", x.hypot(third));
        show("exp", x.exp());
        show("exp_m1", (x * 0.01).exp_m1());
        show("ln", x.ln());
        show("ln_1p", x.ln_1p());
        show("log2", x.log2());
        show("log10", (x + 2.0).log10());
        show("powi", x.powi(7));
        show("powi", x.powi(-3));
        show("powf", x.powf(third));
        show("sin", x.sin());
        show("cos", x.cos());
        show("tan", x.tan());
        show("atan", x.atan());
        show("sinh", x.sinh());
        show("tanh", x.tanh());
        show("quotient", x / third);
        show("reciprocal", x.recip());
        show("quotient by a double", x / 3.0);
        show("root of a root", x.sqrt().sqrt());
        show("degrees", x.to_degrees());
        show("series", series(x));
    }
    show("golden", golden(200));
    show("polynomial", polynomial(third, &[1.0, -3.0, 0.1, 0.7, 2.5]));
    show("pi", (consts::PI * consts::PI).sqrt());
    println!("{} {:?} {:.3}", third, third, sum);
    let parsed: f64 = black_box("0.1").parse().unwrap();
    show("parsed", TwoFloat::from(parsed) * 3.0 - 0.3);
    println!("{} {}", third < sum, third.max(sum) == sum);
}
