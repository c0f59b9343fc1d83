// The best candidate so far, of two that are alike in their first digits.
use std::hint::black_box;

#[inline(never)]
fn best(costs: &[f64]) -> usize {
    let mut best = 0;
    let mut least = costs[0];
    for (i, &cost) in costs.iter().enumerate().skip(1) {
        if cost < least { //~ branch-flip {choice}
            least = cost;
            best = i;
        }
    }
    best + usize::from(least > 4.0)
}

fn main() {
    let (shift, small, larger) = (black_box(1e6), black_box(1.2e-10), black_box(1.6e-10));
    let of = |hair: f64| 3.0 + ((shift + hair) - shift);
    println!("{}", best(black_box(&[of(larger), of(small)])));
}
