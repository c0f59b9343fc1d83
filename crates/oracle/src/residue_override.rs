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
//! | z = | own term | of x | of y |
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
mod functions;
mod plan;
mod residue;

pub use algorithm::{Resolution, resolve};
pub use plan::{Absorption, Action, Contributor, Outcome, Plan};
pub use residue::{OpId, Residue};

use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision};
use nonius_numerics::eft::{fma_error, two_sum_error};
use nonius_numerics::residue as formulas;
use residue::{Sum, Term, Terms};
use std::collections::HashMap;
use std::sync::Arc;

type X<'a> = Operand<'a, Residue>;

/// Absorptions that one execution keeps for the next; the rest is detected again then.
const MOST_ABSORPTIONS: usize = 1 << 18;

/// How far double-double evaluations of functions are off at worst: 2^-92 of the value.
const EVALUATION: f64 = f64::from_bits((1023 - 92) << 52);

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
            plan,
            next,
            latest: OpId::NONE,
            under_root: Term::amplified(Residue::EXACT, 0.0),
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
    fn made(&mut self, own: f64, terms: &[Term], kind: Terms) -> Residue {
        let op = self.begin();
        let sum = Sum { op, own, terms, kind };
        if op == self.planned {
            return self.as_planned(sum);
        }
        let (residue, is_spoilt) = sum.residue();
        if is_spoilt {
            self.detected(&sum, &residue, false);
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
    fn as_planned(&mut self, sum: Sum) -> Residue {
        let op = sum.op;
        let action = self.plan.at(op);
        self.planned = self.plan.next_from(self.next);
        let sum = if action.is_silent { sum.silenced() } else { sum };
        let residue = action.put.unwrap_or_else(|| {
            let (residue, is_spoilt) = sum.residue();
            if is_spoilt {
                self.detected(&sum, &residue, action.is_probed);
            }
            residue
        });
        if action.is_probed {
            self.outcome.probed.insert(op, residue);
        }
        residue
    }

    #[cold]
    fn detected(&mut self, sum: &Sum, residue: &Residue, is_probed: bool) {
        self.outcome.detected += 1;
        self.spoilt = sum.op;
        if is_probed || self.outcome.absorptions.len() < self.most_absorptions {
            self.outcome.absorptions.push(sum.absorption(residue));
        }
    }

    /// An operation that has no terms: its residue begins anew.
    fn skip(&mut self) {
        let op = self.begin();
        if op == self.planned {
            self.planned = self.plan.next_from(self.next);
        }
    }

    #[inline(always)]
    fn arithmetic(&mut self, op: Binary, x: X, y: X, z: f64, is_intended: bool) -> Residue {
        let (a, b) = (x.actual, y.actual);
        let (e_x, e_y) = (*x.shadow, *y.shadow);
        let (own, terms, kind) = match op {
            Binary::Add => {
                (two_sum_error(a, b, z), [Term::amplified(e_x, 1.0), Term::amplified(e_y, 1.0)], Terms::Exact)
            }
            Binary::Sub => {
                (two_sum_error(a, -b, z), [Term::amplified(e_x, 1.0), Term::amplified(e_y, -1.0)], Terms::Exact)
            }
            Binary::Mul => {
                // Half of e_x e_y each: where x and y both came out as 0, that is all there is.
                let by_x = Term::amplified(e_x, 0.5f64.mul_add(e_y.value, b));
                let by_y = Term::amplified(e_y, 0.5f64.mul_add(e_x.value, a));
                (a.mul_add(b, -z), [by_x, by_y], Terms::Rounded)
            }
            Binary::Div => {
                let divisor = b + e_y.value;
                let by_y = Term::divided(Residue { value: -z * e_y.value, noise: z * e_y.noise, ..e_y }, divisor);
                (-z.mul_add(b, -a) / divisor, [Term::divided(e_x, divisor), by_y], Terms::Rounded)
            }
        };
        self.made(if is_intended { 0.0 } else { own }, &terms, kind)
    }
}

impl Oracle for ResidueOverride {
    type Shadow = Residue;
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
        self.thread = thread;
    }

    /// The operation has its number again, and nothing was found at it.
    #[cold]
    fn take_back(&mut self) {
        let op = OpId(self.next.0.wrapping_sub(1));
        (self.next, self.planned) = (op, self.plan.next_from(op));
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
    fn variable(&self) -> Residue {
        Residue::EXACT
    }

    #[inline(always)]
    fn restart(&mut self, out: &mut Residue, _: f64) {
        *out = Residue::EXACT;
    }

    #[inline(always)]
    fn is_restarted(&self, shadow: &Residue, _: f64) -> bool {
        shadow.is_exact()
    }

    #[inline(always)]
    fn restart_wide(&mut self, out: &mut Residue, _: f64, low: f64) {
        self.latest = OpId::NONE;
        *out = Residue::from_outside(formulas::finite_or_zero(low));
    }

    #[inline(always)]
    fn copy(&mut self, out: &mut Residue, from: &Residue) {
        *out = *from;
    }

    #[inline(always)]
    fn ideal(&self, shadow: &Residue, actual: f64) -> Dd {
        Dd::from_residue(actual, shadow.value)
    }

    #[inline(always)]
    fn radius(&self, shadow: &Residue, _: f64) -> f64 {
        shadow.bound()
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, out: &mut Residue, x: X, y: X, z: f64) {
        *out = self.arithmetic(op, x, y, z, false);
    }

    #[inline(always)]
    fn intended_rounding(&mut self, op: Binary, out: &mut Residue, x: X, y: X, z: f64, _: f64) {
        *out = self.arithmetic(op, x, y, z, true);
    }

    #[inline(always)]
    fn neg(&mut self, out: &mut Residue, x: X) {
        *out = Residue { value: formulas::neg(x.shadow.value), ..*x.shadow };
    }

    #[inline(always)]
    fn abs(&mut self, out: &mut Residue, x: X) {
        *out = Residue { value: formulas::abs(x.actual, x.shadow.value), ..*x.shadow };
    }

    #[inline(always)]
    fn sqrt(&mut self, out: &mut Residue, x: X, z: f64) {
        // The root of the ideal is in the divisor: it holds for residues of any size.
        let divisor = z + (x.actual + x.shadow.value).sqrt();
        self.under_root = Term::divided(*x.shadow, divisor);
        let lost = -z.mul_add(z, -x.actual);
        *out = self.made(lost / divisor, &[self.under_root], Terms::Rounded);
    }

    /// The product's part is split as a product's, so that each factor keeps its own contributors, and the summand is
    /// the third term.
    #[inline(always)]
    fn fma(&mut self, out: &mut Residue, [x, y, c]: [X; 3], z: f64) {
        let by_x = Term::amplified(*x.shadow, 0.5f64.mul_add(y.shadow.value, y.actual));
        let by_y = Term::amplified(*y.shadow, 0.5f64.mul_add(x.shadow.value, x.actual));
        let own = fma_error(x.actual, y.actual, c.actual, z);
        *out = self.made(own, &[by_x, by_y, Term::amplified(*c.shadow, 1.0)], Terms::Rounded);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut Residue, x: X, z: f64) {
        *out = self.made(x.actual - z, &[Term::amplified(*x.shadow, 1.0)], Terms::Exact);
    }

    /// What the program computed otherwise belongs to the operation's own rounding, and is silent with it.
    fn rebase(&mut self, shadow: &mut Residue, from: f64, to: f64) {
        if self.plan.at(self.latest).is_silent {
            return;
        }
        let sum = Sum { op: self.latest, own: from - to, terms: &[Term::amplified(*shadow, 1.0)], kind: Terms::Exact };
        (*shadow, _) = sum.residue();
    }

    /// Not as a difference of two residues that are nearly the same: only square roots are forgiven, and their
    /// operand's term is what remains.
    fn forgive(&mut self, shadow: &mut Residue, _: f64, _: f64) {
        let sum = Sum { op: self.latest, own: 0.0, terms: &[self.under_root], kind: Terms::Rounded };
        (*shadow, _) = sum.residue();
    }

    #[inline(always)]
    fn shift(&mut self, out: &mut Residue, x: X, _: f64) {
        *out = *x.shadow;
    }

    fn function(&mut self, f: Function, out: &mut Residue, args: &[X], n: i64, z: f64, precision: Precision) -> bool {
        let found = match *args {
            [x] if f == Function::Sqrt => {
                self.sqrt(out, x, z);
                return true;
            }
            [x] => functions::unary(f, x.actual, x.shadow.value, n, z, precision),
            [x, y] => functions::binary(f, [x.actual, y.actual], [x.shadow.value, y.shadow.value], z, precision),
            _ => None,
        };
        let Some(found) = found else {
            self.skip();
            return false;
        };
        let mut terms = [Term::amplified(Residue::EXACT, 0.0); 2];
        for ((term, x), by) in terms.iter_mut().zip(args).zip(found.by) {
            *term = Term::whole(*x.shadow, by);
        }
        *out = self.made(found.own, &terms[..args.len()], Terms::Evaluated(z.abs() * EVALUATION));
        true
    }

    fn complex(&mut self, f: Complex, half: Half, out: &mut Residue, args: &[X], z: f64) -> bool {
        let actual: Vec<f64> = args.iter().map(|x| x.actual).collect();
        let residues: Vec<f64> = args.iter().map(|x| x.shadow.value).collect();
        let found = functions::complex(f, half, &actual, &residues, z).filter(|_| z.is_finite());
        let Some((own, by)) = found else {
            self.skip();
            *out = Residue::EXACT;
            return !z.is_finite();
        };
        let terms: Vec<Term> = args.iter().zip(by).map(|(x, by)| Term::whole(*x.shadow, by)).collect();
        *out = self.made(own, &terms, Terms::Evaluated(z.abs() * EVALUATION));
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
