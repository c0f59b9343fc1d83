//! Which units are free: runs of one, two or four neighbours, as pages of doubles, floats and halves need them.
//!
//! Units come in groups of four. A run begins at a multiple of its length.

/// Units of a group.
const GROUP: usize = 4;

#[derive(Debug)]
pub struct Room {
    /// By group: a bit for each unit that some page has.
    taken: Vec<u8>,
    /// Groups that have a free run of 1, 2 or 4, and maybe some that no longer do.
    open: [Vec<u32>; 3],
    /// By group: the lists of `open` that it is in, a bit each.
    listed: Vec<u8>,
    most_groups: usize,
}

/// A run of units, as bits of its group.
fn bits(first: usize, count: usize) -> u8 {
    (((1u16 << count) - 1) << (first % GROUP)) as u8
}

/// Where in a group a free run of that length begins.
fn free_run(taken: u8, count: usize) -> Option<usize> {
    (0..GROUP).step_by(count).find(|&first| taken & bits(first, count) == 0)
}

impl Room {
    /// For so many units, but never less than a few pages.
    pub fn new(most_units: usize) -> Room {
        let most_groups = most_units.div_ceil(GROUP).max(4);
        Room { taken: Vec::new(), open: Default::default(), listed: Vec::new(), most_groups }
    }

    /// Units that there are, taken or free.
    pub fn units(&self) -> usize {
        self.taken.len() * GROUP
    }

    /// The first unit of a free run, which is no longer free; `None` if there is none.
    pub fn take(&mut self, count: usize) -> Option<usize> {
        let class = count.trailing_zeros() as usize;
        while let Some(&group) = self.open[class].last() {
            let group = group as usize;
            if let Some(first) = free_run(self.taken[group], count) {
                self.taken[group] |= bits(first, count);
                return Some(group * GROUP + first);
            }
            self.open[class].pop();
            self.listed[group] &= !(1 << class);
        }
        if self.taken.len() == self.most_groups {
            return None;
        }
        self.taken.push(bits(0, count));
        self.listed.push(0);
        self.list(self.taken.len() - 1);
        Some(self.units() - GROUP)
    }

    /// A run that `take` gave is free again.
    pub fn give_back(&mut self, run: std::ops::Range<usize>) {
        let group = run.start / GROUP;
        self.taken[group] &= !bits(run.start, run.len());
        self.list(group);
    }

    /// Notes which free runs a group has.
    fn list(&mut self, group: usize) {
        for (class, open) in self.open.iter_mut().enumerate() {
            let is_listed = self.listed[group] >> class & 1 != 0;
            if !is_listed && free_run(self.taken[group], 1 << class).is_some() {
                open.push(group as u32);
                self.listed[group] |= 1 << class;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbours_that_are_free_are_a_run() {
        let mut room = Room::new(16);
        let singles: Vec<usize> = (0..16).map(|_| room.take(1).unwrap()).collect();
        assert_eq!((room.take(1), room.units()), (None, 16));
        assert_eq!(singles.iter().collect::<std::collections::BTreeSet<_>>().len(), 16);
        room.give_back(4..5);
        room.give_back(6..7);
        assert_eq!(room.take(2), None, "they are no neighbours");
        room.give_back(5..6);
        assert_eq!((room.take(2), room.take(1), room.take(1)), (Some(4), Some(6), None));
        (8..12).for_each(|unit| room.give_back(unit..unit + 1));
        assert_eq!((room.take(4), room.take(1)), (Some(8), None));
    }

    proptest! {
        #[test]
        fn no_unit_is_given_twice_and_none_is_lost(steps in proptest::collection::vec((0u32..3, any::<bool>(), 0usize..64), 1..300)) {
            let mut room = Room::new(32);
            let mut taken: Vec<std::ops::Range<usize>> = Vec::new();
            for (class, gives_back, which) in steps {
                if gives_back && !taken.is_empty() {
                    let run = taken.swap_remove(which % taken.len());
                    room.give_back(run);
                    continue;
                }
                let count = 1 << class;
                let is_free = |first: usize| taken.iter().all(|run| run.end <= first || first + count <= run.start);
                let expected = (0..32).step_by(count).any(is_free);
                let first = room.take(count);
                prop_assert_eq!(first.is_some(), expected);
                if let Some(first) = first {
                    prop_assert!(first % count == 0 && is_free(first));
                    taken.push(first..first + count);
                }
            }
        }
    }
}
