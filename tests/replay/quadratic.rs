// The small root of a quadratic by the school's formula cancels; by the product of the roots it does not.
use std::hint::black_box;

#[inline(never)]
fn school(b: f64, c: f64) -> f64 {
    (-b + (b * b - 4.0 * c).sqrt()) / 2.0
}

#[inline(never)]
fn stable(b: f64, c: f64) -> f64 {
    2.0 * c / (-b - (b * b - 4.0 * c).sqrt())
}

fn main() {
    let (b, c) = (black_box(1e8), black_box(1.0));
    println!("{} {}", school(b, c), stable(b, c));
}
