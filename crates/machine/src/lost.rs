//! Values that came from code that the machine did not see, by where they came up.

use nonius_abi::site::NONE;

#[derive(Clone, Debug, Default)]
pub struct Lost {
    /// By the site of an operation, or of a call whose result it is.
    sites: Vec<u64>,
    /// By function: its arguments.
    arguments: Vec<u64>,
    /// Loads of memory that changed without notice.
    pub loads: u64,
}

impl Lost {
    #[cold]
    pub fn at(&mut self, site: u32) {
        add(&mut self.sites, site);
    }

    #[cold]
    pub fn argument(&mut self, function: u32) {
        add(&mut self.arguments, function);
    }

    /// Adds what was lost elsewhere.
    pub fn absorb(&mut self, other: &Lost) {
        add_all(&mut self.sites, &other.sites);
        add_all(&mut self.arguments, &other.arguments);
        self.loads += other.loads;
    }

    /// Sites with how many values came from there.
    pub fn sites(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        counted(&self.sites)
    }

    /// Functions with how many arguments came to them without a shadow.
    pub fn functions(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        counted(&self.arguments)
    }
}

fn add(counts: &mut Vec<u64>, index: u32) {
    if index == NONE {
        return;
    }
    let index = index as usize;
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
}

fn add_all(counts: &mut Vec<u64>, more: &[u64]) {
    counts.resize(counts.len().max(more.len()), 0);
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

fn counted(counts: &[u64]) -> impl Iterator<Item = (u32, u64)> + '_ {
    (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0)
}
