// Decisions that hang on how constants were rounded, in Rust.
use std::hint::black_box;

const THIRD: f64 = 1.0 / 3.0;

fn main() {
    let q = black_box(-3.0) * THIRD;
    if q * q * q + 1.0 == 0.0 {
        println!("a root");
    }
    // The discriminant of x^3 - 12 x - 16, as a solver of cubic equations has it.
    let (c0, c1): (f64, f64) = (black_box(-16.0), black_box(-12.0));
    let (q, r) = (c1 * (1.0 / 3.0), -0.5 * c0);
    let d = q.powi(3) + r * r;
    if d > 0.0 {
        println!("one root");
    } else if d == 0.0 {
        println!("two roots");
    }
    let mut hits = 0;
    for i in 0..black_box(200) {
        let x = i as f64;
        if x * 0.1 * 10.0 == x {
            hits += 1;
        }
        hits += (x * THIRD * 3.0) as i32;
    }
    println!("{hits}");
}
