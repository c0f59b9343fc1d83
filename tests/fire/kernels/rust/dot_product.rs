// nonius: options=constants=exact
// The big terms of a dot product cancel; those of the absolute values do not.
use std::hint::black_box;

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(y) {
        sum += a * b; //~ precision-loss: 50..53 bits lost
    }
    sum
}

fn main() {
    let x = black_box([2.718281828, -3.141592654, 1.414213562, 0.5772156649, 0.3010299957f64]);
    let y = black_box([1486.2497, 878366.9879, -22.37492, 4773714.647, 0.000185049f64]);
    println!("{}", dot(&x, &y));
    println!("{}", dot(&x.map(f64::abs), &y.map(f64::abs)));
}
