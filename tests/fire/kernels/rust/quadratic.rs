// nonius: opt=O0,O2,O2-lto,O2-thin
// The textbook formula loses the small root when b*b dwarfs 4*a*c.
use std::hint::black_box;

fn textbook(b: f64, c: f64) -> f64 {
    (-b + (b * b - 4.0 * c).sqrt()) / 2.0 //~ precision-loss: 45..53 bits lost
}

fn stable(b: f64, c: f64) -> f64 {
    2.0 * c / (-b - (b * b - 4.0 * c).sqrt())
}

fn main() {
    let (b, c) = black_box((1e8, 1.0));
    println!("{} {}", textbook(b, c), stable(b, c));
}
