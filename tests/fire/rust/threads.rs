// Each thread has shadows of its own, and a channel hands them over with the value.
use std::hint::black_box;
use std::sync::mpsc;
use std::thread;

fn main() {
    let x = black_box(1e15f64);
    let (send, receive) = mpsc::channel();
    let worker = thread::spawn(move || send.send((x + 1.0).sqrt()));
    let root: f64 = receive.recv().unwrap();
    worker.join().unwrap().unwrap();
    println!("{}", root - x.sqrt()); //~ precision-loss: 45..53 bits lost
    let parts: Vec<_> = (1..4).map(|n| thread::spawn(move || x / f64::from(n))).collect();
    println!("{}", parts.into_iter().map(|part| part.join().unwrap()).sum::<f64>());
}
