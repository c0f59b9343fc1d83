// A generic function and a trait object hand shadows on like any other.
use std::hint::black_box;
use std::ops::Sub;

fn difference<T: Sub<Output = T>>(a: T, b: T) -> T {
    a - b //~ precision-loss: 45..53 bits lost
}

trait Shape {
    fn area(&self) -> f64;
}

struct Ring {
    outer: f64,
    inner: f64,
}

impl Shape for Ring {
    fn area(&self) -> f64 {
        self.outer.sqrt() - self.inner.sqrt() //~ precision-loss: 45..53 bits lost
    }
}

fn main() {
    let x = black_box(1e15f64);
    println!("{}", difference((x + 1.0).sqrt(), x.sqrt()));
    println!("{}", difference(x, 1.0));
    let shape: Box<dyn Shape> = black_box(Box::new(Ring { outer: x + 2.0, inner: x }));
    println!("{}", shape.area());
}
