// Arithmetic on literals that functions are called with. (Of variables that are literals, rustc itself makes constants.)
fn versine(x: f64) -> f64 {
    (1.0 - x.cos()) / (x * x) //~ precision-loss: 52..53 bits lost
}

fn sum(values: [f64; 2], less: f64) -> f64 {
    values[0] + values[1] - less
}

fn main() {
    println!("{}", versine(1e-9));
    println!("{}", sum([1.5, 2.5], 1.0));
}
