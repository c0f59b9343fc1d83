use std::hint::black_box;

#[inline(never)]
fn show(values: &[f64; 3]) {
    println!("{:.3e}", values[1]);
}

#[inline(never)]
fn compute(b: f64, c: f64, values: &mut [f64; 3]) {
    let d = (b * b - 4.0 * c).sqrt();
    let small = (-b + d) / 2.0;
    values[1] = small;
}

fn main() {
    let mut values = [1.0, 2.0, 3.0];
    compute(black_box(1e8), 1.0, &mut values);
    show(&values);
}
