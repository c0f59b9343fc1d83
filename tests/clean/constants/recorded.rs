// Recorded results in Rust's own tests: `assert_eq!` takes its operands by reference, and tolerances are below an ulp.
use std::hint::black_box;

fn total(steps: &[f64]) -> f64 {
    steps.iter().sum()
}

fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

#[derive(Debug, PartialEq)]
struct Sums {
    all: f64,
    halves: [f64; 2],
}

fn main() {
    let steps = vec![black_box(0.1); 10];
    let sum = total(&steps);
    assert_eq!(sum, 0.9999999999999999);
    assert_ne!(sum, 0.5);
    assert!((sum - 0.9999999999999999).abs() < 1e-17);
    assert!(is_near(sum, 0.9999999999999999, 1e-17));
    let sums = Sums { all: sum, halves: [sum / 2.0, sum * 0.25] };
    assert_eq!(sums, Sums { all: 0.9999999999999999, halves: [0.49999999999999994, 0.24999999999999997] });
    println!("{}", sum == 0.9999999999999999);
}
