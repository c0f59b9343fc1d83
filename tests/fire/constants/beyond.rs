// Losses and flips in computations with rounded constants that are far beyond how those were rounded, in Rust.
use std::hint::black_box;

fn main() {
    let end: f64 = black_box(1.0);
    let (mut t, mut count) = (0.0, 0);
    while t < end { //~ branch-flip @branch
        t += 0.1;
        count += 1;
    }
    println!("{count}");
    let b = end * 123456789.1;
    let c = end * 0.1;
    let root = (-b + (b * b - 4.0 * c).sqrt()) / 2.0; //~ precision-loss: 52..53 bits lost @output
    println!("{root}");
    println!("{}", -2.0 * c / (b + (b * b - 4.0 * c).sqrt()));
}
