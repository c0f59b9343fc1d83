// Matrix product in Rust: C = alpha A B + beta C.
// bench: group=rust types=double size=250x55 quick=120x60
#[path = "shared/kernel.rs"]
mod kernel;

#[inline(never)]
fn gemm(n: usize, alpha: f64, beta: f64, c: &mut [f64], a: &[f64], b: &[f64]) {
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        c.iter_mut().for_each(|c| *c *= beta);
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += alpha * a * b;
            }
        }
    }
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let count = p.n * p.n;
    let (a, b, mut c) = (p.reals(count), p.reals(count), p.reals(count));
    for _ in 0..p.reps {
        gemm(p.n, 1.5, 0.25, &mut c, &a, &b);
    }
    p.digest(&c);
    p.print();
}
