//! Functions that have no evaluation in double-double, for the oracles whose shadows are that or less: by MPFR, with a few
//! bits more than such a shadow has. Rare enough that their variables need not be kept.

use crate::complex::{Half, half_of};
use crate::mpfr::functions::unary;
use crate::number::leading;
use crate::{Complex, Dd, Function, Precision};
use rug::Float;

const BITS: u32 = 128;

/// The sum of two doubles, exactly but for parts that are further apart than shadows go.
fn exact(x: Dd) -> Float {
    Float::with_val(3 * BITS, x.hi) + x.lo
}

/// `f(x)`; `None` where it is not known or not finite.
pub fn function(f: Function, x: Dd, n: i64, precision: Precision) -> Option<Dd> {
    if !x.is_finite() {
        return None;
    }
    let mut out = Float::new(BITS);
    unary(f, &mut out, &exact(x), n, precision)?;
    out.is_finite().then(|| leading(&out))
}

pub fn complex(f: Complex, half: Half, parts: &[Dd]) -> Option<Dd> {
    let parts: Vec<Float> = parts.iter().map(|&x| exact(x)).collect();
    let parts: Vec<&Float> = parts.iter().collect();
    half_of(f, half, &parts, BITS).map(|x| leading(&x))
}
