//! Residues in one double, as `residue` has them, that come out right where absorption spoils those: by executing the
//! run again.
//!
//! A residue can hold a large contribution or one that is 53 bits smaller beside it, not both. If the large one cancels
//! later, as in `sqrt(x + 1) - sqrt(x)`, the small one was all that counted, and is gone. This oracle notices: each
//! residue knows its largest contributors and whether smaller ones were absorbed ([`Residue`]). A further execution
//! *silences* the roundings that were in the way and *probes* the residue that they spoilt, and the last one puts the
//! probed residues in place of the spoilt ones ([`Plan`], [`resolve`]). Actual values never change, so all executions
//! walk the same operations, which an [`OpId`] names.
//!
//! | z = | introduced error | of x | of y |
//! |---|---|---|---|
//! | x + y, x - y | mu | e_x | e_y, -e_y |
//! | x y | mu | (y + e_y / 2) e_x | (x + e_x / 2) e_y |
//! | x / y | mu / (y + e_y) | e_x / (y + e_y) | -z e_y / (y + e_y) |
//! | sqrt x | mu / (z + sqrt(x + e_x)) | e_x / (z + sqrt(x + e_x)) | |
//! | x y + c | mu | as the product's, and e_c for c | |
//! | x in another format | x - z | e_x | |
//!
//! with mu as in `nonius_numerics::residue`; mathematical functions in [`functions`].
//!
//! Source: He and Panchekha, Accurate Residues for Floating-Point Debugging (RePo), sections 3 to 6. Where this
//! differs from the paper is said where it does, and in docs/decisions/residue-override.md.
//!
//! Limits: contributions are ranked by one and two, not kept apart; a residue that several steps cancel a little each
//! is not noticed; integers that are rounded on their way to a float, and errors that came from outside, have no
//! operation that could be silenced.

mod algorithm;
mod calls;
mod fine;
mod functions;
mod plan;
mod residue;
mod terms;

pub use algorithm::{Resolution, resolve};
pub use fine::{FineProbe, Shadow};
pub use plan::{Absorption, Action, Contributor, Outcome, Plan, Probe};
pub use residue::{OpId, Residue};

use crate::function::overflows;
use crate::{Binary, Complex, Dd, Function, Half, Mpfr, Operand, Oracle, Precision};
use fine::{Fine, lifted};
use nonius_numerics::eft::fma_error;
use nonius_numerics::residue as formulas;
use residue::{Sum, Term, Terms};
use std::collections::HashMap;
use std::sync::Arc;
use terms::{X, is_pole, may_be_zero, rounded, terms_of_product, terms_of_quotient, terms_of_sum, underflow};

/// Absorptions that one execution keeps for the next; the rest is detected again then.
const MOST_ABSORPTIONS: usize = 1 << 18;

#[derive(Debug)]
pub struct ResidueOverride {
    plan: Arc<Plan>,
    /// The next operation of the thread that is walked.
    next: OpId,
    /// The next one at which the plan has something to do, in this thread or a later one.
    planned: OpId,
    /// The operation that came last, if anything made since is its result.
    latest: OpId,
    /// The term of the operand of the last square root.
    under_root: Term,
    thread: u32,
    /// Where the threads that are not walked just now will go on.
    threads: HashMap<u32, OpId>,
    outcome: Outcome,
    /// The operation that an absorption was detected at last.
    spoilt: OpId,
    /// The arithmetic of stretches that are refined.
    fine: Mpfr,
    /// Whether the operations that come now are.
    is_refined: bool,
    /// The ideal that was put with the last residue.
    put: Option<Arc<Fine>>,
    most_absorptions: usize,
}

/// For a run that is executed once: absorptions are only counted.
impl Default for ResidueOverride {
    fn default() -> ResidueOverride {
        ResidueOverride { most_absorptions: 0, ..ResidueOverride::new(Arc::default()) }
    }
}

