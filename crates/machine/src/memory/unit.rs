//! Cells in a row, and what is kept in them.

use crate::register::{Known, Register};
use crate::walk_four::Avx2;
use nonius_abi::Precision;
use nonius_oracle::Oracle;
use zerocopy::FromZeros;

/// Cells of a unit: a page of doubles.
pub const CELLS: usize = 512;

/// Rests that are made at a time.
const RESTS: usize = 32;

/// Something is held.
const HELD: u8 = 1 << 6;
/// It has a rest.
const HAS_REST: u8 = 1 << 7;
const ALL_HAVE_RESTS: u32 = u32::from_ne_bytes([HAS_REST; 4]);
const FORMAT_SHIFT: u32 = 3;

/// The tag of a cell that holds a value of this format from that address on: what tells it from others in the same
/// cell. The least bits are those of the address below the cell's size. 0 if nothing is held.
#[inline(always)]
pub fn tag(address: u64, format: Precision, grain: u32) -> u8 {
    address as u8 & ((1 << grain) - 1) | (format as u8) << FORMAT_SHIFT | HELD
}

/// Of every value: itself, and its site and depth, as they lie in a [`Known`].
#[derive(Clone, Copy, Debug, FromZeros)]
#[repr(C)]
pub struct Head {
    value: u64,
    made: u64,
}

impl Head {
    pub fn value(self) -> f64 {
        f64::from_bits(self.value)
    }

    pub fn site_and_depth(self) -> [u32; 2] {
        zerocopy::transmute!(self.made)
    }
}

/// Value, residue, node and cancelled, as they lie in a [`Known`]. They are written by one instruction where the processor
/// has it, because operations on four lanes read them so, and would wait for anything else.
type Row = [u64; 4];

/// What else there is of a value that has an error, or had one on the way.
#[derive(Debug)]
#[repr(C)]
pub struct Rest<S> {
    row: Row,
    shadow: S,
}

/// The row of what is known, and the word behind it: site and depth.
#[inline(always)]
fn words(known: &Known) -> (&Row, u64) {
    let [row @ .., made]: &[u64; 5] = zerocopy::transmute_ref!(known);
    (row, *made)
}

#[inline(always)]
fn words_mut(known: &mut Known) -> (&mut Row, &mut u64) {
    let [row @ .., made]: &mut [u64; 5] = zerocopy::transmute_mut!(known);
    (row, made)
}

/// Whether a value is its own ideal, and always was.
#[inline(always)]
fn is_own_ideal<O: Oracle>(from: &Register<O::Shadow>, oracle: &O) -> bool {
    let [_, residue, node, cancelled] = words(&from.known).0;
    residue | node | cancelled == 0 && oracle.is_restarted(&from.shadow, from.known.value)
}

/// The row of a value that is its own ideal.
#[inline(always)]
fn put_value(avx2: Option<Avx2>, out: &mut Row, value: u64) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2 {
        return avx2.words([value, 0, 0, 0]).store(out);
    }
    let _ = avx2;
    *out = [value, 0, 0, 0];
}

#[derive(Debug)]
pub struct Unit<S> {
    pub(super) tags: Box<[u8; CELLS]>,
    pub(super) heads: Box<[Head; CELLS]>,
    /// As far as they were needed.
    pub(super) rests: Vec<Rest<S>>,
}

impl<S> Unit<S> {
    /// What a cell takes at most.
    pub const BYTES_A_CELL: usize = size_of::<u8>() + size_of::<Head>() + size_of::<Rest<S>>();

    pub fn new() -> Unit<S> {
        let memory = "memory for cells";
        let (tags, heads) = (<[u8; CELLS]>::new_box_zeroed(), <[Head; CELLS]>::new_box_zeroed());
        Unit { tags: tags.expect(memory), heads: heads.expect(memory), rests: Vec::new() }
    }

    #[inline(always)]
    pub fn holds(&self, at: usize, tag: u8) -> bool {
        self.tags[at] & !HAS_REST == tag
    }

