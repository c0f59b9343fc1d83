// Values that are equal because they were computed alike, sorted, searched and compared after all kinds of moves: a copy that
// lost its shadow would differ from one that has it.
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::hint::black_box;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Key(f64);

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.partial_cmp(other).unwrap()
    }
}

fn compute(i: u32) -> f64 {
    let x = black_box(0.7f64);
    (x * f64::from(i % 40)).sin() / 3.0 + x.sqrt()
}

fn count_equal(values: &[f64]) -> usize {
    values.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

fn main() {
    let mut values: Vec<f64> = (0..160).map(compute).collect();
    let mut stable = values.clone();
    stable.sort_by(|a, b| a.partial_cmp(b).unwrap());
    values.sort_unstable_by(|a, b| b.partial_cmp(a).unwrap());
    values.reverse();
    let mut heap: BinaryHeap<Key> = stable.iter().copied().map(Key).collect();
    let tree: BTreeMap<Key, usize> = values.iter().enumerate().map(|(n, &v)| (Key(v), n)).collect();
    let mut queue: VecDeque<f64> = stable.iter().copied().collect();
    queue.rotate_left(33);
    queue.make_contiguous().sort_by(|a, b| a.partial_cmp(b).unwrap());
    let queued: Vec<f64> = queue.into();
    let found = stable.iter().filter(|v| values.binary_search_by(|w| w.partial_cmp(v).unwrap()).is_ok()).count();
    let mut popped = 0;
    while let Some(Key(top)) = heap.pop() {
        popped += usize::from(stable.contains(&top) && tree.contains_key(&Key(top)));
    }
    let mut distinct = stable.clone();
    distinct.dedup();
    let same = stable == values && values == queued;
    println!("{} {} {} {found} {popped} {} {same}", count_equal(&stable), count_equal(&values), tree.len(), distinct.len());
}
