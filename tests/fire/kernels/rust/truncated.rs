// A quotient that should be whole is truncated to the integer below; rounding is right.
use std::hint::black_box;

fn truncated(x: f64, step: f64) -> i32 {
    (x / step) as i32 //~ cast-flip
}

fn rounded(x: f64, step: f64) -> i32 {
    (x / step).round() as i32
}

fn main() {
    let ten = black_box(10.0);
    let (x, step) = (6.0 / ten, 2.0 / ten);
    println!("{} {}", truncated(x, step), rounded(x, step));
}