    /// Where in its cell a value lies, and its format.
    pub fn entry(&self, at: usize) -> Option<(u64, Precision)> {
        let tag = self.tags[at];
        let format = Precision::from_u8((tag & !(HELD | HAS_REST)) >> FORMAT_SHIFT)?;
        (tag != 0).then_some((u64::from(tag % (1 << FORMAT_SHIFT)), format))
    }

    pub fn forget(&mut self, at: usize) {
        self.tags[at] = 0;
    }

    pub fn clear(&mut self) {
        self.tags.fill(0);
    }

    #[inline(always)]
    pub(super) fn rest(&self, at: usize) -> Option<&Rest<S>> {
        self.rests.get(at).filter(|_| self.tags[at] & HAS_REST != 0)
    }

    /// What is known of the value in a cell that holds one.
    pub fn shadow(&self, at: usize) -> Option<&S> {
        self.rest(at).map(|rest| &rest.shadow)
    }

    pub fn known(&self, at: usize) -> Known {
        let mut known = Known::outside(self.heads[at].value());
        let (row, made) = words_mut(&mut known);
        *made = self.heads[at].made;
        if let Some(rest) = self.rest(at) {
            *row = rest.row;
        }
        known
    }

    #[inline(always)]
    fn out<O: Oracle<Shadow = S>>(&self, avx2: Option<Avx2>, at: usize, out: &mut Register<S>, oracle: &mut O) {
        let head = self.heads[at];
        match self.rest(at) {
            None => head.out(avx2, out, oracle),
            Some(rest) => rest.out(head, out, oracle),
        }
    }

    /// Fetches whatever a cell holds.
    pub fn read<O: Oracle<Shadow = S>>(
        &self,
        at: usize,
        out: &mut Register<S>,
        oracle: &mut O,
    ) -> Option<(u64, Precision)> {
        let entry = self.entry(at)?;
        self.out(None, at, out, oracle);
        Some(entry)
    }

    /// Fetches what a cell holds, if it is this.
    #[inline(always)]
    pub fn fetch<O: Oracle<Shadow = S>>(
        &self,
        avx2: Option<Avx2>,
        at: usize,
        tag: u8,
        value: u64,
        out: &mut Register<S>,
        oracle: &mut O,
    ) -> bool {
        let is_held = self.holds(at, tag) && self.heads[at].value == value;
        if is_held {
            self.out(avx2, at, out, oracle);
        }
        is_held
    }

    #[inline(always)]
    pub fn fetch_four<O: Oracle<Shadow = S>>(
        &self,
        avx2: Option<Avx2>,
        at: usize,
        tag: u8,
        values: &[u64; 4],
        out: &mut [Register<S>; 4],
        oracle: &mut O,
    ) -> bool {
        let (Some(tags), Some(heads)) = (four(&*self.tags, at), four(&*self.heads, at)) else { return false };
        let have_rests = u32::from_ne_bytes(*tags) & ALL_HAVE_RESTS;
        let mut differs = u64::from(u32::from_ne_bytes(*tags) ^ have_rests ^ u32::from_ne_bytes([tag; 4]));
        for lane in 0..4 {
            differs |= heads[lane].value ^ values[lane];
        }
        if differs != 0 {
            return false;
        }
        if have_rests == 0 {
            heads.iter().zip(out).for_each(|(head, out)| head.out(avx2, out, oracle));
        } else if have_rests == ALL_HAVE_RESTS
            && let Some(rests) = four(&self.rests, at)
        {
            rests.iter().zip(heads).zip(out).for_each(|((rest, head), out)| rest.out(*head, out, oracle));
        } else {
            out.iter_mut().enumerate().for_each(|(lane, out)| self.out(avx2, at + lane, out, oracle));
        }
        true
    }

