// Exact predicates in Rust (after Shewchuk): tails in functions of their own, expansions in slices, zeros left out.
use std::hint::black_box;

fn two_sum_tail(a: f64, b: f64, x: f64) -> f64 {
    let bv = x - a;
    let av = x - bv;
    (a - av) + (b - bv)
}
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let x = a + b;
    (x, two_sum_tail(a, b, x))
}
#[inline(never)]
fn two_diff_tail(a: f64, b: f64, x: f64) -> f64 {
    let bv = a - x;
    let av = x + bv;
    (a - av) + (bv - b)
}
fn two_diff(a: f64, b: f64) -> (f64, f64) {
    let x = a - b;
    (x, two_diff_tail(a, b, x))
}
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let x = a + b;
    (x, fast_two_sum_tail(a, b, x))
}
fn fast_two_sum_tail(a: f64, b: f64, x: f64) -> f64 {
    b - (x - a)
}
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}
fn two_product_tail(a: f64, b: f64, x: f64) -> f64 {
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    al * bl - (((x - ah * bh) - al * bh) - ah * bl)
}
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let x = a * b;
    (x, two_product_tail(a, b, x))
}
fn two_two_diff(a: (f64, f64), b: (f64, f64)) -> [f64; 4] {
    let (i, x0) = two_diff(a.1, b.1);
    let (j, r) = two_sum(a.0, i);
    let (i, x1) = two_diff(r, b.0);
    let (x3, x2) = two_sum(j, i);
    [x0, x1, x2, x3]
}
fn expansion_sum(e: &[f64], f: &[f64], h: &mut Vec<f64>) {
    let (mut i, mut j) = (0, 0);
    let mut q = if (f[0] > e[0]) == (f[0] > -e[0]) {
        i += 1;
        e[0]
    } else {
        j += 1;
        f[0]
    };
    let mut first = true;
    while i < e.len() || j < f.len() {
        let from_e = j == f.len() || i < e.len() && (f[j] > e[i]) == (f[j] > -e[i]);
        let next = if from_e { e[i] } else { f[j] };
        if from_e { i += 1 } else { j += 1 }
        let (sum, low) = if first { fast_two_sum(next, q) } else { two_sum(q, next) };
        first = false;
        q = sum;
        if low != 0.0 {
            h.push(low);
        }
    }
    if q != 0.0 || h.is_empty() {
        h.push(q);
    }
}

/// The sign of a determinant, by its exact value.
fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i32 {
    let (acx, bcx, acy, bcy) = (a[0] - c[0], b[0] - c[0], a[1] - c[1], b[1] - c[1]);
    let whole = two_two_diff(two_product(acx, bcy), two_product(acy, bcx));
    let acxt = two_diff_tail(a[0], c[0], acx);
    let bcxt = two_diff_tail(b[0], c[0], bcx);
    let acyt = two_diff_tail(a[1], c[1], acy);
    let bcyt = two_diff_tail(b[1], c[1], bcy);
    if acxt == 0.0 && bcxt == 0.0 && acyt == 0.0 && bcyt == 0.0 {
        let top = whole.iter().rev().find(|&&x| x != 0.0).copied().unwrap_or(0.0);
        return (top > 0.0) as i32 - (top < 0.0) as i32;
    }
    let parts = [
        two_two_diff(two_product(acxt, bcy), two_product(acyt, bcx)),
        two_two_diff(two_product(acx, bcyt), two_product(acy, bcxt)),
        two_two_diff(two_product(acxt, bcyt), two_product(acyt, bcxt)),
    ];
    let mut sum = whole.to_vec();
    for part in &parts {
        let mut next = Vec::new();
        expansion_sum(&sum, part, &mut next);
        sum = next;
    }
    let top = *sum.last().unwrap();
    (top > 0.0) as i32 - (top < 0.0) as i32
}

fn main() {
    let [t, u] = black_box([0.1, 1.3]);
    let line = [[0.5, 0.5], [12.0, 12.0], [24.0, 24.0]];
    let mut signs = [0; 3];
    for i in 0..20 {
        for j in 0..20 {
            // Exact: whole ulps.
            let p = [0.5 + f64::from(i) * f64::EPSILON / 2.0, 0.5 + f64::from(j) * f64::EPSILON / 2.0];
            signs[(orientation(p, line[1], line[2]) + 1) as usize] += 1;
            signs[(orientation([p[0], u], [t, p[1]], [u, t]) + 1) as usize] += 1;
        }
    }
    println!("{signs:?}");
}
