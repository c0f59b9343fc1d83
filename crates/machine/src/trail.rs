//! The trail: the last operations that had an error, as nodes that name their operands.
//!
//! A ring of fixed size. A node's number counts up for ever and is its own key: who refers to a node that was overwritten
//! since has a number that lies further back than the ring is long, and the trail ends. (FPSanitizer's lock and key.)
//! Every operation writes here, so a node is half a cache line: of its operands' numbers it has the lower halves. Numbers
//! that lie so far back that those would not tell are made [`GONE`] before they can ([`Trail::oldest_when_due`]). A node
//! may be a *mark*: it stands for another one, and says what its root is (`checks::roots`), or that the sign is another; or
//! for a value whose shadow restarted after a finding (`checks::requests`).
//! Constants that were rounded have numbers below all nodes (`constants`).

use zerocopy::{FromBytes, FromZeros, IntoBytes};

#[cfg(target_arch = "x86_64")]
use nonius_oracle::lanes::{Avx2, F4, U4, transposed};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Nodes of the operands, or numbers of constants; 0: exact, or from outside.
    pub operands: [u64; 3],
    pub value: f64,
    /// Ideal minus actual.
    pub residue: f64,
    pub site: u32,
}

/// What the number of a value stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behind {
    /// The index of a constant.
    Constant(usize),
    /// A node and its own number.
    Node(u64, Node),
    /// An exact value, or what was overwritten.
    Nothing,
}

/// A number as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    Node(Node),
    /// The same value, or its negative.
    Same {
        number: u64,
        sign: f64,
    },
    /// A value whose shadow restarted after the finding of this order, and the residue that it had.
    Restart {
        order: usize,
        value: f64,
        residue: f64,
    },
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes)]
#[repr(C, align(32))]
struct Packed {
    value: f64,
    residue: f64,
    operands: [u32; 3],
    site: u32,
}

