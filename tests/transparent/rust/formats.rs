// Every way of printing prints the same.
use std::hint::black_box;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Circle { r: f64 },
    Pair(f32, f64),
}

fn main() {
    let x = black_box(2.0f64).sqrt();
    println!("{x} {x:?} {x:e} {x:E} {x:10.3} {x:+} {x:<12}|{x:^12.1}|");
    println!("{} {} {}", f64::NAN, f64::NEG_INFINITY, -0.0f64);
    println!("{:#?} {:?}", Shape::Circle { r: x }, [Shape::Pair(x as f32, 1.0 / x)]);
    println!("{}", format_args!("{:.*}", 5, x));
    let parts: Vec<String> = [x, x * 2.0].iter().map(|v| format!("{v:.2}")).collect();
    println!("{} {}", parts.join(","), (x as f32).to_string());
    eprintln!("{x}");
    println!("{:?} {:?}", "1.5e3".parse::<f64>(), x.to_bits());
}
