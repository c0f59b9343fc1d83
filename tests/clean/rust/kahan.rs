// Compensated sums, through iterators and generics: their error terms are meant.
use std::hint::black_box;
use std::ops::{Add, Sub};

fn kahan<T: Copy + Add<Output = T> + Sub<Output = T>>(values: &[T], zero: T) -> T {
    let (mut sum, mut lost) = (zero, zero);
    for &value in values {
        let y = value - lost;
        let t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    sum
}

fn neumaier(values: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for &v in values {
        let t: f64 = sum + v;
        lost += if f64::abs(sum) >= v.abs() { (sum - t) + v } else { (v - t) + sum };
        sum = t;
    }
    sum + lost
}

fn main() {
    let tenths = vec![black_box(0.1f64); 1000];
    let floats = vec![black_box(0.1f32); 1000];
    println!("{} {}", kahan(&tenths, 0.0), kahan(&floats, 0.0));
    println!("{}", neumaier(&black_box([1.0, 1e100, 1.0, -1e100])));
}
