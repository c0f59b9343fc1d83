//! Functions that have no evaluation in double-double, for the oracles whose shadows are that or less: by MPFR, with a few
//! bits more than such a shadow has. Rare enough that their variables need not be kept.

use crate::complex::{Half, half_of};
use crate::mpfr::functions::{binary_function, unary};
use crate::number::leading;
use crate::{Complex, Dd, Function};
use rug::Float;
use std::cmp::Ordering;

const BITS: u32 = 128;

/// The sum of two doubles, exactly but for parts that are further apart than shadows go.
fn exact(x: Dd) -> Float {
    Float::with_val(3 * BITS, x.hi) + x.lo
}

/// `f(x)`; `None` where it is not known or not finite.
pub fn function(f: Function, x: Dd, n: i64) -> Option<Dd> {
    if !x.is_finite() {
        return None;
    }
    let mut out = Float::new(BITS);
    unary(f, &mut out, &exact(x), n)?;
    out.is_finite().then(|| leading(&out))
}

pub fn complex(f: Complex, half: Half, parts: &[Dd]) -> Option<Dd> {
    let parts: Vec<Float> = parts.iter().map(|&x| exact(x)).collect();
    let parts: Vec<&Float> = parts.iter().collect();
    half_of(f, half, &parts, BITS).map(|x| leading(&x))
}

/// Bits of a difference that are right at least.
const RESIDUE_BITS: i32 = 60;
/// A difference that this many bits do not tell from 0 counts as 0.
const MOST_BITS: u32 = 4096;

/// `f(args) - z`, right to the last bit of a double: with twice the bits until they are left of it. And what it
/// lacks if it underflows. `None` where that is not known or not finite.
pub fn less_actual(f: Function, actual: &[f64], n: i64, z: f64) -> Option<(f64, f64)> {
    let args: Vec<Float> = actual.iter().map(|&x| Float::with_val(f64::MANTISSA_DIGITS, x)).collect();
    let mut bits = BITS;
    loop {
        let mut out = Float::new(bits);
        let rounding = match &args[..] {
            [x] => unary(f, &mut out, x, n)?,
            [x, y] => {
                let scratch = &mut [Float::new(bits), Float::new(bits)];
                binary_function(f, &mut out, [x, y], scratch, [actual[0], actual[1], z])?
            }
            _ => return None,
        };
        if !out.is_finite() {
            return None;
        }
        let difference = Float::with_val(bits, &out - z);
        let last = out.get_exp().map_or(i32::MIN, |exponent| exponent - bits as i32);
        let is_settled = difference.get_exp().is_some_and(|exponent| exponent.saturating_sub(last) >= RESIDUE_BITS);
        if is_settled || rounding == Ordering::Equal || bits >= MOST_BITS {
            let rounded = difference.to_f64();
            let underflows = rounded.abs() < f64::MIN_POSITIVE && !difference.is_zero();
            return Some((rounded, if underflows { f64::from_bits(1) } else { 0.0 }));
        }
        bits *= 2;
    }
}