impl ResidueOverride {
    #[must_use]
    pub fn new(plan: Arc<Plan>) -> ResidueOverride {
        let next = OpId::new(0, 0);
        ResidueOverride {
            planned: plan.next_from(next),
            fine: Mpfr::new(plan.bits()),
            is_refined: false,
            put: None,
            plan,
            next,
            latest: OpId::NONE,
            under_root: Term::amplified(&Residue::EXACT, 0.0),
            thread: 0,
            threads: HashMap::new(),
            outcome: Outcome::default(),
            spoilt: OpId::NONE,
            most_absorptions: MOST_ABSORPTIONS,
        }
    }

    /// What the execution came to, once it is over.
    pub fn take_outcome(&mut self) -> Outcome {
        std::mem::take(&mut self.outcome)
    }

    /// The residue of the next operation.
    #[inline(always)]
    fn made<const N: usize>(&mut self, introduced: f64, terms: [Term; N], kind: Terms) -> Residue {
        let op = self.begin();
        let sum = Sum { op, introduced, terms, kind };
        if op == self.planned {
            return self.as_planned(sum);
        }
        let (residue, is_spoilt) = sum.residue();
        if is_spoilt {
            self.detected(sum, residue, false);
        }
        residue
    }

    #[inline(always)]
    fn begin(&mut self) -> OpId {
        let op = self.next;
        self.next = OpId(op.0 + 1);
        self.latest = op;
        op
    }

    /// `compute_residue` of the paper (section 6.2). A residue that was put is the whole probed one, contributors and
    /// all, so that a later cancellation knows whom to silence.
    #[cold]
    fn as_planned<const N: usize>(&mut self, sum: Sum<N>) -> Residue {
        let action = self.arrive(sum.op);
        let sum = if action.is_silent { sum.silenced() } else { sum };
        self.acted(sum.op, action, |oracle, is_probed| {
            let (residue, is_spoilt) = sum.residue();
            if is_spoilt {
                oracle.detected(sum, residue, is_probed);
            }
            residue
        })
    }

    /// What the plan has for an operation that it names.
    fn arrive(&mut self, op: OpId) -> Action {
        self.planned = self.plan.next_from(self.next);
        self.is_refined = self.plan.is_refined(op);
        self.plan.at(op)
    }

    /// Puts and probes.
    fn acted(&mut self, op: OpId, action: Action, residue: impl FnOnce(&mut Self, bool) -> Residue) -> Residue {
        let residue = match action.put {
            Some(put) => {
                self.put = put.fine;
                put.residue
            }
            None => residue(self, action.is_probed),
        };
        if action.is_probed {
            self.outcome.probed.insert(op, Probe { residue, fine: None });
        }
        residue
    }

    /// The shadow of the operation that came last. `finely` does it with more bits; `false`: that is not to be had.
    #[inline(always)]
    fn finish(
        &mut self,
        out: &mut Shadow,
        residue: Residue,
        operands: &[X],
        z: f64,
        finely: impl FnOnce(&mut Mpfr, &mut Fine, &[Operand<Fine>]) -> bool,
    ) {
        out.residue = residue;
        out.fine = None;
        if self.is_refined || self.put.is_some() {
            self.refine(out, operands, z, finely);
        }
    }

    #[cold]
    #[inline(never)]
    fn refine(
        &mut self,
        out: &mut Shadow,
        operands: &[X],
        z: f64,
        finely: impl FnOnce(&mut Mpfr, &mut Fine, &[Operand<Fine>]) -> bool,
    ) {
        out.fine = self.put.take();
        if !self.is_refined {
            return;
        }
        let shadows: Vec<Arc<Fine>> = operands.iter().map(|&x| lifted(x, &mut self.fine)).collect();
        let operands: Vec<Operand<Fine>> =
            operands.iter().zip(&shadows).map(|(x, fine)| Operand { actual: x.actual, shadow: &**fine }).collect();
        let mut ball = self.fine.variable();
        let is_known = finely(&mut self.fine, &mut ball, &operands);
        if is_known {
            out.fine = Some(Arc::new(ball));
        }
        let bits = self.plan.bits();
        if let Some(probe) = self.outcome.probed.get_mut(&self.latest) {
            probe.fine = Some(match &out.fine {
                Some(fine) if is_known => FineProbe::of(probe.residue, fine, z, bits),
                _ => FineProbe::unknown(probe.residue, bits),
            });
        }
    }

