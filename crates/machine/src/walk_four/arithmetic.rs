//! Sums, differences, products and quotients of four lanes, for oracles that have a way to do them.

use super::{Avx2, chunk, chunk_mut, second};
use crate::checks::constants::hides_factor;
use crate::checks::statistics::badness;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register, STEPS};
use nonius_abi::site::NONE;
use nonius_oracle::lanes::{F4, U4, transposed};
use nonius_oracle::{Binary, Oracle};

/// What is known of four values, side by side.
#[derive(Clone, Copy)]
struct Known4 {
    value: F4,
    residue: F4,
    node: U4,
    cancelled: U4,
    depth: U4,
}

// Not by `map` and a closure: those would be functions of their own, which may not use AVX2.
#[inline(always)]
fn row(avx2: Avx2, k: &Known) -> U4 {
    let words: &[u64; 5] = zerocopy::transmute_ref!(k);
    words.first_chunk().map_or(avx2.all_words(0), |head| avx2.load(head))
}

#[inline(always)]
fn gather<S>(avx2: Avx2, [a, b, c, d]: [&Register<S>; 4]) -> Known4 {
    let rows = [row(avx2, &a.known), row(avx2, &b.known), row(avx2, &c.known), row(avx2, &d.known)];
    let [value, residue, node, cancelled] = transposed(rows);
    let depth = avx2.words([a, b, c, d].map(|r| u64::from(r.known.depth)));
    Known4 { value: value.floats(), residue: residue.floats(), node, cancelled, depth }
}

/// What is known of one value, four times.
#[inline(always)]
fn spread<S>(avx2: Avx2, one: &Register<S>) -> Known4 {
    let Known { value, residue, node, cancelled, depth, .. } = one.known;
    let (value, residue) = (avx2.all(value), avx2.all(residue));
    let (node, cancelled, depth) = (avx2.all_words(node), avx2.all_words(cancelled), avx2.all_words(u64::from(depth)));
    Known4 { value, residue, node, cancelled, depth }
}

/// As `Binary::in_double`.
#[inline(always)]
fn in_double(op: Binary, x: F4, y: F4) -> F4 {
    match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
    }
}

#[inline(always)]
fn larger(x: U4, y: U4) -> U4 {
    x.is_above(y).choose(x, y)
}

/// As `statistics::relative`, where both are finite.
#[inline(always)]
fn relative(avx2: Avx2, value: F4, residue: F4) -> F4 {
    const TINY: f64 = f64::EPSILON / 2.0;
    let (ideal, least) = ((value + residue).abs(), avx2.all(TINY) * value.abs());
    let error = residue.abs() / ideal.max_or(least);
    (avx2.all(f64::INFINITY).is_above(error) & error.bits()).floats()
}

#[inline(always)]
fn exponent(avx2: Avx2, x: F4) -> U4 {
    x.bits().right::<52>() & avx2.all_words(0x7ff)
}

/// As in `statistics`.
#[inline(always)]
fn exact_bits(avx2: Avx2, x: &Known4) -> U4 {
    let bits = avx2.all_words(53);
    let ideal = exponent(avx2, x.value + x.residue);
    let apart = ideal.sub_halves(exponent(avx2, x.residue)).abs_of_halves().min_of_halves(bits);
    let same = ideal.equals(exponent(avx2, x.value)) & apart;
    x.residue.equals(avx2.all(0.0)).choose(bits, same)
}

/// Whether any of four sums may cancel what was exact.
#[inline(always)]
fn may_be_bad(avx2: Avx2, x: &Known4, y: &Known4, z: F4) -> bool {
    let cancelled = exponent(avx2, x.value).max_of_halves(exponent(avx2, y.value)) - exponent(avx2, z);
    let exact = exact_bits(avx2, x).min_of_halves(exact_bits(avx2, y));
    !exact.is_above(cancelled).is_full()
}

/// The badness of one sum, as `statistics::badness` has it.
///
/// Nearly always it is clearly 0: each operand is right in at least 22 bits, and fewer than 20 cancel. Ideal and value must
/// have the same exponent, or no bit is right. What is added to the residues keeps denormal numbers out, whose exponents
/// say less. Products that overflow or underflow err on the other side.
#[inline(always)]
pub fn badness_of_one(avx2: Avx2, x: &Known, y: &Known, z: f64) -> u32 {
    const BITS: f64 = (1u64 << 23) as f64;
    const CANCELLED: f64 = (1u64 << 19) as f64;
    const TINY: f64 = f64::from_bits((1023 - 1000) << 52);
    const EXPONENT: u64 = 0x7ff << 52;
    let (value, residue) = (avx2.pair(x.value, y.value), avx2.pair(x.residue, y.residue));
    let size = value.abs();
    let are_right = size.is_above(residue.abs().mul_add(avx2.pair(BITS, BITS), avx2.pair(TINY, TINY)));
    let least = z.abs() * CANCELLED;
    let are_fine = value.agrees(value + residue, EXPONENT) & are_right & avx2.pair(least, least).is_above(size);
    if are_fine.is_full() { 0 } else { badness_again(x, y, z) }
}

