//! Arrays whose elements flang's runtime makes of elements of others: reductions along one dimension, and products of
//! matrices (`abi::fortran::Making`). Every element has terms; where their floats lie is said here for both engines.

use super::{Array, holds, neutral, value_at};
use crate::{hooks, moved, planes};
use nonius_abi::Precision;
use nonius_abi::fortran::Making;
use nonius_abi::planes::is_shadowed;
use nonius_numerics::dd::Dd;

pub struct MadeArray {
    how: Making,
    from: Array,
    /// The mask, or the second matrix.
    second: Option<Array>,
    /// From 0.
    dimension: usize,
    precision: Precision,
}

/// Where the elements go.
pub enum Target {
    Array(Box<Array>),
    Address(usize),
}

impl MadeArray {
    /// `None` if the floats are not of a kind that is followed, or the arrays do not fit each other.
    pub fn new(how: Making, from: Array, second: Option<Array>, dimension: u32) -> Option<MadeArray> {
        let (precision, parts) = from.floats()?;
        let dimension = (dimension as usize).saturating_sub(1);
        let fits = match how {
            Making::Matmul | Making::MatmulTransposed => {
                let terms = inner_extent(how, &from);
                parts == 1 && second.is_some_and(|s| s.floats() == from.floats() && s.extent(0) == terms)
            }
            Making::ComplexSum => parts == 2,
            _ => parts == 1 && dimension < from.rank,
        };
        fits.then_some(MadeArray { how, from, second, dimension, precision })
    }

    /// Where the elements go, if they are of the same format.
    ///
    /// # Safety
    /// `to` is the address of a complex number for a complex sum, else null or a descriptor of flang's.
    pub unsafe fn target(&self, to: *const u8) -> Option<Target> {
        if self.how == Making::ComplexSum {
            return Some(Target::Address(to as usize));
        }
        // SAFETY: as this function demands.
        let array = unsafe { Array::read(to)? };
        (array.floats() == self.from.floats()).then(|| Target::Array(Box::new(array)))
    }

    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// How many terms an element has.
    pub fn terms(&self) -> usize {
        match self.how {
            Making::Matmul | Making::MatmulTransposed => inner_extent(self.how, &self.from),
            Making::ComplexSum => self.from.count(),
            _ => self.from.extent(self.dimension),
        }
    }

    /// Where the float of a term lies; one that changes nothing if there is no such term, or the mask does not hold.
    pub fn term(&self, which: u32, index: usize, term: usize) -> usize {
        let nothing = || neutral(self.how == Making::Product, self.precision);
        if term >= self.terms() {
            return nothing();
        }
        let rows = if self.from.rank < 2 {
            1
        } else {
            self.from.extent(if self.how == Making::MatmulTransposed { 1 } else { 0 })
        };
        let (row, column) = (index % rows.max(1), index / rows.max(1));
        let at = match (self.how, which) {
            (Making::Matmul, 0) if self.from.rank > 1 => row + rows * term,
            (Making::MatmulTransposed, 0) => term + self.terms() * row,
            (Making::Matmul, 0) => term,
            (Making::Matmul | Making::MatmulTransposed, _) => {
                let at = term + self.terms() * column;
                return self.second.map_or_else(nothing, |second| second.address(at));
            }
            (Making::ComplexSum, _) => {
                let part = index * self.precision.store_bytes() as usize;
                return if holds(self.second.as_ref(), term) { self.from.address(term) + part } else { nothing() };
            }
            _ => {
                let before: usize = (0..self.dimension).map(|d| self.from.extent(d)).product();
                index % before.max(1) + before * (term + self.terms() * (index / before.max(1)))
            }
        };
        let is_masked = !self.how.is_product_of_matrices() && !holds(self.second.as_ref(), at);
        if is_masked { nothing() } else { self.from.address(at) }
    }

    /// What an element should have been, minus what it is.
    fn residue(&self, index: usize, value: f64) -> f64 {
        let ideal = |which, term| {
            let (v, e) = value_at(self.term(which, index, term), self.precision);
            Dd::from_residue(v, e)
        };
        let terms = 0..self.terms();
        let sum = |f: &dyn Fn(usize) -> Dd| terms.clone().map(f).fold(Dd::ZERO, |x, y| x + y);
        let whole = match self.how {
            Making::Product => terms.clone().map(|t| ideal(0, t)).fold(Dd::ONE, |x, y| x * y),
            Making::Norm => sum(&|t| ideal(0, t).square()).sqrt(),
            Making::Matmul | Making::MatmulTransposed => sum(&|t| ideal(0, t) * ideal(1, t)),
            _ => sum(&|t| ideal(0, t)),
        };
        let residue = whole.minus_actual(value);
        if residue.is_finite() { residue } else { 0.0 }
    }

    /// Puts the shadows of all elements in.
    pub fn put(&self, to: &Target) {
        for index in 0..to.floats() {
            let Some(at) = to.at(index, self.precision) else { return };
            let (value, _) = value_at(at, self.precision);
            if self.how == Making::Pick {
                let is_it = |&from: &usize| value_at(from, self.precision).0.to_bits() == value.to_bits();
                if let Some(from) = (0..self.terms()).map(|term| self.term(0, index, term)).find(is_it) {
                    moved::copy(at, from, self.precision.store_bytes() as usize);
                }
            } else {
                put_shadow(at, self.precision, self.residue(index, value));
            }
        }
    }
}

/// The extent that the two matrices have in common.
fn inner_extent(how: Making, from: &Array) -> usize {
    from.extent(if from.rank > 1 && how == Making::Matmul { 1 } else { 0 })
}

impl Target {
    pub fn floats(&self) -> usize {
        match self {
            Target::Array(array) => array.count(),
            Target::Address(_) => 2,
        }
    }

    pub fn at(&self, index: usize, precision: Precision) -> Option<usize> {
        match self {
            Target::Array(array) => array.float_address(index),
            Target::Address(at) => (index < 2).then(|| at + index * precision.store_bytes() as usize),
        }
    }
}

/// Stores the shadow of the float that lies at an address.
fn put_shadow(at: usize, precision: Precision, residue: f64) {
    if !is_shadowed(at as u64, 8) {
        return;
    }
    hooks::set_floats();
    // SAFETY: a float of a live array; the address has shadows, so both places lie inside the planes.
    unsafe {
        if precision == Precision::Float {
            planes::residues_of(at).cast::<f32>().write_unaligned(residue as f32);
            planes::copies_of(at).cast::<u32>().write_unaligned((at as *const u32).read_unaligned());
        } else {
            planes::residues_of(at).cast::<f64>().write_unaligned(residue);
            planes::copies_of(at).cast::<u64>().write_unaligned((at as *const u64).read_unaligned());
        }
    }
}
