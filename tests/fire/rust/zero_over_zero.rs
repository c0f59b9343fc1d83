// 0 / 0 where the zero is a result that has a name, and the quotient of differences that is written out.
use std::hint::black_box;

#[inline(never)]
fn by_itself(x: f64) -> f64 {
    let zero = x - x;
    zero / zero //~ nan [O2]
}

#[inline(never)]
fn by_chance(x: f64, y: f64) -> f64 {
    let zero = x - y;
    zero / zero //~ nan
}

#[inline(never)]
fn guarded(x: f64, y: f64) -> f64 {
    let gap = x - y;
    if gap == 0.0 { 1.0 } else { gap / gap }
}

fn main() {
    let (x, y) = (black_box(3.0), black_box(3.0));
    println!("{} {} {}", by_itself(x).is_nan(), by_chance(x, y).is_nan(), guarded(x, y));
}
