// Several ways out of a function, with something to drop behind them.
use std::hint::black_box;

#[inline(never)]
fn pick(x: f64, k: i32) -> f64 {
    let kept = vec![x; 3];
    if k == 1 {
        return (kept[1] + 1.0).sqrt() - x.sqrt(); //~ precision-loss: 45..53 bits lost
    }
    if k == 2 {
        return (1.0 / x).cos() - 1.0;
    }
    kept[0]
}

#[inline(never)]
fn matched(x: f64, k: Option<i32>) -> f64 {
    match k {
        None => (1.0 / x).cos() - 1.0,
        Some(1) => ((x + 2.0).sqrt() - x.sqrt()) * 3.0, //~ precision-loss: 45..53 bits lost
        Some(_) => x,
    }
}

fn main() {
    let x = black_box(1e15);
    println!("{}", pick(x, black_box(1)));
    println!("{}", matched(x, black_box(Some(1))));
}
