//! Double-double arithmetic: what it prints is right, whatever its error terms look like.
use std::hint::black_box;
use twofloat::TwoFloat;

fn main() {
    let third = TwoFloat::from(1.0) / black_box(3.0);
    let mut sum = TwoFloat::from(0.0);
    for i in 1..=1000 {
        sum += third * f64::from(i) / TwoFloat::from(7.0);
    }
    println!("{} {}", f64::from(sum), f64::from(sum * third));
    println!("{} {}", f64::from(third.sqrt()), f64::from(third.exp()));
    let x = TwoFloat::from(black_box(1e15));
    println!("{}", f64::from((x + 1.0).sqrt() - x.sqrt()));
}
