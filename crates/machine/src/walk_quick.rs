//! The operations that nearly all of a run consists of: sums, products and quotients of doubles, loads and stores.
//!
//! They do what `walk` does, in fewer steps, because most questions have one answer for them: nothing was recorded, no
//! operand is absent, and a residue that is a finite number says at once that the result, its ideal and so the
//! operands are. Where that does not hold, `walk` does it all over.

use crate::checks::constants::hides_factor;
use crate::checks::statistics::Site;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register, STEPS, UNKNOWN, one_more};
use crate::thread::Stack;
use crate::trail::Trail;
use crate::walk_four::{Avx2, badness_in_sum};
use nonius_abi::Precision;
use nonius_oracle::{Binary, Operand, Oracle};

/// A result's register and its operands'; `None` if they are not where they should be.
#[inline(always)]
fn registers<'a, S>(
    frame: &'a mut [Register<S>],
    insn: &Insn,
) -> Option<(&'a mut Register<S>, &'a Register<S>, &'a Register<S>)> {
    let (out, a, b) = (insn.out as usize, insn.args[0] as usize, insn.args[1] as usize);
    if a == b {
        let [out, x] = frame.get_disjoint_mut([out, a]).ok()?;
        return Some((out, x, x));
    }
    let [out, x, y] = frame.get_disjoint_mut([out, a, b]).ok()?;
    Some((out, x, y))
}

/// What an operation made, at the site of this number.
struct Made {
    number: u32,
    value: f64,
    residue: f64,
    depth: u32,
}

impl Made {
    /// Notes the operation at its site and in the trail. `None` if the residue is no finite number: nothing is noted then.
    #[inline(always)]
    fn noted(
        self,
        avx2: Option<Avx2>,
        op: Binary,
        x: &Known,
        y: &Known,
        site: &mut Site,
        trail: &mut Trail,
    ) -> Option<Known> {
        let Made { number, value, residue, depth } = self;
        if residue == 0.0 {
            site.counts(value, residue);
        } else if !site.takes(value, residue, x, y) {
            return None;
        }
        let mut cancelled = x.cancelled.max(y.cancelled);
        if matches!(op, Binary::Add | Binary::Sub) {
            let bad = badness_in_sum(avx2, x, y, value);
            if bad > 0 {
                site.cancels(bad);
                cancelled = cancelled.max(u64::from(bad) << 32 | u64::from(number));
            }
        }
        let is_plain = residue == 0.0 && x.node | y.node == 0;
        let node = if is_plain { 0 } else { trail.push(number, [x.node, y.node, 0], value, residue) };
        Some(Known { value, residue, node, cancelled, site: number, depth })
    }
}

impl<O: Oracle> Core<O> {
    #[inline(always)]
    pub fn quick(
        &mut self,
        avx2: Option<Avx2>,
        op: Binary,
        frame: &mut [Register<O::Shadow>],
        insn: &Insn,
        words: &[u64],
    ) {
        if !O::MEASURES {
            let [a, b] = [insn.args[0], insn.args[1]].map(|at| frame[at as usize].known.value);
            let out = &mut frame[insn.out as usize].known;
            (out.value, out.depth) = (op.in_double(a, b), 0);
            return;
        }
        if O::IS_SMALL {
            if !self.quick_small(avx2, op, frame, insn) {
                self.oracle.take_back();
                self.again(op, frame, insn, words);
            }
            return;
        }
        let Some((out, x, y)) = registers(frame, insn) else { return self.again(op, frame, insn, words) };
        let (a, b) = (x.known.value, y.known.value);
        let z = op.in_double(a, b);
        let (left, right) = (Operand { actual: a, shadow: &x.shadow }, Operand { actual: b, shadow: &y.shadow });
        let residue = self.oracle.quick(op, &mut out.shadow, left, right, z);
        let depth = one_more(x.known.depth.max(y.known.depth));
        // An infinite divisor is the one operand that a finite quotient does not tell of.
        let hides = op == Binary::Div && b.is_infinite() || hides_factor(op, z, &x.known, &y.known);
        let site = self.statistics.site(insn.site).filter(|_| depth < self.deepest && !hides);
        let Some(site) = site else { return self.again(op, frame, insn, words) };
        let made = Made { number: insn.site, value: z, residue, depth };
        match made.noted(None, op, &x.known, &y.known, site, &mut self.trail) {
            Some(known) => out.known = known,
            None => self.again(op, frame, insn, words),
        }
    }

