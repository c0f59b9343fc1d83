//! Oracles: the arithmetics that stand in for the ideal one.
//!
//! An [`Oracle`] keeps a *shadow* for each of the program's values and repeats the program's operations on shadows. The
//! actual values always come along: a residue is measured from them, and an operation that an oracle cannot do goes on
//! from its actual result. What an oracle says of a value is an [`Estimate`]: the ideal, the residue, and how far off the
//! oracle itself may be. A verdict that depends on the latter is open.
//!
//! Shadows are written into variables that are there already (`out`), so that no operation allocates. `out` never
//! aliases an operand.
//!
//! A new oracle is a file here and a line in [`Spec`].

#![deny(unsafe_code)]

mod by_mpfr;
mod complex;
mod double_double;
pub mod estimate;
mod function;
#[cfg(target_arch = "x86_64")]
pub mod lanes;
mod limbs;
mod mpfr;
mod native;
pub mod noise;
mod number;
mod residue;
pub mod residue_override;
mod spec;

pub use complex::Half;
pub use double_double::{DoubleDouble, NoisyDd};
pub use estimate::Estimate;
pub use function::{Complex, Function};
pub use mpfr::{Ball, Fixed, Mpfr};
pub use native::Native;
use nonius_numerics::exact::decides;
pub use nonius_numerics::{Dd, Precision};
pub use residue::{NoisyResidue, Residue};
pub use residue_override::ResidueOverride;
pub use spec::{DEFAULT_BITS, Spec, SpecError, Visitor};

/// An operand: the program's value and its shadow.
#[derive(Debug)]
pub struct Operand<'a, S> {
    pub actual: f64,
    pub shadow: &'a S,
}

impl<S> Clone for Operand<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Operand<'_, S> {}

/// The operations that every oracle knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
}

impl Binary {
    /// What the program gets of doubles.
    #[inline(always)]
    #[must_use]
    pub fn in_double(self, a: f64, b: f64) -> f64 {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
        }
    }
}

#[cold]
fn saturated(residue: f64) -> f64 {
    if residue.is_nan() { 0.0 } else { f64::MAX.copysign(residue) }
}

/// An arithmetic for ideals.
pub trait Oracle {
    type Shadow;
    /// Four shadows, side by side; `()` where there is no such thing.
    #[cfg(target_arch = "x86_64")]
    type Four: Copy;

    /// Whether there is anything to measure. Without, a machine only repeats the program.
    const MEASURES: bool = true;

    /// Shadows are a few words, and a new variable costs nothing.
    const IS_SMALL: bool = false;

    /// There is a [`Oracle::quick_four`], if not on every processor.
    const HAS_FOURS: bool = false;

    /// Bits that its numbers have.
    fn bits(&self) -> u32;

    /// Operations of this thread follow.
    fn begin_thread(&mut self, _thread: u32) {}

    /// The last [`Oracle::quick`] counts for nothing: [`Oracle::binary`] does the same operation over.
    #[inline(always)]
    fn take_back(&mut self) {}

    /// A variable, to be reused; this may allocate.
    fn variable(&self) -> Self::Shadow;

    /// The shadow of a value of which nothing more is known.
    fn restart(&mut self, out: &mut Self::Shadow, value: f64);

    /// A value that is the sum of two doubles, as those of x87 and quad are nearly.
    fn restart_wide(&mut self, out: &mut Self::Shadow, value: f64, low: f64);

    /// Whether a shadow is bit for bit what [`Oracle::restart`] makes of the value. `false` where that takes long to tell.
    #[inline(always)]
    fn is_restarted(&self, _: &Self::Shadow, _: f64) -> bool {
        false
    }

    fn copy(&mut self, out: &mut Self::Shadow, from: &Self::Shadow);

    /// The ideal of `actual`, as the sum of two doubles: close enough to measure any error that a report can show.
    fn ideal(&self, shadow: &Self::Shadow, actual: f64) -> Dd;

    /// How far off that may be; 0 where it is exact, infinite where nothing is known.
    fn radius(&self, shadow: &Self::Shadow, actual: f64) -> f64;

    fn estimate(&self, shadow: &Self::Shadow, actual: f64) -> Estimate {
        let (ideal, radius) = (self.ideal(shadow, actual), self.radius(shadow, actual));
        Estimate { ideal: ideal.to_f64(), residue: self.residue(shadow, actual), radius }
    }

    /// Ideal minus actual. Where that is beyond the range, as large as a double gets; 0 for what is no number.
    #[inline(always)]
    fn residue(&self, shadow: &Self::Shadow, actual: f64) -> f64 {
        let residue = self.ideal(shadow, actual).minus_actual(actual);
        if residue.abs() < f64::INFINITY { residue } else { saturated(residue) }
    }

    /// Whether there is no ideal, as far as the oracle's bits go: it is made of a quotient by 0.
    fn is_undefined(&self, _: &Self::Shadow) -> bool {
        false
    }

    /// Whether the oracle may be off by more than `limit` of the value.
    #[inline(always)]
    fn is_unsure(&self, shadow: &Self::Shadow, value: f64, limit: f64) -> bool {
        self.radius(shadow, value) > limit * value.abs()
    }

