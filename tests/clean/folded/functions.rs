// The stable form on literals.
fn versine(x: f64) -> f64 {
    let s = (x / 2.0).sin();
    2.0 * s * s / (x * x)
}

fn main() {
    println!("{}", versine(1e-9));
    let (big, one) = (2f64.powi(50), 1.0f64);
    println!("{}", (big + one) - big);
}
