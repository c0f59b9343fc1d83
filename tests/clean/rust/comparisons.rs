// Orders, clamps and comparisons with a tolerance that come out as they should.
use std::hint::black_box;

fn main() {
    let x = black_box(0.1f64);
    let mut values = [3.0 * x, 0.3, -x, f64::INFINITY, 0.0];
    values.sort_by(f64::total_cmp);
    println!("{values:?}");
    println!("{}", (x + 0.2 - 0.3).abs() < f64::EPSILON);
    println!("{} {} {}", x.clamp(0.0, 1.0), x.max(f64::NAN), (10.0 * x).round());
    println!("{:?} {:?}", x.partial_cmp(&0.5), x.signum());
}
