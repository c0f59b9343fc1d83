// Equality that decides what the program does: of values that have lost their digits, no class.
use std::hint::black_box;

#[inline(never)]
fn decides(x: f64, y: f64) -> u32 {
    if x == y { 1 } else { 2 } //~ branch-flip {none}
}

fn main() {
    let t = black_box(1.2345678e-9);
    println!("{}", decides((1.0 + t) - 1.0, t));
}