    #[cold]
    fn detected<const N: usize>(&mut self, sum: Sum<N>, residue: Residue, is_probed: bool) {
        self.outcome.detected += 1;
        self.spoilt = sum.op;
        if is_probed || self.outcome.absorptions.len() < self.most_absorptions {
            self.outcome.absorptions.push(sum.absorption(&residue));
        }
    }

    #[inline(always)]
    fn arithmetic(&mut self, op: Binary, x: X, y: X, z: f64, is_intended: bool) -> Residue {
        let is_by_infinity = op == Binary::Div && y.actual.is_infinite();
        if !z.is_finite() || is_by_infinity {
            return self.beyond(z, &[x, y], is_pole(op, x, y) || is_by_infinity);
        }
        let (introduced, terms, kind) = match op {
            Binary::Add => terms_of_sum(x, y, 1.0, z),
            Binary::Sub => terms_of_sum(x, y, -1.0, z),
            Binary::Mul => terms_of_product(x, y, z),
            Binary::Div => terms_of_quotient(x, y, z),
        };
        self.made(if is_intended { 0.0 } else { introduced }, terms, kind)
    }

    #[inline(always)]
    fn root(&mut self, x: X, z: f64) -> Residue {
        if !z.is_finite() {
            return self.beyond(z, &[x], x.actual.is_infinite());
        }
        let residue = &x.shadow.residue;
        // The root of the ideal is in the divisor: it holds for residues of any size.
        let root = (x.actual + residue.value).sqrt();
        let divisor = z + root;
        let may_be_zero = may_be_zero(x);
        // The slope of noise is that at the ideal.
        let of_noise = if may_be_zero { 0.0 } else { 0.5 / root.min(z) };
        let by_x = if residue.value == 0.0 { 0.0 } else { residue.value / divisor };
        self.under_root = Term::new(residue, by_x, of_noise);
        let lost = -z.mul_add(z, -x.actual);
        let underflow = underflow(x.actual, x.actual, 1.0) / if divisor == 0.0 { 1.0 } else { divisor };
        let off = underflow + if may_be_zero { residue.noise.sqrt() } else { 0.0 };
        let introduced = if lost == 0.0 { 0.0 } else { lost / divisor };
        self.made(introduced, [self.under_root], rounded(off))
    }

    /// What an operation without a number makes of an ideal with more bits.
    #[inline(always)]
    fn carry(&mut self, out: &mut Shadow, x: X, finely: impl FnOnce(&mut Mpfr, &mut Fine, Operand<Fine>)) {
        out.fine = x.shadow.fine.as_ref().map(|shadow| {
            let mut ball = self.fine.variable();
            finely(&mut self.fine, &mut ball, Operand { actual: x.actual, shadow });
            Arc::new(ball)
        });
    }

    /// A result that is infinite or NaN, or a quotient by infinity: as its ideal is, or nobody knows.
    #[cold]
    fn beyond(&mut self, z: f64, operands: &[X], is_exact: bool) -> Residue {
        let are_known = operands.iter().all(|x| x.shadow.residue.noise < f64::INFINITY);
        self.skip(|op| match z.is_nan() || are_known && is_exact {
            true => Residue::EXACT,
            false => {
                let since = operands.iter().fold(op, |since, x| since.min(x.shadow.residue.since));
                Residue { since, made: op, ..Residue::UNKNOWN }
            }
        })
    }
}

