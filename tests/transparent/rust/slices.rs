// Loops that the vectorizer takes, over slices, chunks and arrays.
use std::hint::black_box;

fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

fn blur(x: &[f32]) -> Vec<f32> {
    x.windows(3).map(|w| (w[0] + 2.0 * w[1] + w[2]) / 4.0).collect()
}

fn main() {
    let n = black_box(1001);
    let x: Vec<f64> = (0..n).map(|i| 1.0 / f64::from(i + 1)).collect();
    let mut y = vec![0.5; x.len()];
    axpy(black_box(0.3), &x, &mut y);
    let sums: Vec<f64> = y.chunks(7).map(|c| c.iter().sum()).collect();
    println!("{:?}", &sums[..5]);
    println!("{}", y.iter().map(|v| v * v).sum::<f64>().to_bits());
    let image: Vec<f32> = y.iter().map(|&v| v as f32).collect();
    println!("{:?}", blur(&blur(&image)).iter().map(|v| v.to_bits()).fold(0u32, |h, b| h.rotate_left(3) ^ b));
}
