// The scalar product of two arrays in Rust, with four partial sums.
// bench: group=rust types=double size=2000000x190 quick=500000x100
#[path = "shared/kernel.rs"]
mod kernel;

#[inline(never)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut part = [0.0; 4];
    for (x, y) in x.chunks_exact(4).zip(y.chunks_exact(4)) {
        for k in 0..4 {
            part[k] += x[k] * y[k];
        }
    }
    (part[0] + part[1]) + (part[2] + part[3])
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let (mut x, y) = (p.reals(p.n), p.reals(p.n));
    for rep in 0..p.reps {
        x[rep % p.n] += 1.0;
        let total = dot(&x, &y);
        p.digest(&[total]);
    }
    p.print();
}
