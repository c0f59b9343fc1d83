//! The trail: the last operations that had an error, as nodes that name their operands.
//!
//! A ring of fixed size. A node's number counts up for ever and is its key: who refers to a node that
//! was overwritten since finds another number there, and the trail ends. (FPSanitizer's lock and key.)

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    number: u64,
    /// Nodes of the operands; 0: exact, or from outside.
    pub operands: [u64; 3],
    pub value: f64,
    /// Ideal minus actual.
    pub residue: f64,
    pub site: u32,

    pub depth: u32,
}

#[derive(Debug)]
pub struct Trail {
    nodes: Vec<Node>,
    next: u64,
}

impl Trail {
    /// Room for about so many nodes.
    pub fn new(nodes: usize) -> Trail {
        let room = nodes.clamp(16, 1 << 28).next_power_of_two();
        Trail { nodes: vec![Node::default(); room], next: 1 }
    }

    #[inline(always)]
    pub fn push(&mut self, site: u32, depth: u32, operands: [u64; 3], value: f64, residue: f64) -> u64 {
        let number = self.next;
        self.next += 1;
        let at = number as usize & (self.nodes.len() - 1);
        self.nodes[at] = Node { number, operands, value, residue, site, depth };
        number
    }

    /// A node, if it is still there.
    pub fn get(&self, number: u64) -> Option<&Node> {
        let node = &self.nodes[number as usize & (self.nodes.len() - 1)];
        (number != 0 && node.number == number).then_some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_nodes_are_gone_and_do_not_come_back_as_others() {
        let mut trail = Trail::new(16);
        let first = trail.push(7, 0, [0; 3], 1.0, 0.5);
        assert_eq!(trail.get(first).map(|n| n.site), Some(7));
        for _ in 0..15 {
            trail.push(8, 0, [first, 0, 0], 2.0, 0.5);
        }
        assert!(trail.get(first).is_some());
        trail.push(9, 0, [0; 3], 3.0, 0.5);
        assert_eq!(trail.get(first), None);
        assert_eq!(trail.get(0), None);
        assert_eq!(trail.get(1 << 60), None);
    }
}