/// The number of a node that was overwritten long ago. Behind it come the constants'.
pub const GONE: u64 = 1;
/// The first number of a node.
const FIRST: u64 = 1 << 16;
/// In the site of a mark, which is else its root.
const MARK: u32 = 1 << 31;
/// The mark of a value that is the other one but for its sign.
const NEGATED: u32 = MARK | (MARK - 2);
/// The mark of a value whose shadow restarted: exact from there on.
const RESTARTED: u32 = MARK | (MARK - 3);
/// The site of an operand that is exact.
const EXACT: u32 = MARK - 1;
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
        Trail { nodes: Packed::new_vec_zeroed(room).expect("memory for the trail"), next: FIRST, asked: 0 }
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
        // Nodes whose number would have a constant's for its lower half are left out. All that are there end with that.
        if u64::from(self.next as u32) > 3 * EPOCH {
            self.next = ((self.next >> 32) + 1) << 32 | FIRST;
        }
        if self.next - self.asked < EPOCH {
            return None;
        }
        self.asked = self.next;
        Some(self.next.saturating_sub(self.nodes.len() as u64))
    }

    /// The same for four results of a site, of which those have no node that are exact and made of what has none.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn push_four(&mut self, avx2: Avx2, site: u32, operands: [U4; 2], value: F4, residue: F4) -> U4 {
        let [x, y] = operands;
        let zero = avx2.all(0.0);
        let are_exact = residue.equals(zero) & (x | y).equals(zero.bits());
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
            0.0 if x[lane] | y[lane] == 0 => 0,
            residue => self.push(site, [x[lane], y[lane], 0], value[lane], residue),
        })
    }

    /// The number of an exact operand whose value the result does not tell of, where another operand has a node: `0 * 3` and
    /// `pow(1, 3)` move with what they are made of by a 3 that is nowhere else.
    #[cold]
    #[inline(never)]
    pub fn exact(&mut self, value: f64) -> u64 {
        if value.is_finite() { self.push(EXACT, [0; 3], value, 0.0) } else { 0 }
    }

    /// Says that a node's root is this site. Returns the number to go on with.
    pub fn mark(&mut self, number: u64, root: u32, value: f64, residue: f64) -> u64 {
        self.push(MARK | root, [number, 0, 0], value, residue)
    }

    /// The number of the same value with the other sign.
    pub fn negated(&mut self, number: u64) -> u64 {
        if number <= GONE { number } else { self.push(NEGATED, [number, 0, 0], 0.0, 0.0) }
    }

    /// What a mark says.
    pub fn root(&self, number: u64) -> Option<u32> {
        let mut node = self.at(number)?;
        while node.site == NEGATED {
            node = self.at(node.operands[0])?;
        }
        (node.site & MARK != 0 && node.site != RESTARTED).then_some(node.site & !MARK)
    }

    /// The number of a value whose shadow restarts, with the residue that it had, after a finding of this order.
    pub fn restarted(&mut self, order: usize, value: f64, residue: f64) -> u64 {
        let number = self.push(RESTARTED, [0; 3], value, residue);
        let at = self.place(number);
        self.nodes[at].operands[1] = order.try_into().unwrap_or(u32::MAX);
        number
    }

    /// What a number stands for as it was written, marks and all.
    pub fn link(&self, number: u64) -> Option<Link> {
        let node = self.at(number)?;
        Some(match node.site {
            RESTARTED => {
                let order = self.nodes[self.place(number)].operands[1] as usize;
                Link::Restart { order, value: node.value, residue: node.residue }
            }
            NEGATED => Link::Same { number: node.operands[0], sign: -1.0 },
            EXACT => return None,
            site if site & MARK != 0 => Link::Same { number: node.operands[0], sign: 1.0 },
            _ => Link::Node(node),
        })
    }

    /// A node, if it is still there; of a mark, what it stands for.
    pub fn get(&self, number: u64) -> Option<Node> {
        match self.behind(number).0 {
            Behind::Node(_, node) => Some(node),
            Behind::Constant(_) | Behind::Nothing => None,
        }
    }

    /// What a number stands for behind marks, and its sign in that.
    pub fn behind(&self, mut number: u64) -> (Behind, f64) {
        let mut sign = 1.0;
        loop {
            if (GONE + 1..FIRST).contains(&number) {
                return (Behind::Constant((number - GONE - 1) as usize), sign);
            }
            match self.at(number) {
                Some(node) if node.site & MARK != 0 => {
                    sign = if node.site == NEGATED { -sign } else { sign };
                    number = node.operands[0];
                }
                Some(node) => return (Behind::Node(number, node), sign),
                None => return (Behind::Nothing, sign),
            }
        }
    }

    /// Whether the number is a node's that was overwritten, or a mark's of one.
    #[inline(always)]
    pub fn is_overwritten(&self, number: u64) -> bool {
        number == GONE || number >= FIRST && self.next.wrapping_sub(number) > self.nodes.len() as u64
    }

    /// A node that stands for one that was overwritten, of a value whose root is this site.
    pub fn renew(&mut self, root: u32, value: f64, residue: f64) -> u64 {
        self.mark(GONE, root, value, residue)
    }

    /// The same as [`Trail::get`]; where only a mark is left, its value stands for a result of its root.
    pub fn get_or_mark(&self, number: u64) -> Option<Node> {
        let only_mark = || {
            let (root, mark) = (self.root(number)?, self.at(number)?);
            Some(Node { operands: [0; 3], site: root, ..mark })
        };
        self.get(number).or_else(only_mark)
    }

    /// Whether it was the number of a node that was overwritten.
    pub fn is_gone(&self, number: u64) -> bool {
        let is_restart = || matches!(self.link(number), Some(Link::Restart { .. }));
        number >= GONE && matches!(self.behind(number).0, Behind::Nothing) && !is_restart()
    }

    /// The number of a constant, if there is room for so many.
    pub fn constant(index: usize) -> Option<u64> {
        Some(index as u64 + GONE + 1).filter(|&number| number < FIRST)
    }

    /// Whether a number is a constant's.
    pub fn is_constant(number: u64) -> bool {
        (GONE + 1..FIRST).contains(&number)
    }

    fn at(&self, number: u64) -> Option<Node> {
        if number < FIRST || number >= self.next || self.next - number > self.nodes.len() as u64 {
            return None;
        }
        let node = self.nodes.get(self.place(number))?;
        let whole = |low: u32| number.saturating_sub(u64::from((number as u32).wrapping_sub(low)));
        let operands = node.operands.map(|low| if u64::from(low) < FIRST { u64::from(low) } else { whole(low) });
        Some(Node { operands, value: node.value, residue: node.residue, site: node.site })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_is_an_exact_value_that_knows_its_finding() {
        let mut trail = Trail::new(16);
        let restart = trail.restarted(3, 1.5, 0.25);
        let minus = trail.negated(restart);
        assert_eq!(trail.link(restart), Some(Link::Restart { order: 3, value: 1.5, residue: 0.25 }));
        assert_eq!(trail.link(minus), Some(Link::Same { number: restart, sign: -1.0 }));
        assert_eq!((trail.root(restart), trail.get(restart), trail.is_gone(restart)), (None, None, false));
        let twice = trail.push(7, [restart, 0, 0], 3.0, 0.0);
        assert!(matches!(trail.link(twice), Some(Link::Node(node)) if node.operands[0] == restart));
        assert_eq!(trail.link(0), None);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn four_at_once_are_four_one_after_another() {
        let Some(avx2) = Avx2::find() else { return };
        let (mut each, mut four) = (Trail::new(16), Trail::new(16));
        for round in 0..9u64 {
            let residues = [0.5, if round % 3 == 0 { 0.0 } else { 0.25 }, -0.5, 0.125];
            // The second lane is exact in every third round, and of what has no node in every sixth.
            let second = if round % 6 == 0 { 0 } else { round };
            let operands = [[0, second, 1, round / 2], [round + 1, 0, 0, 2]];
            let [x, y] = operands.map(|o| avx2.words(o));
            let (value, residue) = (avx2.floats([1.0, 2.0, 3.0, 4.0]), avx2.floats(residues));
            let numbers = four.push_four(avx2, 7, [x, y], value, residue).lanes();
            for (lane, number) in numbers.into_iter().enumerate() {
                let operands = [operands[0][lane], operands[1][lane], 0];
                if residues[lane] == 0.0 && operands == [0; 3] {
                    assert_eq!(number, 0);
                    continue;
                }
                assert_eq!(each.push(7, operands, lane as f64 + 1.0, residues[lane]), number);
                assert_eq!(each.get(number), four.get(number));
            }
        }
    }

    #[test]
    fn half_a_number_tells_operands_apart_that_are_not_too_old() {
        let mut trail = Trail::new(16);
        for next in [1 << 32 | FIRST, 5 << 32 | FIRST, (1 << 32) + EPOCH] {
            trail.next = next;
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
    fn a_mark_is_what_is_left_of_an_overwritten_node() {
        let mut trail = Trail::new(16);
        let first = trail.push(7, [0; 3], 1.0, 0.5);
        assert!(!trail.is_overwritten(first) && !trail.is_overwritten(0) && trail.is_overwritten(GONE));
        for _ in 0..16 {
            trail.push(8, [0; 3], 1.0, 0.5);
        }
        assert!(trail.is_overwritten(first) && trail.get_or_mark(first).is_none());
        let renewed = trail.renew(3, 2.0, 0.25);
        let left = Node { operands: [0; 3], value: 2.0, residue: 0.25, site: 3 };
        assert_eq!((trail.root(renewed), trail.get(renewed), trail.get_or_mark(renewed)), (Some(3), None, Some(left)));
    }

    #[test]
    fn constants_are_no_nodes_and_signs_are_kept() {
        let mut trail = Trail::new(16);
        let constant = Trail::constant(3).unwrap();
        assert!(Trail::is_constant(constant) && !trail.is_gone(constant) && trail.get(constant).is_none());
        let minus = trail.negated(constant);
        assert_eq!(trail.behind(minus), (Behind::Constant(3), -1.0));
        assert!(trail.get(minus).is_none() && !trail.is_gone(minus) && trail.root(minus).is_none());
        let node = trail.push(7, [minus, 0, 0], 1.0, 0.5);
        let mark = trail.mark(node, 3, 1.0, 0.5);
        let minus = trail.negated(mark);
        assert_eq!((trail.get(minus), trail.root(minus), trail.behind(minus).1), (trail.get(node), Some(3), -1.0));
        assert_eq!((trail.negated(0), trail.negated(GONE), Trail::constant(1 << 16)), (0, GONE, None));
        // No node has a number whose lower half is a constant's.
        trail.next = (1 << 32) - 5;
        assert!(trail.oldest_when_due().is_some());
        let first = trail.push(7, [constant, 0, 0], 1.0, 0.5);
        assert!(u64::from(first as u32) >= FIRST && first > 1 << 32);
        let last = trail.push(8, [first, constant, minus], 1.0, 0.5);
        assert_eq!(trail.get(last).map(|n| n.operands), Some([first, constant, minus]));
        assert!(trail.is_gone(minus));
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
