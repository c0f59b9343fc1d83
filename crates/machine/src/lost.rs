//! Values that came from code that the machine did not see, by where they came up.

use nonius_abi::site::NONE;

#[derive(Debug, Default)]
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

fn counted(counts: &[u64]) -> impl Iterator<Item = (u32, u64)> + '_ {
    (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0)
}
