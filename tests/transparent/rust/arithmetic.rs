// A little of everything that floats can do; the bits must be the same.
use std::hint::black_box;

fn bits(x: f64) -> u64 {
    x.to_bits()
}

fn main() {
    let values = black_box([0.1, -2.5, 1e300, 3e-310, 7.0, f64::INFINITY]);
    for (i, &x) in values.iter().enumerate() {
        let y = values[(i + 1) % values.len()];
        println!("{:x} {:x} {:x} {:x} {:x}", bits(x + y), bits(x - y), bits(x * y), bits(x / y), bits(x % y));
        println!("{:x} {:x} {:x}", bits(x.sqrt()), bits(x.mul_add(y, 1.0)), bits(x.powi(3)));
        println!("{} {} {}", x as i32, x as u8, (x as f32).to_bits());
        println!("{:?} {} {}", x.total_cmp(&y), x.min(y), x.rem_euclid(7.0));
        println!("{:x} {:x} {:x}", bits(x.sin()), bits(x.exp()), bits(x.abs().ln()));
    }
    println!("{}", values.iter().rev().fold(0u64, |h, x| h.rotate_left(7) ^ x.to_bits()));
}
