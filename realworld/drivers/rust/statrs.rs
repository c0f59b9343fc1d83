//! Two distribution functions far out: a tail, and a large parameter.
use statrs::distribution::{Beta, Cauchy, ContinuousCDF};
use std::hint::black_box;

fn main() {
    let cauchy = Cauchy::new(0.0, 1.0).unwrap();
    println!("{:e}", cauchy.cdf(black_box(-1e12)));
    let beta = Beta::new(black_box(1e6), 1e6).unwrap();
    println!("{}", beta.cdf(black_box(0.5)));
}
