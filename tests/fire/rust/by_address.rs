// Functions of the C library and methods of floats as function pointers.
use std::hint::black_box;

unsafe extern "C" {
    safe fn cos(x: f64) -> f64;
}

#[inline(never)]
fn from_one(f: extern "C" fn(f64) -> f64, x: f64) -> f64 {
    f(x) - 1.0 //~ precision-loss: 33..53 bits lost
}

#[inline(never)]
fn from_one_by_method(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) - 1.0 //~ precision-loss: 33..53 bits lost
}

fn main() {
    let tiny = black_box(1e-9);
    println!("{}", from_one(black_box(cos), tiny));
    println!("{}", from_one_by_method(black_box(f64::cosh), tiny));
}
