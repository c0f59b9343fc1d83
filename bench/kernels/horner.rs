// A polynomial and its derivative at many points in Rust, by Horner's rule.
// bench: group=rust types=double size=100000x320 quick=50000x80
#[path = "shared/kernel.rs"]
mod kernel;

const DEGREE: usize = 18;

#[inline(never)]
fn evaluate(value: &mut [f64], slope: &mut [f64], x: &[f64], coefficient: &[f64; DEGREE + 1]) {
    for ((value, slope), x) in value.iter_mut().zip(slope).zip(x) {
        let (mut v, mut s) = (coefficient[DEGREE], 0.0);
        for c in coefficient[..DEGREE].iter().rev() {
            s = s * x + v;
            v = v * x + c;
        }
        *value = v;
        *slope = s;
    }
}

fn main() {
    let mut p = kernel::Problem::of_arguments();
    let (mut value, mut slope) = (vec![0.0; p.n], vec![0.0; p.n]);
    let x = p.reals(p.n);
    let mut coefficient = [0.0; DEGREE + 1];
    coefficient.fill_with(|| p.noise());
    for rep in 0..p.reps {
        coefficient[rep % (DEGREE + 1)] += 0.125;
        evaluate(&mut value, &mut slope, &x, &coefficient);
    }
    p.digest(&value);
    p.digest(&slope);
    p.print();
}
