// Mathematical methods are known functions, whether they call libm or an instruction.
use std::hint::black_box;

fn main() {
    let (x, y) = black_box((1e-9f64, 1.7e-13f64));
    println!("{}", 1.0 - x.cos()); //~ precision-loss: 50..53 bits lost
    println!("{}", (1.0 + y).ln()); //~ precision-loss: 33..44 bits lost
    println!("{}", y.exp() - 1.0); //~ precision-loss: 33..44 bits lost
    println!("{}", x.cosh() - 1.0); //~ precision-loss: 50..53 bits lost
    println!("{} {} {}", y.ln_1p(), y.exp_m1(), 2.0 * (x / 2.0).sin().powi(2));
    println!("{} {} {}", x.hypot(1.0), x.mul_add(x, 1.0), x.tan().atan2(1.0));
}
