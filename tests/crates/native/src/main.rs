//! A program whose digits are lost in C.

unsafe extern "C" {
    safe fn difference(x: f64, y: f64) -> f64;
}

fn main() {
    let (x, y) = std::hint::black_box((1e16, 1.0));
    println!("{} {}", difference(x, y), env!("NATIVE_HOST"));
}
