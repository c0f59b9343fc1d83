//! What operations of the domain cost: `cargo run --release -p nonius-zonotope --example speed [-- SYMBOLS]`.
//!
//! Values have half of their symbols in common. A form of N symbols stands for the real and one for the error.

use nonius_abi::Precision;
use nonius_zonotope::{Interval, Rounding, Space, Value};
use std::hint::black_box;

const OPERATIONS: u32 = 400_000;

fn main() {
    let given = std::env::args().nth(1).and_then(|n| n.parse().ok());
    for symbols in given.map_or(vec![8, 32, 128, 512], |n| vec![n]) {
        // Room for what an operation adds; what it takes to make room comes last.
        let mut space = Space::new(2 * symbols);
        let values = [0, symbols / 2, 0].map(|skipped| value(&mut space, symbols, skipped));
        println!("{symbols} symbols, million operations a second:");
        let origin = 1;
        let r = Rounding { format: Precision::Double, is_loose: false, origin };
        let [x, y, z] = &values;
        let k = Value::exact(0.7);
        let of = |name: &str, space: &mut Space, f: &dyn Fn(&mut Space) -> Value| {
            let start = on_core();
            for _ in 0..OPERATIONS {
                black_box(f(space));
            }
            println!("    {name:<28}{:>8.2}", f64::from(OPERATIONS) / (on_core() - start) / 1e6);
        };
        // The form alone, as affine arithmetic counts: what both forms and both intervals of a value take comes next.
        of("form: x + y", &mut space, &|_| {
            black_box(x.real.form.plus(1.0, &y.real.form));
            Value::exact(0.0)
        });
        of("x + z, the same symbols", &mut space, &|s| s.add(x, z, r));
        of("x + y", &mut space, &|s| s.add(x, y, r));
        of("x - y", &mut space, &|s| s.sub(x, y, r));
        of("0.7 x", &mut space, &|s| s.mul(x, &k, r));
        of("x y", &mut space, &|s| s.mul(x, y, r));
        of("x / y", &mut space, &|s| s.div(x, y, r));
        let mut full = Space::new(symbols);
        while full.symbols() < space.symbols() {
            full.symbol(2);
        }
        of("x + y, some become one", &mut full, &|s| s.add(x, y, r));
    }
}

/// Seconds of this process on a core so far: other programs may run too.
fn on_core() -> f64 {
    let times = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|t| t.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// A sum of so many inputs, of those behind the first ones of the space.
fn value(space: &mut Space, symbols: usize, skipped: usize) -> Value {
    let r = Rounding { format: Precision::Double, is_loose: false, origin: 0 };
    let mut inputs = Space::new(symbols);
    let mut sum = Value::exact(3.0);
    for n in 0..symbols + skipped {
        let range = Interval { lo: 1.0, hi: 1.0 + 1.0 / (n + 1) as f64 };
        let error = Interval { lo: -1e-6, hi: 1e-6 * (n + 1) as f64 };
        let input = Value::input(&mut inputs, range, error, Precision::Double, [2, 3]).expect("a float in the range");
        if n >= skipped {
            sum = inputs.add(&sum, &input, r);
        }
    }
    while space.symbols() < inputs.symbols() {
        space.symbol(2);
    }
    sum
}