    /// `z` is what the program got for `x op y`.
    fn binary(
        &mut self,
        op: Binary,
        out: &mut Self::Shadow,
        x: Operand<Self::Shadow>,
        y: Operand<Self::Shadow>,
        z: f64,
    );

    /// The same and the result's residue at once, which is what most operations are about. Unless it is a finite
    /// number, `out` is left in any state: [`Oracle::binary`] does it then.
    #[inline(always)]
    fn quick(
        &mut self,
        op: Binary,
        out: &mut Self::Shadow,
        x: Operand<Self::Shadow>,
        y: Operand<Self::Shadow>,
        z: f64,
    ) -> f64 {
        self.binary(op, out, x, y, z);
        self.ideal(out, z).minus_actual(z)
    }

    /// Four shadows at once, where there are fours.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn gather(&self, _: lanes::Avx2, _: [&Self::Shadow; 4]) -> Option<Self::Four> {
        None
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn scatter(&self, _: [&mut Self::Shadow; 4], _: Self::Four) {}

    /// [`Oracle::quick`] of four lanes, bit for bit. Unless all residues are finite numbers, the shadows mean nothing.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn quick_four(
        &self,
        _: lanes::Avx2,
        _: Binary,
        x: Self::Four,
        _: Self::Four,
        z: lanes::F4,
    ) -> (Self::Four, lanes::F4) {
        (x, z)
    }

    fn neg(&mut self, out: &mut Self::Shadow, x: Operand<Self::Shadow>);

    fn abs(&mut self, out: &mut Self::Shadow, x: Operand<Self::Shadow>);

    fn sqrt(&mut self, out: &mut Self::Shadow, x: Operand<Self::Shadow>, z: f64);

    /// `x y + c`, rounded once.
    fn fma(&mut self, out: &mut Self::Shadow, operands: [Operand<Self::Shadow>; 3], z: f64);

    /// `z` is `x` in another format. Rounding is an error like any other.
    fn convert(&mut self, out: &mut Self::Shadow, x: Operand<Self::Shadow>, z: f64);

    /// The shadow belonged to `from`, and the program has `to` instead (fast-math): the ideal stays.
    fn rebase(&mut self, shadow: &mut Self::Shadow, from: f64, to: f64);

    /// `z` was rounded by `error` on purpose: that is none.
    fn forgive(&mut self, shadow: &mut Self::Shadow, z: f64, error: f64);

    /// [`Oracle::binary`] with a rounding on purpose: only what the operands bring along is an error.
    fn intended_rounding(
        &mut self,
        op: Binary,
        out: &mut Self::Shadow,
        x: Operand<Self::Shadow>,
        y: Operand<Self::Shadow>,
        z: f64,
        error: f64,
    ) {
        self.binary(op, out, x, y, z);
        self.forgive(out, z, error);
    }

    /// `z` was rounded, stepped or scaled on purpose, by this much from `x`: the error is x's.
    fn shift(&mut self, out: &mut Self::Shadow, x: Operand<Self::Shadow>, z: f64);

    /// `z = f(x)` is an integer, or what is left beside one: the program's decision is followed (see `numerics::exact`).
    /// `false` if `f` is no such function.
    fn stepped(
        &mut self,
        f: Function,
        out: &mut Self::Shadow,
        x: Operand<Self::Shadow>,
        z: f64,
        precision: Precision,
    ) -> bool {
        let ideal = self.ideal(x.shadow, x.actual).to_f64();
        let (of, whole) = if f == Function::Modf { (Function::Trunc, x.actual.trunc()) } else { (f, z) };
        let Some(difference) = function::step(of, ideal, whole, precision) else { return false };
        let is_identity = f != Function::Logb && !decides(precision, x.actual);
        match (f == Function::Modf, difference == 0.0) {
            _ if !x.actual.is_finite() => self.restart(out, z),
            // Of an integer, `modf` leaves nothing.
            _ if is_identity && f != Function::Modf => self.copy(out, x.shadow),
            _ if is_identity => self.restart(out, z),
            (true, true) => self.shift(out, x, z),
            (true, false) => {
                self.shift(out, x, z - difference);
                self.rebase(out, z - difference, z);
            }
            (false, true) => self.restart(out, z),
            (false, false) => self.restart_wide(out, z, difference),
        }
        true
    }

    /// `z = f(args)`, `n` the integer argument of those that have one; `f` is none that [`Oracle::stepped`] does. `false`: not
    /// known, or not to be had here; then `out` is left in any state.
    fn function(
        &mut self,
        f: Function,
        out: &mut Self::Shadow,
        args: &[Operand<Self::Shadow>],
        n: i64,
        z: f64,
        precision: Precision,
    ) -> bool;

    /// `z` is a part of `f(args)`, whose numbers come as their parts. As `function` otherwise.
    fn complex(
        &mut self,
        f: Complex,
        half: Half,
        out: &mut Self::Shadow,
        args: &[Operand<Self::Shadow>],
        z: f64,
    ) -> bool;

    /// A verdict on this value is open.
    fn left_open(&mut self, _: &Self::Shadow) {}

    /// Whether another execution with other residues has nothing to add.
    fn is_settled(&self) -> bool {
        true
    }

    /// What a report must say of the whole run.
    fn note(&self) -> Option<String> {
        None
    }
}
