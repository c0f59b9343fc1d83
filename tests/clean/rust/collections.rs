// Floats that move through boxes, maps, clones, sorts and resizes keep their shadows or start anew.
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

fn main() {
    let x = black_box(0.7f64);
    let mut values: Vec<f64> = (0..100).map(|i| (x + f64::from(i)).sqrt()).collect();
    values.extend_from_within(10..20);
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    values.dedup();
    let boxed: Box<[f64]> = values.clone().into_boxed_slice();
    let ordered: BTreeMap<usize, f64> = boxed.iter().copied().enumerate().collect();
    let hashed: HashMap<&str, f64> = HashMap::from([("a", ordered[&3]), ("b", x / 3.0)]);
    let mut text: Vec<String> = hashed.values().map(f64::to_string).collect();
    text.sort();
    println!("{} {} {text:?}", values.len(), boxed.iter().sum::<f64>());
}
