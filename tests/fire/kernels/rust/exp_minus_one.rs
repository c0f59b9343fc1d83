// exp(x) - 1 of a small x keeps few digits; a series keeps them all.
use std::hint::black_box;

fn naive(x: f64) -> f64 {
    x.exp() - 1.0 //~ precision-loss: 40..53 bits lost
}

fn series(x: f64) -> f64 {
    x * (1.0 + x / 2.0 * (1.0 + x / 3.0))
}

fn main() {
    let x = black_box(1.7e-13);
    println!("{} {} {}", naive(x), series(x), x.exp_m1());
}