impl Oracle for ResidueOverride {
    type Shadow = Shadow;
    #[cfg(target_arch = "x86_64")]
    type Four = ();
    const IS_SMALL: bool = true;

    fn begin_thread(&mut self, thread: u32) {
        if thread == self.thread {
            return;
        }
        self.threads.insert(self.thread, self.next);
        self.next = self.threads.get(&thread).copied().unwrap_or(OpId::new(thread, 0));
        self.planned = self.plan.next_from(self.next);
        self.is_refined = self.plan.is_refined(self.next);
        self.thread = thread;
    }

    /// The operation has its number again, and nothing was found at it.
    #[cold]
    fn take_back(&mut self) {
        let op = OpId(self.next.0.wrapping_sub(1));
        (self.next, self.planned) = (op, self.plan.next_from(op));
        self.is_refined = self.plan.is_refined(op);
        if self.spoilt == op {
            self.spoilt = OpId::NONE;
            self.outcome.detected -= 1;
            self.outcome.absorptions.pop_if(|last| last.op == op);
        }
    }

    fn bits(&self) -> u32 {
        f64::MANTISSA_DIGITS
    }

    #[inline(always)]
    fn variable(&self) -> Shadow {
        Shadow::EXACT
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut Shadow, _: f64) {
        *out = Shadow::EXACT;
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &Shadow, _: f64) -> bool {
        shadow.residue.is_exact() && shadow.fine.is_none()
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut Shadow, _: f64, low: f64) {
        self.latest = OpId::NONE;
        *out = Residue::from_outside(formulas::finite_or_zero(low)).into();
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut Shadow, from: &Shadow) {
        out.clone_from(from);
    }

    #[inline(always)]
    fn ideal(&self, shadow: &Shadow, actual: f64) -> Dd {
        match &shadow.fine {
            Some(fine) => fine::ideal(fine),
            None => Dd::from_residue(actual, shadow.residue.value),
        }
    }

    #[inline(always)]
    fn radius(&self, shadow: &Shadow, _: f64) -> f64 {
        shadow.fine.as_ref().map_or_else(|| shadow.residue.bound(), |fine| fine.radius())
    }

    /// A verdict that more bits may close is as good a reason to execute again as absorption is.
    #[cold]
    fn left_open(&mut self, shadow: &Shadow) {
        let Residue { value, made, since, .. } = shadow.residue;
        let can_be_probed = shadow.fine.is_none() && !made.is_none() && !since.is_none();
        if can_be_probed && self.outcome.absorptions.len() < self.most_absorptions {
            let most = value.abs() + shadow.residue.bound();
            self.outcome.absorptions.push(Absorption { op: made, since, contributors: Vec::new(), most });
        }
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut Shadow, x: X, y: X, z: f64) {
        let residue = self.arithmetic(op, x, y, z, false);
        self.finish(out, residue, &[x, y], z, |fine, out, args| {
            fine.binary(op, out, args[0], args[1], z);
            true
        });
    }

    #[inline(always)]
    fn intended_rounding(&mut self, op: Binary, out: &mut Shadow, x: X, y: X, z: f64, error: f64) {
        let residue = self.arithmetic(op, x, y, z, true);
        self.finish(out, residue, &[x, y], z, |fine, out, args| {
            fine.intended_rounding(op, out, args[0], args[1], z, error);
            true
        });
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut Shadow, x: X) {
        let residue = x.shadow.residue;
        out.residue = Residue { value: formulas::neg(residue.value), ..residue };
        self.carry(out, x, |fine, out, x| fine.neg(out, x));
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut Shadow, x: X) {
        let residue = x.shadow.residue;
        out.residue = Residue { value: formulas::abs(x.actual, residue.value), ..residue };
        self.carry(out, x, |fine, out, x| fine.abs(out, x));
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut Shadow, x: X, z: f64) {
        let residue = self.root(x, z);
        self.finish(out, residue, &[x], z, |fine, out, args| {
            fine.sqrt(out, args[0], z);
            true
        });
    }

