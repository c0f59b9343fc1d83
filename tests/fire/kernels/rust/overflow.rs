// The squares of a norm overflow; scaled they do not.
use std::hint::black_box;

fn norm(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt() //~ inf
}

fn scaled(x: f64, y: f64) -> f64 {
    let big = x.abs().max(y.abs());
    big * ((x / big).powi(2) + (y / big).powi(2)).sqrt()
}

fn main() {
    let (x, y) = black_box((3e200, 4e200));
    println!("{} {} {}", norm(x, y), scaled(x, y), x.hypot(y));
}
