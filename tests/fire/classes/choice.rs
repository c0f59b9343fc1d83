// The same comparison where neither of the two is kept.
use std::hint::black_box;

#[inline(never)]
fn decides(x: f64, y: f64) -> u32 {
    if x < y { 1 } else { 2 } //~ branch-flip {none}
}

fn main() {
    let (shift, small, larger) = (black_box(1e6), black_box(1.2e-10), black_box(1.6e-10));
    let of = |hair: f64| 3.0 + ((shift + hair) - shift);
    println!("{}", decides(of(small), of(larger)));
}
