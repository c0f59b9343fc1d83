//! Moves between registers where blocks meet: all read before any is written.

/// Moves that happen at once, as moves one after the other.
pub fn in_order(mut moves: Vec<(u32, u32)>, scratch: u32) -> Vec<(u32, u32)> {
    let mut ordered = Vec::with_capacity(moves.len());
    while !moves.is_empty() {
        let free = moves.iter().position(|&(to, _)| moves.iter().all(|&(_, from)| from != to));
        match free {
            Some(index) => ordered.push(moves.swap_remove(index)),
            None => {
                // All are in cycles: put one source aside.
                let aside = moves[0].1;
                ordered.push((scratch, aside));
                moves.iter_mut().filter(|m| m.1 == aside).for_each(|m| m.1 = scratch);
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(moves: &[(u32, u32)], registers: &mut [u32]) {
        let scratch = registers.len() as u32 - 1;
        for (to, from) in in_order(moves.to_vec(), scratch) {
            registers[to as usize] = registers[from as usize];
        }
    }

    #[test]
    fn moves_happen_at_once() {
        let mut chain = [0, 1, 2, 3, 9];
        run(&[(1, 0), (2, 1), (3, 2)], &mut chain);
        assert_eq!(chain[..4], [0, 0, 1, 2]);
        let mut swap = [0, 1, 2, 3, 9];
        run(&[(0, 1), (1, 0), (3, 1)], &mut swap);
        assert_eq!(swap[..4], [1, 0, 2, 1]);
        let mut cycle = [0, 1, 2, 3, 9];
        run(&[(0, 1), (1, 2), (2, 0), (3, 0)], &mut cycle);
        assert_eq!(cycle[..4], [1, 2, 0, 0]);
    }
}
