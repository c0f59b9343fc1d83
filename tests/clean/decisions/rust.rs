// The same with a tolerance, and signs and bounds that errors do not turn.
use std::hint::black_box;

#[inline(never)]
fn sum_of(part: f64, n: usize) -> f64 {
    (0..n).fold(0.0, |sum, _| sum + part)
}

fn main() {
    let tenth = black_box(0.1);
    let one = sum_of(tenth, 10);
    let half = sum_of(tenth, 155);
    println!("{} {}", (one + 1e-9).floor(), (half + 1e-9).round());
    println!("{} {}", (-one).signum(), (-one).is_sign_negative());
    println!("{:.6} {:.6}", one.max(1.0), one.min(1.0));
    println!("{:.6}", 1.0 + (one - 1.0).max(0.0).sqrt());
    println!("{:.6}", (sum_of(tenth, 13)).rem_euclid(1.0));
}
