// A difference that should not be negative is, and its root is NaN; a guard keeps it.
use std::hint::black_box;

fn root(x: f64) -> f64 {
    x.sqrt() //~ nan
}

fn guarded(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

fn main() {
    let x = black_box(-1e-18);
    println!("{} {}", root(x), guarded(x));
}