    /// Keeps a value. `false`: nothing is kept, for want of room.
    #[inline(always)]
    pub fn keep<O: Oracle<Shadow = S>>(&mut self, at: usize, mut tag: u8, from: &Register<S>, oracle: &mut O) -> bool {
        if !is_own_ideal(from, oracle) {
            let Some(rest) = self.rests.get_mut(at) else { return false };
            rest.keep(from, oracle);
            tag |= HAS_REST;
        }
        self.tags[at] = tag;
        self.heads[at].keep(&from.known);
        true
    }

    #[inline(always)]
    pub fn keep_four<O: Oracle<Shadow = S>>(
        &mut self,
        at: usize,
        tag: u8,
        from: &[Register<S>; 4],
        oracle: &mut O,
    ) -> bool {
        let (Some(tags), Some(heads)) = (four_mut(&mut *self.tags, at), four_mut(&mut *self.heads, at)) else {
            return false;
        };
        *tags = [tag; 4];
        heads.iter_mut().zip(from).for_each(|(head, from)| head.keep(&from.known));
        for (lane, from) in from.iter().enumerate() {
            if !is_own_ideal(from, oracle) {
                // What was kept so far is kept again, one by one.
                let Some(rest) = self.rests.get_mut(at + lane) else { return false };
                rest.keep(from, oracle);
                tags[lane] = tag | HAS_REST;
            }
        }
        true
    }

    /// Room for what has an error, so far into the unit and some more.
    #[inline]
    pub fn make_room<O: Oracle<Shadow = S>>(&mut self, at: usize, oracle: &O) {
        if at >= self.rests.len() {
            self.rests.reserve_exact(CELLS - self.rests.len());
            let rest = || Rest { row: [0; 4], shadow: oracle.variable() };
            self.rests.resize_with((at + 1).next_multiple_of(RESTS), rest);
        }
    }

    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let rests = self.tags.iter().zip(&mut self.rests).filter(|(tag, _)| **tag & HAS_REST != 0);
        rests.map(|(_, Rest { row: [_, _, node, _], .. })| node)
    }

    /// All that is held.
    pub fn all(&self) -> impl Iterator<Item = (usize, &Head)> {
        let entry = self.tags.iter().zip(self.heads.iter()).enumerate().filter(|(_, (tag, _))| **tag != 0);
        entry.map(|(at, (_, head))| (at, head))
    }
}

impl Head {
    #[inline(always)]
    fn keep(&mut self, known: &Known) {
        let (row, made) = words(known);
        *self = Head { value: row[0], made };
    }

    /// Fetches a value that is its own ideal.
    #[inline(always)]
    fn out<O: Oracle>(self, avx2: Option<Avx2>, out: &mut Register<O::Shadow>, oracle: &mut O) {
        let (row, made) = words_mut(&mut out.known);
        put_value(avx2, row, self.value);
        *made = self.made;
        oracle.restart(&mut out.shadow, self.value());
    }
}

impl<S> Rest<S> {
    pub(super) fn copy_from<O: Oracle<Shadow = S>>(&mut self, other: &Rest<S>, oracle: &mut O) {
        self.row = other.row;
        oracle.copy(&mut self.shadow, &other.shadow);
    }

    #[inline(always)]
    fn keep<O: Oracle<Shadow = S>>(&mut self, from: &Register<S>, oracle: &mut O) {
        self.row = *words(&from.known).0;
        oracle.copy(&mut self.shadow, &from.shadow);
    }

    #[inline(always)]
    fn out<O: Oracle<Shadow = S>>(&self, head: Head, out: &mut Register<S>, oracle: &mut O) {
        let (row, made) = words_mut(&mut out.known);
        *row = self.row;
        *made = head.made;
        oracle.copy(&mut out.shadow, &self.shadow);
    }
}

#[inline(always)]
fn four<T>(all: &[T], at: usize) -> Option<&[T; 4]> {
    all.get(at..)?.first_chunk()
}

#[inline(always)]
fn four_mut<T>(all: &mut [T], at: usize) -> Option<&mut [T; 4]> {
    all.get_mut(at..)?.first_chunk_mut()
}
