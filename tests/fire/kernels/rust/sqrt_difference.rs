// Nearly equal square roots cancel; the conjugate does not.
use std::hint::black_box;

fn difference(x: f64) -> f64 {
    (x + 1.0).sqrt() - x.sqrt() //~ precision-loss: 45..53 bits lost
}

fn conjugate(x: f64) -> f64 {
    1.0 / ((x + 1.0).sqrt() + x.sqrt())
}

fn main() {
    let x = black_box(1e15);
    println!("{} {}", difference(x), conjugate(x));
}
