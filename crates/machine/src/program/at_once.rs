//! Moves between registers where blocks meet: all read before any is written.

use std::collections::HashMap;

/// Moves that happen at once, as moves one after the other; each register is written by one of them at most.
///
/// A move can be done once nobody is left who reads what it overwrites. Where only cycles are left, one source is put
/// aside. Takes as long as there are moves.
pub fn in_order(mut moves: Vec<(u32, u32)>, scratch: u32) -> Vec<(u32, u32)> {
    let mut readers: HashMap<u32, Vec<usize>> = HashMap::with_capacity(moves.len());
    let mut writer: HashMap<u32, usize> = HashMap::with_capacity(moves.len());
    for (index, &(to, from)) in moves.iter().enumerate() {
        readers.entry(from).or_default().push(index);
        writer.insert(to, index);
    }
    // How many are still to read each register.
    let mut left: HashMap<u32, usize> = readers.iter().map(|(&from, indices)| (from, indices.len())).collect();
    let mut free: Vec<usize> = (0..moves.len()).rev().filter(|&i| !readers.contains_key(&moves[i].0)).collect();
    let mut is_done = vec![false; moves.len()];
    let mut ordered = Vec::with_capacity(moves.len());
    for first in 0..moves.len() {
        loop {
            while let Some(index) = free.pop() {
                let (to, from) = moves[index];
                is_done[index] = true;
                ordered.push((to, from));
                if let Some(count) = left.get_mut(&from) {
                    *count -= 1;
                    if *count == 0 {
                        free.extend(writer.get(&from).copied().filter(|&next| !is_done[next]));
                    }
                }
            }
            if is_done[first] {
                break;
            }
            // All that are left are in cycles.
            let saved = moves[first].1;
            ordered.push((scratch, saved));
            let waiting = readers.get(&saved).into_iter().flatten();
            waiting.for_each(|&index| moves[index].1 = scratch);
            left.remove(&saved);
            free.extend(writer.get(&saved).copied().filter(|&next| !is_done[next]));
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn any_moves_happen_at_once(sources in proptest::collection::vec(proptest::option::of(0u32..12), 12)) {
            let moves: Vec<(u32, u32)> = (0..).zip(&sources).filter_map(|(to, from)| Some((to, (*from)?))).collect();
            let before: Vec<u32> = (100..113).collect();
            let mut registers = before.clone();
            run(&moves, &mut registers);
            for (to, from) in (0u32..).zip(&sources) {
                prop_assert_eq!(registers[to as usize], before[from.unwrap_or(to) as usize]);
            }
        }
    }
}