    /// The same where a shadow is made beside its register. `false`: nothing was done.
    #[inline(always)]
    fn quick_small(&mut self, avx2: Option<Avx2>, op: Binary, frame: &mut [Register<O::Shadow>], insn: &Insn) -> bool {
        let [a, b] = [insn.args[0], insn.args[1]].map(|at| frame.get(at as usize));
        let (Some(x), Some(y)) = (a, b) else { return false };
        let (a, b) = (x.known.value, y.known.value);
        let z = op.in_double(a, b);
        let (left, right) = (Operand { actual: a, shadow: &x.shadow }, Operand { actual: b, shadow: &y.shadow });
        let mut shadow = self.oracle.variable();
        let residue = self.oracle.quick(op, &mut shadow, left, right, z);
        let depth = x.known.depth.max(y.known.depth) + 1;
        let hides = op == Binary::Div && b.is_infinite() || hides_factor(op, z, &x.known, &y.known);
        // The number of steps has no room for one more if that makes it 0.
        let is_usual = depth < self.deepest && depth & STEPS != 0 && !hides;
        if !is_usual || insn.out as usize >= frame.len() {
            return false;
        }
        let Some(site) = self.statistics.site(insn.site) else { return false };
        let made = Made { number: insn.site, value: z, residue, depth };
        let Some(known) = made.noted(avx2, op, &x.known, &y.known, site, &mut self.trail) else { return false };
        let out = &mut frame[insn.out as usize];
        out.known = known;
        out.shadow = shadow;
        true
    }

    #[cold]
    #[inline(never)]
    fn again(&mut self, op: Binary, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        // Its block has counted it, and it will be counted once more.
        self.operations -= 1;
        self.binary(op, frame, insn, words);
    }

    /// An integer that is a double without rounding. `false`: nothing was done.
    #[inline(always)]
    pub fn exact_integer(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) -> bool {
        let (Some(&word), Some(out)) = (words.get(insn.word as usize), frame.get_mut(insn.out as usize)) else {
            return false;
        };
        let is_exact = word.wrapping_add(1 << 53) <= 1 << 54 && (insn.is_signed || word >> 53 == 0);
        // What has large shadows has its own way of rounding integers.
        let has_this_way = O::IS_SMALL || !O::MEASURES;
        if !has_this_way || insn.format != Precision::Double || !is_exact || self.deepest < UNKNOWN {
            return false;
        }
        self.operations += 1;
        let value = word as i64 as f64;
        if !O::MEASURES {
            (out.known.value, out.known.depth) = (value, 0);
            return true;
        }
        if let Some(site) = self.statistics.site(insn.site) {
            site.counts(value, 0.0);
        }
        out.known = Known { site: insn.site, depth: 1, ..Known::outside(value) };
        self.oracle.restart(&mut out.shadow, value);
        true
    }

    /// Whether a comparison is one of doubles so far apart that their errors do not matter, which is then done with.
    #[inline(always)]
    pub fn compares_clearly(&mut self, frame: &[Register<O::Shadow>], insn: &Insn) -> bool {
        let (left, right) = (&frame[insn.args[0] as usize], &frame[insn.args[1] as usize]);
        let (x, y) = (&left.known, &right.known);
        let radius = |r: &Register<O::Shadow>| self.oracle.radius(&r.shadow, r.known.value);
        // Four times, so that neither side is rounded across the other. Not so if anything is infinite or NaN.
        let errors = x.residue.abs() + y.residue.abs() + radius(left) + radius(right);
        let gap = (x.value - y.value).abs();
        let is_clear = gap > 4.0 * errors && gap < f64::INFINITY;
        let is_done = is_clear && insn.format == Precision::Double && x.is_known() && y.is_known();
        if is_done {
            let worse = if x.residue.abs() > y.residue.abs() { x } else { y };
            self.founds.saw(insn.site, worse.value, worse.residue, x.is_followed() && y.is_followed());
        }
        is_done
    }

    #[inline(always)]
    pub fn load_double(&mut self, avx2: Option<Avx2>, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let value = f64::from_bits(words[insn.word as usize]);
        let out = &mut frame[insn.out as usize];
        if !O::MEASURES {
            (out.known.value, out.known.depth) = (value, 0);
            return;
        }
        let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
        self.fetch(avx2, out, address, Precision::Double, (value, 0.0));
    }

    #[inline(always)]
    pub fn store_double(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        if !O::MEASURES {
            return;
        }
        let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
        let from = &frame[insn.args[0] as usize];
        if address != 0 && from.known.is_known() {
            self.memory.store(address, Precision::Double, from, &mut self.oracle);
            if !from.known.value.is_finite() {
                let known = from.known;
                self.saw_not_finite(&Stack::default(), insn, &known);
            }
        }
    }
}
