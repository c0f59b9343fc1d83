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

use crate::function::overflows;
use crate::noise::{derivative, derivatives, leaps, power_leaps};
use crate::{Binary, Complex, Dd, Function, Half, Operand, Oracle, Precision};
use nonius_numerics::eft::{fma_error, two_sum_error};
use nonius_numerics::residue as formulas;
use residue::{Sum, Term, Terms};
use std::collections::HashMap;
use std::sync::Arc;

type X<'a> = Operand<'a, Residue>;

/// Absorptions that one execution keeps for the next; the rest is detected again then.
const MOST_ABSORPTIONS: usize = 1 << 18;

/// Products below this have rounding errors that are no doubles: 2^-960.
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);
/// What is lost there at most.
const LEAST: f64 = f64::from_bits(1);

/// What the product of two numbers lacks if it, or its rounding error, is rounded among the subnormals.
#[inline(always)]
fn underflow(product: f64, x: f64, y: f64) -> f64 {
    if product.abs() < SMALL && x != 0.0 && y != 0.0 { LEAST } else { 0.0 }
}

/// Terms that are rounded, and may lack this much beside.
#[inline(always)]
fn rounded(off: f64) -> Terms {
    if off == 0.0 { Terms::Rounded } else { Terms::Evaluated(off) }
}

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
        let is_by_infinity = op == Binary::Div && y.actual.is_infinite();
        if !z.is_finite() || is_by_infinity {
            return self.beyond(z, &[x, y], is_pole(op, x, y) || is_by_infinity);
        }
        let (own, terms, kind) = match op {
            Binary::Add => terms_of_sum(x, y, 1.0, z),
            Binary::Sub => terms_of_sum(x, y, -1.0, z),
            Binary::Mul => terms_of_product(x, y, z),
            Binary::Div => terms_of_quotient(x, y, z),
        };
        self.made(if is_intended { 0.0 } else { own }, &terms, kind)
    }

    /// A result that is infinite or NaN, or a quotient by infinity: as its ideal is, or nobody knows.
    #[cold]
    fn beyond(&mut self, z: f64, operands: &[X], is_exact: bool) -> Residue {
        self.skip();
        let are_known = operands.iter().all(|x| x.shadow.noise < f64::INFINITY);
        if z.is_nan() || are_known && is_exact { Residue::EXACT } else { Residue::UNKNOWN }
    }
}

/// Whether the ideal cannot be told from 0.
#[inline(always)]
fn may_be_zero(x: X) -> bool {
    x.shadow.noise > 0.0 && x.shadow.bound() >= (x.actual + x.shadow.value).abs()
}

/// Whether an infinite result is as infinite as its ideal: an operand is, or the divisor is 0.
fn is_pole(op: Binary, x: X, y: X) -> bool {
    let is_zero = y.actual == 0.0 && y.shadow.value == 0.0 && y.shadow.noise == 0.0;
    x.actual.is_infinite() || y.actual.is_infinite() || op == Binary::Div && is_zero
}

type Split = (f64, [Term; 2], Terms);

#[inline(always)]
fn terms_of_sum(x: X, y: X, sign: f64, z: f64) -> Split {
    let own = two_sum_error(x.actual, sign * y.actual, z);
    (own, [Term::amplified(*x.shadow, 1.0), Term::amplified(*y.shadow, sign)], Terms::Exact)
}

#[inline(always)]
fn terms_of_product(x: X, y: X, z: f64) -> Split {
    let (a, b, e_x, e_y) = (x.actual, y.actual, x.shadow, y.shadow);
    // Half of e_x e_y each: where x and y both came out as 0, that is all there is.
    let (by_x, by_y) = (0.5f64.mul_add(e_y.value, b), 0.5f64.mul_add(e_x.value, a));
    // Noise is amplified by all of the other factor.
    let factor = |own: f64, other: &Residue| own.abs() + other.value.abs() + other.noise;
    let terms = [
        Term::amplified(*e_x, by_x).with_factor(factor(b, e_y)),
        Term::amplified(*e_y, by_y).with_factor(factor(a, e_x)),
    ];
    let off = underflow(z, a, b)
        + underflow(by_x * e_x.value, by_x, e_x.value)
        + underflow(by_y * e_y.value, by_y, e_y.value)
        + underflow(e_x.value * e_y.value, e_x.value, e_y.value);
    (a.mul_add(b, -z), terms, rounded(off))
}

