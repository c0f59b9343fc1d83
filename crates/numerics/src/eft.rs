//! Error-free transformations: an operation's rounded result and, exactly, what the rounding took away.
//!
//! Source: Dekker 1971, Knuth TAOCP 4.2.2, Boldo and Muller 2011 (fma). Exact as long as nothing overflows and, for
//! products, the error does not underflow (|x y| >= 2^-969).

/// `(s, t)` with `s = fl(x + y)` and `s + t = x + y` exactly, whatever the order of magnitude of the two.
#[inline(always)]
#[must_use]
pub fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    (s, two_sum_error(x, y, s))
}

/// What `z`, the rounded sum of `x` and `y`, has lost: `x + y - z`.
///
/// Also right when `z` was rounded to a shorter format than double, which is how the sums of floats are checked.
#[inline(always)]
#[must_use]
pub fn two_sum_error(x: f64, y: f64, z: f64) -> f64 {
    let y_seen = z - x;
    let x_seen = z - y_seen;
    (x - x_seen) + (y - y_seen)
}

/// [`two_sum`] in half the operations, for `|x| >= |y|` or `x == 0`.
#[inline(always)]
#[must_use]
pub fn fast_two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    (s, y - (s - x))
}

/// `(p, t)` with `p = fl(x y)` and `p + t = x y` exactly.
#[inline(always)]
#[must_use]
pub fn two_prod(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    (p, x.mul_add(y, -p))
}

/// `x` as a sum of two numbers of at most 26 bits each. Overflows for `|x| > 2^996`.
#[inline(always)]
#[must_use]
pub fn split(x: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let c = FACTOR * x;
    let hi = c - (c - x);
    (hi, x - hi)
}

/// [`two_prod`] without a fused multiply-add: the reference that the fast one is tested against.
#[inline(always)]
#[must_use]
pub fn two_prod_dekker(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    let (x_hi, x_lo) = split(x);
    let (y_hi, y_lo) = split(y);
    let t = ((x_hi * y_hi - p) + x_hi * y_lo + x_lo * y_hi) + x_lo * y_lo;
    (p, t)
}

/// What `z = fma(x, y, c)` has lost: `x y + c - z`, rounded once (it can need two doubles).
#[inline(always)]
#[must_use]
pub fn fma_error(x: f64, y: f64, c: f64, z: f64) -> f64 {
    let (p, p_low) = two_prod(x, y);
    let (a, a_low) = two_sum(c, p_low);
    let (b, b_low) = two_sum(p, a);
    ((b - z) + b_low) + a_low
}
