// What is printed is output, however it gets there: by value, through a reference, a field, a vector.
use std::hint::black_box;

#[derive(Debug)]
struct Point {
    #[allow(dead_code)]
    x: f64,
}

fn main() {
    let x = black_box(1e15f64);
    println!("{}", (x + 1.0).sqrt() - x.sqrt()); //~ precision-loss: 45..53 bits lost @output
    println!("{:.3e}", (x + 2.0).sqrt() - x.sqrt()); //~ precision-loss: 45..53 bits lost @output
    let text = format!("{:?}", (x + 3.0).sqrt() - x.sqrt()); //~ precision-loss: 45..53 bits lost @output
    let list = vec![1.0, (x + 4.0).sqrt() - x.sqrt()]; //~ precision-loss: 40..53 bits lost
    let point = Point { x: (x + 5.0).sqrt() - x.sqrt() }; //~ precision-loss: 45..53 bits lost
    println!("{text} {list:?} {point:?}");
    println!("{} {:e}", 4.0 / ((x + 4.0).sqrt() + x.sqrt()), 1.0 / x);
}
