// A vector that grows, is cloned, boxed and drained keeps the shadows of what it holds.
use std::hint::black_box;

fn main() {
    let x = black_box(1e15f64);
    let mut roots = Vec::new();
    for i in 0..black_box(100) {
        roots.push((x + f64::from(i)).sqrt());
    }
    println!("{}", roots[1] - roots[0]); //~ precision-loss: 40..53 bits lost
    let boxed: Box<[f64]> = roots.clone().into_boxed_slice();
    println!("{}", boxed[3] - roots[0]); //~ precision-loss: 40..53 bits lost
    let tail: Vec<f64> = roots.drain(2..).collect();
    println!("{}", tail[0] - boxed[1]); //~ precision-loss: 40..53 bits lost
    println!("{}", boxed.iter().sum::<f64>());
}
