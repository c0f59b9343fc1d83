//! Arrays of Fortran as flang's runtime sees them: through descriptors (the `CFI_cdesc_t` of
//! ISO_Fortran_binding.h). What the runtime prints, copies and adds up is looked at here.
//!
//! Misses: shifts of arrays that are no vectors, and products of complex numbers, restart; real(10) is not looked at.

mod made;

pub use made::MadeArray;

use crate::{moved, planes};
use nonius_abi::Precision;
use nonius_abi::fortran::{Rearrangement, Reduction};
use nonius_abi::planes::is_shadowed;
use nonius_numerics::dd::Dd;
use std::ops::{Add, Mul};

/// The most dimensions that Fortran has.
const MAX_RANK: usize = 15;
/// `CFI_type_float` and so on, as flang numbers them.
const FLOAT: i8 = 27;
const DOUBLE: i8 = 28;
const FLOAT_COMPLEX: i8 = 34;
const DOUBLE_COMPLEX: i8 = 35;

/// The fixed part of a descriptor; its dimensions follow.
#[repr(C)]
struct Head {
    base: usize,
    element_bytes: usize,
    version: i32,
    rank: u8,
    kind: i8,
    attribute: u8,
    extra: u8,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Dimension {
    lower: i64,
    extent: i64,
    stride_bytes: i64,
}

/// What stands in for an element that is not there: in a sum, of either format, and in a product.
static NOTHING: f64 = 0.0;
static ONE: f64 = 1.0;
static ONE_SINGLE: f32 = 1.0;

/// Where a float lies that changes nothing.
pub fn neutral(is_product: bool, precision: Precision) -> usize {
    match (is_product, precision) {
        (false, _) => &raw const NOTHING as usize,
        (true, Precision::Float) => &raw const ONE_SINGLE as usize,
        (true, _) => &raw const ONE as usize,
    }
}

/// An array in memory.
#[derive(Clone, Copy)]
pub struct Array {
    base: usize,
    element_bytes: usize,
    kind: i8,
    rank: usize,
    /// As many as `rank`; the others are empty.
    all_dimensions: [Dimension; MAX_RANK],
}

impl Array {
    /// # Safety
    /// Null, or a descriptor that flang made.
    pub unsafe fn read(descriptor: *const u8) -> Option<Array> {
        if descriptor.is_null() {
            return None;
        }
        // SAFETY: as this function demands: a head, and as many dimensions as it says.
        unsafe {
            let head = descriptor.cast::<Head>().read_unaligned();
            let rank = usize::from(head.rank);
            if head.base == 0 || rank > MAX_RANK {
                return None;
            }
            let first = descriptor.add(size_of::<Head>()).cast::<Dimension>();
            let mut all_dimensions = [Dimension::default(); MAX_RANK];
            for (d, dimension) in all_dimensions[..rank].iter_mut().enumerate() {
                *dimension = first.add(d).read_unaligned();
            }
            Some(Array { base: head.base, element_bytes: head.element_bytes, kind: head.kind, rank, all_dimensions })
        }
    }

    fn dimensions(&self) -> &[Dimension] {
        &self.all_dimensions[..self.rank]
    }

    fn extent(&self, dimension: usize) -> usize {
        self.dimensions().get(dimension).and_then(|d| usize::try_from(d.extent).ok()).unwrap_or(0)
    }

    fn count(&self) -> usize {
        self.dimensions().iter().map(|d| usize::try_from(d.extent).unwrap_or(0)).product()
    }

    /// Address of an element, by its number in the order of Fortran.
    fn address(&self, mut index: usize) -> usize {
        let mut at = self.base as i64;
        for d in self.dimensions() {
            let extent = usize::try_from(d.extent).unwrap_or(0).max(1);
            at += (index % extent) as i64 * d.stride_bytes;
            index /= extent;
        }
        at as usize
    }

    /// Addresses of the elements, in the order of Fortran.
    fn addresses(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).map(|index| self.address(index))
    }

    /// How many floats it has.
    pub fn all_floats(&self) -> usize {
        self.floats().map_or(0, |(_, parts)| self.count() * parts)
    }

    /// How many floats of a format (a number of `Precision`) it has.
    pub fn float_count(&self, precision: u32) -> usize {
        match self.floats() {
            Some((format, parts)) if format as u32 == precision => self.count() * parts,
            _ => 0,
        }
    }