    /// The product's part is split as a product's, so that each factor keeps its own contributors, and the summand is
    /// the third term.
    #[inline(always)]
    fn fma(&mut self, out: &mut Shadow, [x, y, c]: [X; 3], z: f64) {
        let residue = if z.is_finite() {
            let (_, [by_x, by_y], kind) = terms_of_product(x, y, x.actual * y.actual);
            let introduced = fma_error(x.actual, y.actual, c.actual, z);
            self.made(introduced, [by_x, by_y, Term::amplified(&c.shadow.residue, 1.0)], kind)
        } else {
            self.beyond(z, &[x, y, c], [x, y, c].iter().any(|x| x.actual.is_infinite()))
        };
        self.finish(out, residue, &[x, y, c], z, |fine, out, args| {
            fine.fma(out, [args[0], args[1], args[2]], z);
            true
        });
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut Shadow, x: X, z: f64) {
        let residue = match z.is_finite() {
            true => self.made(x.actual - z, [Term::amplified(&x.shadow.residue, 1.0)], Terms::Exact),
            false => self.beyond(z, &[x], x.actual.is_infinite()),
        };
        self.finish(out, residue, &[x], z, |fine, out, args| {
            fine.convert(out, args[0], z);
            true
        });
    }

    /// What the program computed otherwise belongs to the operation's own rounding, and is silent with it.
    fn rebase(&mut self, shadow: &mut Shadow, from: f64, to: f64) {
        if self.plan.at(self.latest).is_silent {
            return;
        }
        let terms = [Term::amplified(&shadow.residue, 1.0)];
        (shadow.residue, _) = Sum { op: self.latest, introduced: from - to, terms, kind: Terms::Exact }.residue();
    }

    /// Not as a difference of two residues that are nearly the same: only square roots are forgiven, and their
    /// operand's term is what remains.
    fn forgive(&mut self, shadow: &mut Shadow, z: f64, error: f64) {
        let sum = Sum { op: self.latest, introduced: 0.0, terms: [self.under_root], kind: Terms::Rounded };
        (shadow.residue, _) = sum.residue();
        if let Some(fine) = &mut shadow.fine {
            self.fine.forgive(Arc::make_mut(fine), z, error);
        }
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut Shadow, x: X, z: f64) {
        out.residue = x.shadow.residue;
        self.carry(out, x, |fine, out, x| fine.shift(out, x, z));
    }

    fn function(&mut self, f: Function, out: &mut Shadow, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        if let [x] = *args
            && z.is_finite()
            && self.stepped(f, out, x, z, precision)
        {
            return true;
        }
        if let ([x], Function::Sqrt) = (args, f) {
            self.sqrt(out, *x, z);
            return true;
        }
        let residue = match z.is_finite() {
            true => self.evaluated(f, args, n, z),
            false => Some(self.beyond(z, args, !overflows(f, args.iter().map(|x| x.actual + x.shadow.residue.value)))),
        };
        let Some(residue) = residue else { return false };
        self.finish(out, residue, args, z, |fine, out, args| fine.function(f, out, args, n, z, precision));
        true
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut Shadow, args: &[X], z: f64) -> bool {
        let Some(residue) = self.part(f, half, args, z) else {
            *out = self.skip(|_| Residue::EXACT).into();
            return !z.is_finite();
        };
        self.finish(out, residue, args, z, |fine, out, args| fine.complex(f, half, out, args, z));
        true
    }

    fn is_settled(&self) -> bool {
        self.outcome.detected == 0
    }

    fn note(&self) -> Option<String> {
        let detected = self.outcome.detected;
        let is_alone = self.most_absorptions == 0;
        (is_alone && detected > 0).then(|| {
            format!("residue override: absorption was detected {detected} times, which one execution cannot settle")
        })
    }
}
