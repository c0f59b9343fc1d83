// The methods of floats that step.
use std::hint::black_box;

#[inline(never)]
fn sum_of(part: f64, n: usize) -> f64 {
    (0..n).fold(0.0, |sum, _| sum + part)
}

fn main() {
    let tenth = black_box(0.1);
    let one = sum_of(tenth, 10);
    let half = sum_of(tenth, 155);
    println!("{}", one.floor()); //~ cast-flip
    println!("{}", (-one).ceil()); //~ cast-flip
    println!("{}", half.round()); //~ cast-flip
    println!("{}", one % 1.0); //~ cast-flip
    println!("{}", one as i32); //~ cast-flip
}
