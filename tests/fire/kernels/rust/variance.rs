// Mean of squares minus square of mean, for readings far from zero; two passes are fine.
use std::hint::black_box;

fn one_pass(x: &[f64]) -> f64 {
    let (mut sum, mut squares, n) = (0.0, 0.0, x.len() as f64);
    for v in x {
        sum += v;
        squares += v * v;
    }
    (squares - sum * sum / n) / (n - 1.0) //~ precision-loss: 40..53 bits lost
}

fn two_pass(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)
}

fn main() {
    let base = black_box(1e10);
    let x: Vec<f64> = (0..5).map(|i| base + f64::from(i * i)).collect();
    println!("{} {}", one_pass(&x), two_pass(&x));
}
