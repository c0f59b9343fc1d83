// Double-double numbers as in clean/rust/words_in_structs, with a product whose low word is forgotten and a sum in the wrong order.
use std::hint::black_box;

#[derive(Clone, Copy)]
struct Dd {
    hi: f64,
    lo: f64,
}
#[inline(never)]
fn quick(a: f64, b: f64) -> Dd {
    let s = a + b;
    let lo = b - (s - a); //~ precision-loss: 50..53 bits lost
    Dd { hi: s, lo }
}
#[inline(never)]
fn determinant(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (p, q) = (a * b, c * d);
    p - q //~ precision-loss: 45..53 bits lost
}

fn main() {
    let [small, large] = black_box([0.7, 1e17]);
    let sum = quick(small, large);
    println!("{}", (sum.hi - large) + sum.lo);
    let y = large / 7e8;
    println!("{}", determinant(y + 2.0, y + 2.0, y + 1.0, y + 3.0));
}
