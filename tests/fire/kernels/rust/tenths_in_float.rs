// 500 times 0.1 in single precision drifts; one multiplication does not.
use std::hint::black_box;

fn added(step: f32, n: u16) -> f32 {
    let mut sum = 0.0;
    for _ in 0..n {
        sum += step; //~ precision-loss: 4..9 bits lost
    }
    sum
}

fn multiplied(step: f32, n: u16) -> f32 {
    step * f32::from(n)
}

fn main() {
    let step = black_box(0.1);
    println!("{} {}", added(step, 500), multiplied(step, 500));
}