    /// Address of a float, by its number.
    pub fn float_address(&self, index: usize) -> Option<usize> {
        let (precision, parts) = self.floats()?;
        let bytes = precision.store_bytes() as usize;
        (index / parts < self.count()).then(|| self.address(index / parts) + index % parts * bytes)
    }

    /// Address of the first float of this value for which the mask holds.
    pub fn find(&self, mask: Option<&Array>, value: f64) -> Option<usize> {
        let is_it = |(index, (v, _)): (usize, (f64, f64))| v.to_bits() == value.to_bits() && holds(mask, index);
        let index = self.values().enumerate().position(is_it)?;
        self.float_address(index)
    }

    /// The same elements, by column where they were by row.
    fn transposed(&self) -> Array {
        let mut other = *self;
        other.all_dimensions[..self.rank].reverse();
        other
    }

    /// The same elements again and again along one more dimension, as often as in `to`.
    fn spread(&self, dimension: usize, to: &Array) -> Option<Array> {
        let at = dimension.checked_sub(1).filter(|&at| at <= self.rank && self.rank < MAX_RANK)?;
        let copies = to.dimensions().get(at)?.extent;
        let mut other = *self;
        other.all_dimensions[at..=self.rank].rotate_right(1);
        other.all_dimensions[at] = Dimension { lower: 1, extent: copies, stride_bytes: 0 };
        other.rank += 1;
        Some(other)
    }

    /// Of an array of logicals: whether one holds. A scalar stands for all.
    pub fn holds(&self, index: usize) -> bool {
        if self.rank > 0 && index >= self.count() {
            return false;
        }
        let at = if self.rank == 0 { self.base } else { self.address(index) };
        // SAFETY: the bytes of an element of a live array.
        (0..self.element_bytes).any(|byte| unsafe { (at as *const u8).add(byte).read() } != 0)
    }

    /// The format of its floats, and how many make an element.
    pub fn floats(&self) -> Option<(Precision, usize)> {
        match (self.kind, self.element_bytes) {
            (FLOAT, 4) => Some((Precision::Float, 1)),
            (DOUBLE, 8) => Some((Precision::Double, 1)),
            (FLOAT_COMPLEX, 8) => Some((Precision::Float, 2)),
            (DOUBLE_COMPLEX, 16) => Some((Precision::Double, 2)),
            _ => None,
        }
    }

    /// Values with their residues.
    pub fn values(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (precision, parts) = self.floats().unwrap_or((Precision::Double, 0));
        let bytes = precision.store_bytes() as usize;
        self.addresses().flat_map(move |at| (0..parts).map(move |part| value_at(at + part * bytes, precision)))
    }
}

/// Whether a mask holds; none always does.
pub fn holds(mask: Option<&Array>, index: usize) -> bool {
    mask.is_none_or(|mask| mask.holds(index))
}

/// A float of the program with its residue, which counts only if the copy fits.
fn value_at(at: usize, precision: Precision) -> (f64, f64) {
    let shadowed = is_shadowed(at as u64, 8);
    // SAFETY: an element of a live array; its planes are mapped where addresses have any.
    unsafe {
        match precision {
            Precision::Float => {
                let value = (at as *const f32).read_unaligned();
                let fits =
                    shadowed && planes::copies_of(at).cast::<f32>().read_unaligned().to_bits() == value.to_bits();
                let residue = if fits { planes::residues_of(at).cast::<f32>().read_unaligned() } else { 0.0 };
                (value.into(), residue.into())
            }
            _ => {
                let value = (at as *const f64).read_unaligned();
                let fits =
                    shadowed && planes::copies_of(at).cast::<f64>().read_unaligned().to_bits() == value.to_bits();
                (value, if fits { planes::residues_of(at).cast::<f64>().read_unaligned() } else { 0.0 })
            }
        }
    }
}

/// `to` was assigned `from`, element by element in Fortran's order, or all of it one scalar.
pub fn copied(to: &Array, from: &Array) {
    if to.element_bytes != from.element_bytes {
        return;
    }
    let bytes = to.element_bytes;
    if from.rank == 0 {
        to.addresses().for_each(|at| moved::copy(at, from.base, bytes));
        return;
    }
    move_each(to.addresses().zip(from.addresses()), bytes);
}

