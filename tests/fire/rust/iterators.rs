// Code of the standard library that is inlined here belongs to the line that calls it.
use std::hint::black_box;

fn main() {
    let values = black_box([1e16, 1.0, -1e16, 3.0]);
    let sum: f64 = values.iter().sum(); //~ precision-loss: 50..53 bits lost
    println!("{sum}");
    let mut sorted = values;
    sorted.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
    println!("{}", sorted.iter().sum::<f64>());
    println!("{}", values.iter().map(|v| v.abs()).fold(0.0, f64::max));
}
