//! The trail: the last operations that had an error, as nodes that name their operands.
//!
//! A ring of fixed size. A node's number counts up for ever and is its own key: who refers to a node that was overwritten
//! since has a number that lies further back than the ring is long, and the trail ends. (FPSanitizer's lock and key.)
//! Every operation writes here, so a node is half a cache line: of its operands' numbers it has the lower halves. Numbers
//! that lie so far back that those would not tell are made [`GONE`] before they can ([`Trail::oldest_when_due`]). A node
//! may be a *mark*: it stands for another one, and says what its root is (`checks::roots`).

use zerocopy::{FromBytes, FromZeros, IntoBytes};

#[cfg(target_arch = "x86_64")]
use nonius_oracle::lanes::{Avx2, F4, U4, transposed};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Nodes of the operands; 0: exact, or from outside.
    pub operands: [u64; 3],
    pub value: f64,
    /// Ideal minus actual.
    pub residue: f64,
    pub site: u32,
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes)]
#[repr(C, align(32))]
struct Packed {
    value: f64,
    residue: f64,
    operands: [u32; 3],
    site: u32,
}

/// The number of a node that was overwritten long ago. The first of its own number is 2.
pub const GONE: u64 = 1;
/// In the site of a mark, which is else its root.
const MARK: u32 = 1 << 31;
/// Numbers given out after which older ones are to be forgotten: far from what half a number tells apart.
const EPOCH: u64 = 1 << 30;

#[derive(Debug)]
pub struct Trail {
    /// A power of two of them. Memory that was never written takes no room.
    nodes: Vec<Packed>,
    next: u64,
    /// The next number when [`Trail::oldest_when_due`] was last asked.
    asked: u64,
}

