/// The smaller root of x^2 + b x + c.
pub fn small_root(b: f64, c: f64) -> f64 {
    let d = (b * b - 4.0 * c).sqrt();
    if cfg!(feature = "fixed") {
        -2.0 * c / (b + d)
    } else {
        (-b + d) / 2.0
    }
}

#[test]
fn of_a_large_coefficient() {
    let root = small_root(std::hint::black_box(1e8), 1.0);
    assert!(root < 0.0, "{root}");
}