#[inline(always)]
fn terms_of_quotient(x: X, y: X, z: f64) -> Split {
    let (a, b, e_x, e_y) = (x.actual, y.actual, *x.shadow, *y.shadow);
    let divisor = b + e_y.value;
    let by_y = Term::divided(Residue { value: -z * e_y.value, noise: z * e_y.noise, ..e_y }, divisor);
    let mu = -z.mul_add(b, -a);
    let (own, by_x) = (mu / divisor, Term::divided(e_x, divisor));
    let inner = underflow(a, a, 1.0) + underflow(z * e_y.value, z, e_y.value);
    let outer = underflow(own, mu, 1.0) + underflow(by_x.value(), e_x.value, 1.0);
    let off = outer + if inner == 0.0 { 0.0 } else { inner / divisor.abs() };
    // What may be 0 divides to anything.
    let off = if may_be_zero(y) { f64::INFINITY } else { off };
    (own, [by_x, by_y], rounded(off))
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
        if !z.is_finite() {
            *out = self.beyond(z, &[x], x.actual.is_infinite());
            return;
        }
        // The root of the ideal is in the divisor: it holds for residues of any size.
        let ideal = x.actual + x.shadow.value;
        let divisor = z + ideal.sqrt();
        let may_be_zero = may_be_zero(x);
        let of_noise = if may_be_zero { 0.0 } else { 1.0 / divisor };
        self.under_root = Term::divided(*x.shadow, divisor).with_factor(of_noise);
        let lost = -z.mul_add(z, -x.actual);
        let underflow = underflow(x.actual, x.actual, 1.0) / if divisor == 0.0 { 1.0 } else { divisor };
        let off = underflow + if may_be_zero { x.shadow.noise.sqrt() } else { 0.0 };
        let own = if lost == 0.0 { 0.0 } else { lost / divisor };
        *out = self.made(own, &[self.under_root], rounded(off));
    }

    /// The product's part is split as a product's, so that each factor keeps its own contributors, and the summand is
    /// the third term.
    #[inline(always)]
    fn fma(&mut self, out: &mut Residue, [x, y, c]: [X; 3], z: f64) {
        if !z.is_finite() {
            *out = self.beyond(z, &[x, y, c], [x, y, c].iter().any(|x| x.actual.is_infinite()));
            return;
        }
        let (_, [by_x, by_y], kind) = terms_of_product(x, y, x.actual * y.actual);
        let own = fma_error(x.actual, y.actual, c.actual, z);
        *out = self.made(own, &[by_x, by_y, Term::amplified(*c.shadow, 1.0)], kind);
    }

    #[inline(always)]
    fn convert(&mut self, out: &mut Residue, x: X, z: f64) {
        if !z.is_finite() {
            *out = self.beyond(z, &[x], x.actual.is_infinite());
            return;
        }
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
        if !z.is_finite() {
            *out = self.beyond(z, args, !overflows(f, args.iter().map(|x| x.actual + x.shadow.value)));
            return true;
        }
        if let [x] = *args
            && self.stepped(f, out, x, z, precision)
        {
            return true;
        }
        let (found, slopes) = match *args {
            [x] if f == Function::Sqrt => {
                self.sqrt(out, x, z);
                return true;
            }
            [x] => {
                let found = functions::unary(f, x.actual, x.shadow.value, n, z);
                (found, [derivative(f, x.actual, z), 0.0])
            }
            [x, y] => {
                let found = functions::binary(f, [x.actual, y.actual], [x.shadow.value, y.shadow.value], z);
                (found, derivatives(f, [x.actual, y.actual, z]))
            }
            _ => (None, [0.0; 2]),
        };
        let Some(found) = found else {
            self.skip();
            return false;
        };
        let ideal = |x: &X| x.actual + x.shadow.value;
        let has_no_slope = match args {
            [x] => leaps(f, [ideal(x), z + found.own + found.by[0]], x.shadow.bound()),
            [x, y] if f == Function::Pow => power_leaps([ideal(x), ideal(y)], [x, y].map(|x| x.shadow.bound())),
            _ => false,
        };
        let mut terms = [Term::amplified(Residue::EXACT, 0.0); 2];
        for (index, (term, x)) in terms.iter_mut().zip(args).enumerate() {
            *term = Term::whole(*x.shadow, found.by[index], slopes[index]);
        }
        let off = if has_no_slope { f64::INFINITY } else { found.off + 64.0 * underflow(z, 1.0, 1.0) };
        *out = self.made(found.own, &terms[..args.len()], rounded(off));
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
        // As if it changed no faster than its result is large beside its arguments.
        let size = actual.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let slope = (4.0 * z.abs() / size).max(4.0);
        let terms: Vec<Term> = args.iter().zip(by).map(|(x, by)| Term::whole(*x.shadow, by, slope)).collect();
        *out = self.made(own, &terms, Terms::Evaluated(z.abs() * functions::EVALUATION));
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
