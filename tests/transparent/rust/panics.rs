// nonius: status=101
// Unwinding runs destructors, and an uncaught panic ends with its status.
use std::hint::black_box;
use std::panic;

struct Guard(f64);

impl Drop for Guard {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

fn divide(a: i64, b: i64) -> f64 {
    let _guard = Guard(a as f64 / 3.0);
    (a / b) as f64
}

fn main() {
    panic::set_hook(Box::new(|info| println!("hook {info}")));
    let zero = black_box(0);
    println!("{:?}", panic::catch_unwind(|| divide(7, 2)).ok());
    println!("{:?}", panic::catch_unwind(|| divide(7, zero)).is_err());
    let values = vec![1.0, 2.0];
    println!("{}", values[black_box(5)]);
}
