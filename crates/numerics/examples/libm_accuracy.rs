//! Prints the worst error that each elementary function shows against MPFR: log2 of it, and where.
//!
//! `cargo run --release -p nonius-numerics --example libm_accuracy [samples]`

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Distance, argument, argument_with_residue, distance, exact_sum, power_arguments};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};

struct Worst {
    log2: f64,
    at: String,
}

impl Worst {
    fn note(&mut self, found: Distance, at: impl FnOnce() -> String) {
        let log2 = match found {
            Distance::Same => return,
            Distance::Relative(log2) => log2,
            Distance::Apart => f64::INFINITY,
        };
        if log2 > self.log2 {
            *self = Worst { log2, at: at() };
        }
    }
}

fn main() {
    let samples: u32 = std::env::args().nth(1).map_or(20_000, |n| n.parse().expect("a number of samples"));
    let only = std::env::args().nth(2);
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(1), ..Config::default() });
    let strategy = argument_with_residue(argument());
    let powers = power_arguments();
    let draw = |runner: &mut TestRunner| strategy.new_tree(runner).expect("a sample").current();

    for f in common::unary_functions() {
        if only.as_ref().is_some_and(|name| name != f.name) {
            continue;
        }
        for with_residue in [false, true] {
            let mut worst = Worst { log2: f64::NEG_INFINITY, at: String::new() };
            for i in 0..samples {
                let (mut x, mut e) = draw(&mut runner);
                if i % 2 == 0 {
                    let y = (f.into_domain)(x);
                    e *= if x == 0.0 { 0.0 } else { y / x };
                    x = y;
                }
                if !with_residue || !(x + e).is_finite() {
                    e = 0.0;
                }
                worst.note(distance((f.dd)(x, e), &(f.exact)(&exact_sum(x, e))), || format!("{x:e} {e:e}"));
            }
            println!("{:8} {} 2^{:<8.2} at {}", f.name, if with_residue { "e" } else { " " }, worst.log2, worst.at);
        }
    }
    for f in common::binary_functions() {
        if only.as_ref().is_some_and(|name| name != f.name) {
            continue;
        }
        let mut worst = Worst { log2: f64::NEG_INFINITY, at: String::new() };
        for _ in 0..samples {
            let ((x, e_x), (y, e_y)) = if f.name == "pow" {
                powers.new_tree(&mut runner).expect("a sample").current()
            } else {
                (draw(&mut runner), draw(&mut runner))
            };
            if !(x + e_x).is_finite() || !(y + e_y).is_finite() {
                continue;
            }
            let exact = (f.exact)(&exact_sum(x, e_x), &exact_sum(y, e_y));
            worst.note(distance((f.dd)(x, e_x, y, e_y), &exact), || format!("{x:e} {e_x:e}, {y:e} {e_y:e}"));
        }
        println!("{:8}   2^{:<8.2} at {}", f.name, worst.log2, worst.at);
    }
}
