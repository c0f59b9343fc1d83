// Equality in assert_eq!, and a comparison with a tolerance as the crates for tests have it: equality first, then the
// difference against an epsilon, then against a part of the larger side.
use std::hint::black_box;

fn is_near(a: f64, b: f64, epsilon: f64, most: f64) -> bool {
    if a == b { //~ branch-flip {tolerance-test}
        return true;
    }
    let difference = f64::abs(a - b);
    if difference <= epsilon {
        return true;
    }
    let larger = if f64::abs(a) > f64::abs(b) { f64::abs(a) } else { f64::abs(b) };
    difference <= larger * most
}

#[inline(never)]
fn asserts(a: f64, b: f64, c: f64) {
    assert_eq!((a + b) + c, a * 6.0); //~ branch-flip {assertion}
}

fn main() {
    let [a, b, c] = black_box([0.1, 0.2, 0.3]);
    asserts(a, b, c);
    let t = black_box(1.2345678e-9);
    assert!(is_near((1.0 + t) - 1.0, t, 1e-15, 1e-6));
    println!("done");
}
