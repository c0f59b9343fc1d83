//! What the build script of `native` computes with.

unsafe extern "C" {
    safe fn host_difference(x: f64, y: f64) -> f64;
}

pub fn difference(x: f64, y: f64) -> f64 {
    host_difference(x, y)
}
