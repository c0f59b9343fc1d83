// 1 - cos x of a small angle cancels; twice the squared sine of the half does not.
use std::hint::black_box;

fn direct(x: f64) -> f64 {
    1.0 - x.cos() //~ precision-loss: 50..53 bits lost
}

fn half_angle(x: f64) -> f64 {
    2.0 * (x / 2.0).sin().powi(2)
}

fn main() {
    let x = black_box(1.3e-8);
    println!("{} {}", direct(x), half_angle(x));
}
