//! A small generator of random numbers whose sequence will never change: a seed names a run for good.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An item of a list that may be empty.
    pub fn pick_mut<'a, T>(&mut self, items: &'a mut [T]) -> Option<&'a mut T> {
        let index = self.below(items.len());
        items.get_mut(index)
    }

    /// A number that code is likely to be wrong about: small, near a limit, or near `old`.
    pub fn word(&mut self, old: u32) -> u32 {
        match self.below(8) {
            0 => self.below(4) as u32,
            1 => old.wrapping_add(1),
            2 => old.wrapping_sub(1),
            3 => old.wrapping_add(self.below(16) as u32),
            4 => u32::MAX - self.below(3) as u32,
            5 => 1 << self.below(32),
            6 => self.below(300) as u32,
            _ => self.bits() as u32,
        }
    }
}
