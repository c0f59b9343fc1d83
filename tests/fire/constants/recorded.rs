// Recorded numbers in Rust: an equality that is missed, and one that holds for a value that is wrong, seen where that is stored.
use std::hint::black_box;

fn main() {
    let (a, b, c) = (black_box(0.1), black_box(0.2), black_box(0.3));
    let sum = a + b + c;
    assert_ne!(sum, 0.6); //~ branch-flip
    let large = black_box(1e11);
    let bad = ((large + c) - large) * black_box(1.1); //~ precision-loss: 34..38 bits lost
    assert_eq!(bad, 0.33000335693359377); //~ branch-flip
    println!("done");
}
