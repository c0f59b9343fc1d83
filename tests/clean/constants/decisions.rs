// Decisions that hang on how constants were rounded, in Rust.
use std::hint::black_box;

const THIRD: f64 = 1.0 / 3.0;

fn main() {
    let q = black_box(-3.0) * THIRD;
    if q * q * q + 1.0 == 0.0 {
        println!("a root");
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