fn move_each(pairs: impl Iterator<Item = (usize, usize)>, bytes: usize) {
    pairs.filter(|(to, from)| to != from).for_each(|(to, from)| moved::copy(to, from, bytes));
}

/// The elements come from outside.
pub fn was_read(array: &Array) {
    if array.floats().is_some() {
        array.addresses().for_each(|at| moved::clear(at, array.element_bytes));
    }
}

/// The elements of `from` were copied to `to` in another order; dimensions count from 1.
pub fn rearranged(
    how: Rearrangement,
    to: &Array,
    from: &Array,
    mask: Option<&Array>,
    field: Option<&Array>,
    number: i64,
) {
    let dimension = usize::try_from(number).unwrap_or(0);
    match (how, mask) {
        (Rearrangement::Transpose, _) => copied(to, &from.transposed()),
        (Rearrangement::Spread, _) => {
            if let Some(spread) = from.spread(dimension, to) {
                copied(to, &spread);
            }
        }
        (Rearrangement::Pack, Some(mask)) if to.element_bytes == from.element_bytes => {
            let chosen = (0..from.count()).filter(|&index| mask.holds(index)).map(|index| from.address(index));
            move_each(to.addresses().zip(chosen), to.element_bytes);
        }
        (Rearrangement::Unpack, Some(mask)) if to.element_bytes == from.element_bytes => {
            unpacked(to, from, mask, field)
        }
        (Rearrangement::CircularShift, _) => {
            let count = from.count().max(1) as i64;
            let source = |index: usize| from.address((index as i64 + number).rem_euclid(count) as usize);
            move_each((0..to.count()).map(|index| (to.address(index), source(index))), to.element_bytes);
        }
        (Rearrangement::EndOffShift, _) => {
            for index in 0..to.count() {
                let source = usize::try_from(index as i64 + number).ok().filter(|&source| source < from.count());
                match (source, field) {
                    (Some(source), _) => moved::copy(to.address(index), from.address(source), to.element_bytes),
                    (None, Some(field)) => moved::copy(to.address(index), field.base, to.element_bytes),
                    (None, None) => moved::clear(to.address(index), to.element_bytes),
                }
            }
        }
        (Rearrangement::Pack | Rearrangement::Unpack, _) => {}
    }
}

/// The next element of `from` where the mask holds, that of the field (which may be a scalar) elsewhere.
fn unpacked(to: &Array, from: &Array, mask: &Array, field: Option<&Array>) {
    let mut next = 0;
    for index in 0..to.count() {
        let source = match (mask.holds(index), field) {
            (true, _) => {
                next += 1;
                from.address(next - 1)
            }
            (false, Some(field)) if field.rank == 0 => field.base,
            (false, Some(field)) => field.address(index),
            (false, None) => continue,
        };
        moved::copy(to.address(index), source, to.element_bytes);
    }
}

/// What a reduction of arrays should have given, minus what it gave.
pub fn reduction_residue(reduction: Reduction, a: &Array, b: Option<&Array>, mask: Option<&Array>, value: f64) -> f64 {
    let ideal = |(v, e): (f64, f64)| Dd::from_residue(v, e);
    let chosen = || a.values().enumerate().filter(|(index, _)| holds(mask, *index)).map(|(_, value)| value);
    let residue = match (reduction, b) {
        (Reduction::Sum, _) => chosen().map(ideal).fold(Dd::ZERO, Dd::add).minus_actual(value),
        (Reduction::Dot, Some(b)) => {
            let products = a.values().zip(b.values()).map(|(x, y)| ideal(x) * ideal(y));
            products.fold(Dd::ZERO, Dd::add).minus_actual(value)
        }
        (Reduction::Dot, None) => 0.0,
        (Reduction::Norm, _) => {
            a.values().map(|x| ideal(x).square()).fold(Dd::ZERO, Dd::add).sqrt().minus_actual(value)
        }
        (Reduction::Product, _) => chosen().map(ideal).fold(Dd::ONE, Dd::mul).minus_actual(value),
        (Reduction::Pick, _) => chosen().find(|(v, _)| v.to_bits() == value.to_bits()).map_or(0.0, |(_, e)| e),
    };
    if residue.is_finite() { residue } else { 0.0 }
}
