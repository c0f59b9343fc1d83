//! Assertions of Rust: over floats and integers, exactly.
use std::hint::black_box;

struct Point {
    x: f64,
    y: f32,
}

fn main() {
    let p = Point { x: black_box(0.1), y: black_box(0.5) };
    let v = [black_box(1i32), 2, 3];
    let (pair, n) = ((black_box(2u8), -1i64), black_box(10usize));
    let mut s = 0.0;
    for _ in 0..n {
        s += p.x;
    }
    nonius::check!(p.y == 0.5 && v[0] + v[1] == v[2] && pair.0 > 1);
    nonius::check!(p.x == 0.1); //~ failed
    nonius::check!(pair.1 + 1 == 0 && n * n == 100);
    nonius::check!(pair.1 > 0); //~ failed
    nonius::check!(exact(s) > 1 && s < 1);
    nonius::check!(round_error(s) < 1e-17); //~ failed
    nonius::check!(s < 1 ==> max(s, p.x) == s);
    nonius::check!(s);
    println!("{s}");
}
