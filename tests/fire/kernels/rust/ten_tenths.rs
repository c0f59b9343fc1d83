// Ten tenths do not add up to one, so the comparison goes wrong; with a tolerance it does not.
use std::hint::black_box;

fn main() {
    let (tenth, whole) = black_box((0.1f64, 10.0f64));
    let (step, mut sum) = (1.0 / whole, 0.0);
    for _ in 0..10 {
        sum += step;
    }
    if sum == 1.0 { //~ branch-flip
        println!("one");
    }
    if (sum - 1.0).abs() < tenth * 1e-9 {
        println!("about one");
    }
}