impl Trail {
    /// Room for about so many nodes.
    pub fn new(nodes: usize) -> Trail {
        let room = nodes.clamp(16, 1 << 28).next_power_of_two();
        Trail { nodes: Packed::new_vec_zeroed(room).expect("memory for the trail"), next: 2, asked: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, site: u32, operands: [u64; 3], value: f64, residue: f64) -> u64 {
        let number = self.next;
        self.next += 1;
        let at = self.place(number);
        // Written where it belongs, field by field: if it were built first it would be read back by a load wider than the
        // stores, which waits for them.
        let [x, y, z] = operands;
        self.nodes[at] = Packed { value, residue, operands: [x as u32, y as u32, z as u32], site };
        number
    }

    #[inline(always)]
    fn place(&self, number: u64) -> usize {
        number as usize & (self.nodes.len() - 1)
    }

    /// Once in a long while, the number of the oldest node that is still there: whoever keeps the number of an older one
    /// must keep [`GONE`] instead. To be asked between chunks of events.
    pub fn oldest_when_due(&mut self) -> Option<u64> {
        if self.next - self.asked < EPOCH {
            return None;
        }
        self.asked = self.next;
        Some(self.next.saturating_sub(self.nodes.len() as u64))
    }

    /// The same for four results of a site, of which those without residue have no node.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn push_four(&mut self, avx2: Avx2, site: u32, operands: [U4; 2], value: F4, residue: F4) -> U4 {
        let [x, y] = operands;
        let are_exact = residue.equals(avx2.all(0.0));
        if are_exact.is_full() {
            return avx2.all_words(0);
        }
        let at = self.place(self.next);
        let places = self.nodes.get_mut(at..).and_then(|n| n.first_chunk_mut::<4>());
        let Some(places) = places.filter(|_| are_exact.is_zero()) else {
            return avx2.words(self.push_each(site, [x.lanes(), y.lanes()], value.lanes(), residue.lanes()));
        };
        let numbers = avx2.all_words(self.next) + avx2.words([0, 1, 2, 3]);
        self.next += 4;
        let both = x & avx2.all_words(u32::MAX.into()) | y.left::<32>();
        let rows = [value.bits(), residue.bits(), both, avx2.all_words(u64::from(site) << 32)];
        for (place, row) in places.iter_mut().zip(transposed(rows)) {
            row.store(zerocopy::transmute_mut!(place));
        }
        numbers
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn push_each(&mut self, site: u32, [x, y]: [[u64; 4]; 2], value: [f64; 4], residue: [f64; 4]) -> [u64; 4] {
        std::array::from_fn(|lane| match residue[lane] {
            0.0 => 0,
            residue => self.push(site, [x[lane], y[lane], 0], value[lane], residue),
        })
    }

    /// Says that a node's root is this site. Returns the number to go on with.
    pub fn mark(&mut self, number: u64, root: u32, value: f64, residue: f64) -> u64 {
        self.push(MARK | root, [number, 0, 0], value, residue)
    }

    /// What a mark says.
    pub fn root(&self, number: u64) -> Option<u32> {
        self.at(number).filter(|node| node.site & MARK != 0).map(|node| node.site & !MARK)
    }

    /// A node, if it is still there; of a mark, what it stands for.
    pub fn get(&self, number: u64) -> Option<Node> {
        let mut node = self.at(number)?;
        while node.site & MARK != 0 {
            node = self.at(node.operands[0])?;
        }
        Some(node)
    }

    fn at(&self, number: u64) -> Option<Node> {
        if number <= GONE || number >= self.next || self.next - number > self.nodes.len() as u64 {
            return None;
        }
        let node = self.nodes.get(self.place(number))?;
        let whole = |low: u32| number.saturating_sub(u64::from((number as u32).wrapping_sub(low)));
        let operands = node.operands.map(|low| if u64::from(low) <= GONE { u64::from(low) } else { whole(low) });
        Some(Node { operands, value: node.value, residue: node.residue, site: node.site })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn four_at_once_are_four_one_after_another() {
        let Some(avx2) = Avx2::find() else { return };
        let (mut each, mut four) = (Trail::new(16), Trail::new(16));
        for round in 0..9u64 {
            let residues = [0.5, if round % 3 == 0 { 0.0 } else { 0.25 }, -0.5, 0.125];
            let operands = [[0, round, 1, round / 2], [round + 1, 0, 0, 2]];
            let [x, y] = operands.map(|o| avx2.words(o));
            let (value, residue) = (avx2.floats([1.0, 2.0, 3.0, 4.0]), avx2.floats(residues));
            let numbers = four.push_four(avx2, 7, [x, y], value, residue).lanes();
            for (lane, number) in numbers.into_iter().enumerate().filter(|&(lane, _)| residues[lane] != 0.0) {
                let operands = [operands[0][lane], operands[1][lane], 0];
                assert_eq!(each.push(7, operands, lane as f64 + 1.0, residues[lane]), number);
                assert_eq!(each.get(number), four.get(number));
            }
            assert!(round % 3 != 0 || numbers[1] == 0);
        }
    }

    #[test]
    fn half_a_number_tells_operands_apart_that_are_not_too_old() {
        let mut trail = Trail::new(16);
        for next in [1 << 32, 5 << 32, (1 << 32) + EPOCH] {
            trail.next = next - 3;
            let first = trail.push(7, [0, GONE, 0], 1.0, 0.5);
            let last = (0..8).fold(first, |last, _| trail.push(8, [last, first, 0], 2.0, 0.5));
            assert_eq!(trail.get(last).map(|n| n.operands), Some([last - 1, first, 0]));
            assert_eq!(trail.get(first).map(|n| n.operands), Some([0, GONE, 0]));
        }
        assert_eq!(trail.get(GONE), None);
    }

    #[test]
    fn a_mark_stands_for_its_node() {
        let mut trail = Trail::new(16);
        let first = trail.push(7, [0; 3], 1.0, 0.5);
        let mark = trail.mark(first, 3, 1.0, 0.5);
        let again = trail.mark(mark, 4, 1.0, 0.5);
        assert_eq!((trail.get(mark), trail.get(again)), (trail.get(first), trail.get(first)));
        assert_eq!((trail.root(first), trail.root(mark), trail.root(again)), (None, Some(3), Some(4)));
        for _ in 0..14 {
            trail.push(8, [0; 3], 1.0, 0.5);
        }
        // What it stood for was overwritten.
        assert_eq!((trail.get(first), trail.get(mark), trail.root(mark)), (None, None, Some(3)));
    }

    #[test]
    fn numbers_are_to_be_forgotten_in_time() {
        let mut trail = Trail::new(16);
        assert_eq!(trail.oldest_when_due(), None);
        trail.next = EPOCH + 20;
        assert_eq!(trail.oldest_when_due(), Some(EPOCH + 4));
        assert!(trail.get(EPOCH + 3).is_none());
        assert_eq!(trail.oldest_when_due(), None);
    }

    #[test]
    fn old_nodes_are_gone_and_do_not_come_back_as_others() {
        let mut trail = Trail::new(16);
        let first = trail.push(7, [0; 3], 1.0, 0.5);
        assert_eq!(trail.get(first).map(|n| n.site), Some(7));
        let mut last = 0;
        for _ in 0..15 {
            last = trail.push(8, [first, 0, last], 2.0, 0.5);
        }
        assert_eq!(trail.get(last).map(|n| n.operands), Some([first, 0, last - 1]));
        assert!(trail.get(first).is_some());
        trail.push(9, [0; 3], 3.0, 0.5);
        assert_eq!(trail.get(first), None);
        assert_eq!((trail.get(0), trail.get(1 << 60), trail.get(last + 2)), (None, None, None));
    }
}
