// The small term vanishes beside the big one; in another order it survives.
use std::hint::black_box;

fn big_first(big: f64, small: f64) -> f64 {
    let sum = big + small;
    sum - big //~ precision-loss: 52..53 bits lost
}

fn small_last(big: f64, small: f64) -> f64 {
    (big - big) + small
}

fn main() {
    let (big, small) = black_box((1e16, 1.0));
    println!("{} {}", big_first(big, small), small_last(big, small));
}
