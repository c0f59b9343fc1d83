// Heat equation in one dimension in Rust: explicit steps, three points.
// bench: group=rust types=double size=20000x25000 quick=20000x3800
#[path = "shared/kernel.rs"]
mod kernel;

#[inline(never)]
fn step(next: &mut [f64], now: &[f64]) {
    for (next, w) in next[1..].iter_mut().zip(now.windows(3)) {
        *next = 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2];
    }
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let mut now = p.reals(p.n);
    let mut next = now.clone();
    for _ in 0..p.reps {
        step(&mut next, &now);
        std::mem::swap(&mut now, &mut next);
    }
    p.digest(&now);
    p.print();
}