#[inline(never)]
fn badness_again(x: &Known, y: &Known, z: f64) -> u32 {
    badness(x, y, z, 53)
}

#[inline(never)]
fn badness_of_each<S>(left: [&Register<S>; 4], right: [&Register<S>; 4], values: [f64; 4]) -> [u32; 4] {
    std::array::from_fn(|lane| badness(&left[lane].known, &right[lane].known, values[lane], 53))
}

impl<O: Oracle> Core<O> {
    #[inline(always)]
    pub fn four<const SAME: bool>(
        &mut self,
        avx2: Avx2,
        op: Binary,
        frame: &mut [Register<O::Shadow>],
        insn: &Insn,
    ) -> bool {
        if chunk(frame, insn.out).is_none() {
            return false;
        }
        let (left, right) = (chunk(frame, insn.args[0]), second::<_, SAME>(frame, insn.args[1]));
        let (Some(left), Some(right)) = (left.map(|four| four.each_ref()), right) else { return false };
        let shadows = |of: [&Register<O::Shadow>; 4]| self.oracle.gather(avx2, of.map(|r| &r.shadow));
        let (Some(left_shadow), Some(right_shadow)) = (shadows(left), shadows(right)) else { return false };
        let x = gather(avx2, left);
        let y = if SAME { spread(avx2, right[0]) } else { gather(avx2, right) };
        let z = in_double(op, x.value, y.value);
        let (shadow, residue) = self.oracle.quick_four(avx2, op, left_shadow, right_shadow, z);
        let deepest = x.depth.max_of_halves(y.depth);
        let steps = avx2.all_words(u64::from(STEPS));
        let is_full = (deepest & steps).equals(steps);
        let depth = is_full.choose(deepest, deepest + avx2.all_words(1));
        // No infinity or NaN is 0 times 0.
        let zero = avx2.all(0.0);
        let mut is_usual = (residue * zero).equals(zero) & avx2.all_words(u64::from(self.deepest)).is_above(depth);
        if op == Binary::Div {
            is_usual = is_usual & avx2.all(f64::INFINITY).is_above(y.value.abs());
        }
        let hides = |((x, y), z): ((&&Register<_>, &Register<_>), f64)| hides_factor(op, z, &x.known, &y.known);
        if !z.equals(zero).is_zero() && left.iter().zip(right).zip(z.lanes()).any(hides) {
            return false;
        }
        let Some(site) = self.statistics.site(insn.site).filter(|_| is_usual.is_full()) else { return false };
        let mut cancelled = larger(x.cancelled, y.cancelled);
        if matches!(op, Binary::Add | Binary::Sub) && may_be_bad(avx2, &x, &y, z) {
            let bad = badness_of_each(left, right, z.lanes());
            bad.iter().for_each(|&bad| site.cancels(bad));
            let marks = bad.map(|bad| if bad > 0 { u64::from(bad) << 32 | u64::from(insn.site) } else { 0 });
            cancelled = larger(cancelled, avx2.words(marks));
        }
        // Where there is no residue the error is 0, which changes no sum.
        let errors = relative(avx2, z, residue);
        site.counts_four(|| errors.lanes());
        site.sum_of_errors = errors.lanes().iter().fold(site.sum_of_errors, |sum, error| sum + error);
        if !errors.is_above(avx2.all(site.largest_error)).is_zero() {
            for (lane, error) in errors.lanes().into_iter().enumerate() {
                if error > site.largest_error {
                    site.largest_error = error;
                    site.from = [left[lane].known.site, right[lane].known.site, NONE];
                }
            }
        }
        let node = self.trail.push_four(avx2, insn.site, [x.node, y.node], z, residue);
        let Some(out) = chunk_mut(frame, insn.out) else { return false };
        let rows = transposed([z.bits(), residue.bits(), node, cancelled]);
        let depths = depth.lanes();
        for (lane, out) in out.iter_mut().enumerate() {
            let words: &mut [u64; 5] = zerocopy::transmute_mut!(&mut out.known);
            if let Some(head) = words.first_chunk_mut() {
                rows[lane].store(head);
            }
            (out.known.site, out.known.depth) = (insn.site, depths[lane] as u32);
        }
        self.oracle.scatter(out.each_mut().map(|r| &mut r.shadow), shadow);
        true
    }
}
