// Forward substitution in Rust with a lower triangle larger than the cache.
// bench: group=rust types=double size=2300x90 quick=800x130
#[path = "shared/kernel.rs"]
mod kernel;

#[inline(never)]
fn solve(n: usize, l: &[f64], x: &mut [f64], b: &[f64]) {
    for i in 0..n {
        let row = &l[i * n..i * n + n];
        let sum = row[..i].iter().zip(&x[..i]).fold(b[i], |sum, (l, x)| sum - l * x);
        x[i] = sum / row[i];
    }
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let n = p.n;
    let mut l = p.reals(n * n);
    (0..n).for_each(|i| l[i * n + i] += n as f64);
    let mut b = p.reals(n);
    let mut x = vec![0.0; n];
    for rep in 0..p.reps {
        b[rep % n] += 1.0;
        solve(n, &l, &mut x, &b);
    }
    p.digest(&x);
    p.print();
}
