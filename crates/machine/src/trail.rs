//! The trail: the last operations that had an error, as nodes that name their operands.
//!
//! A ring of fixed size. A node's number counts up for ever; what is above the place in the ring is its key: who refers
//! to a node that was overwritten since finds another key there, and the trail ends. (FPSanitizer's lock and key.)
//! Every operation writes here, so nodes are packed: operands are kept as distances.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Nodes of the operands; 0: exact, or from outside.
    pub operands: [u64; 3],
    pub value: f64,
    /// Ideal minus actual.
    pub residue: f64,
    pub site: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    value: f64,
    residue: f64,
    /// 1 + the number of times that the ring had been filled.
    key: u32,
    site: u32,
    back: [u32; 3],
}

#[derive(Debug)]
pub struct Trail {
    nodes: Vec<Packed>,
    next: u64,
    /// Bits of a place in the ring.
    bits: u32,
}

impl Trail {
    /// Room for about so many nodes.
    pub fn new(nodes: usize) -> Trail {
        let room = nodes.clamp(16, 1 << 28).next_power_of_two();
        Trail { nodes: vec![Packed::default(); room], next: 1, bits: room.trailing_zeros() }
    }

    #[inline(always)]
    fn key(&self, number: u64) -> u32 {
        (number >> self.bits) as u32 + 1
    }

    #[inline(always)]
    pub fn push(&mut self, site: u32, operands: [u64; 3], value: f64, residue: f64) -> u64 {
        let number = self.next;
        self.next += 1;
        let at = number as usize & (self.nodes.len() - 1);
        let key = self.key(number);
        // What is too far back to be named is overwritten anyway.
        let back = operands.map(|o| if o == 0 { 0 } else { u32::try_from(number - o).unwrap_or(u32::MAX) });
        self.nodes[at] = Packed { value, residue, key, site, back };
        number
    }

    /// A node, if it is still there.
    pub fn get(&self, number: u64) -> Option<Node> {
        let node = &self.nodes[number as usize & (self.nodes.len() - 1)];
        if number == 0 || number >= self.next || node.key != self.key(number) {
            return None;
        }
        let operands = node.back.map(|back| if back == 0 { 0 } else { number.saturating_sub(u64::from(back)) });
        Some(Node { operands, value: node.value, residue: node.residue, site: node.site })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
