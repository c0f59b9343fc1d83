//! What single steps give: values from outside, those that are handed over, and the operations themselves.

use super::Core;
use crate::domain::{Asked, Domain, Input, Operation};
use crate::frames::{Register, Thread};
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Kind, Step};
use nonius_abi::event::Module;
use nonius_abi::libm::{FUNCTIONS, Function, Shape, decision};
use nonius_abi::site::Op;
use nonius_options::{Declared, Uncertainty};
use nonius_zonotope::Rounding;

impl<D: Domain> Core<D> {
    /// A float that the program was given: what it stands for may be some way off.
    pub(super) fn taken_from_outside(&mut self, x: f64, low: f64, format: Precision, site: u32) -> D::Value {
        let far = match self.uncertainty {
            Some(Uncertainty::Ulps(n)) => n * 2f64.powi(format.ulp_exponent(x)),
            Some(Uncertainty::Relative(r)) => r * x.abs(),
            Some(Uncertainty::Absolute(a)) => a,
            None => 0.0,
        };
        if far == 0.0 || low != 0.0 || !x.is_finite() {
            return self.domain.lift(x, low);
        }
        let half = 2f64.powi(format.ulp_exponent(x.abs() + far) - 1);
        let input = Input { real: [(x - far).next_down(), (x + far).next_up()], error: [-half, half] };
        self.domain.input(input, x, format, [site; 2]).unwrap_or_else(|_| self.domain.unknown())
    }

    /// What the user says of a parameter of the function that runs.
    pub(super) fn given(
        &mut self,
        modules: &[Module],
        module: usize,
        thread: &Thread<D::Value>,
        lane: u32,
        actual: f64,
        format: Precision,
    ) -> Option<D::Value> {
        if self.declared.is_empty() {
            return None;
        }
        let (here, function) = (&modules[module], thread.frames.last()?.function);
        let site_function = here.code.functions[function as usize].site_function as usize;
        let name = here.sites.functions.get(site_function).map(|f| here.sites.string(f.name))?;
        let given = self.declared.iter_mut().find(|g| g.what.function == name && g.what.parameter == lane + 1)?;
        given.is_met = true;
        let Declared { range, parameter, .. } = given.what;
        let asked = Asked { name: format!("parameter {parameter} of {name}"), file: String::new(), line: 0 };
        let origin = self.observed.input(&asked);
        match self.domain.input(Input { real: range, error: [0.0; 2] }, actual, format, [origin; 2]) {
            Ok(value) => Some(value),
            Err(why) => {
                self.observed.warn(format!("inputs=: {} is left out: {why}", asked.name));
                self.observed.incomplete.insert("an input's range could not be taken".to_owned());
                None
            }
        }
    }

    /// A value that has no domain.
    pub(super) fn lost(&mut self, site: u32) -> D::Value {
        self.observed.lost(site);
        self.domain.unknown()
    }

    pub(super) fn handed_over(
        &mut self,
        passed: Option<Register<D::Value>>,
        actual: f64,
        _: f64,
        site: u32,
    ) -> Register<D::Value> {
        match passed.filter(|p| p.actual.to_bits() == actual.to_bits()) {
            Some(passed) => passed,
            None => Register { actual, value: self.lost(site) },
        }
    }

    pub(super) fn integer(&mut self, word: u64, is_signed: bool, format: Precision, site: u32) -> Register<D::Value> {
        let exact = if is_signed { i128::from(word as i64) } else { i128::from(word) };
        let high = exact as f64;
        let low = (exact - high as i128) as f64;
        let actual = match format {
            Precision::Float => f64::from(exact as f32),
            other => other.rounded(high),
        };
        let value = self.domain.lift(high, low);
        if low == 0.0 && actual == high {
            return Register { actual, value };
        }
        let rounding = Rounding { format, is_loose: false, origin: site };
        let value = self.domain.apply(Operation::Narrow, [&value; 3], actual, rounding);
        Register { actual, value }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn function(
        &mut self,
        f: Function,
        shape: Shape,
        n: i64,
        args: &[Register<D::Value>; 3],
        actual: f64,
        format: Precision,
        site: u32,
    ) -> Register<D::Value> {
        self.operations += 1;
        // The exponent that the program got is one of several that it could have.
        if matches!(shape, Shape::Frexp | Shape::Modf) || matches!(f, Function::Frexp | Function::Modf) {
            return Register { actual, value: self.lost(site) };
        }
        let rounding = Rounding { format, is_loose: false, origin: site };
        let values = args.each_ref().map(|a| &a.value);
        let value = self.domain.apply(Operation::Function(f, n), values, actual, rounding);
        self.note_unknown(&value, values, site);
        Register { actual, value }
    }

    /// The integer that a rounding function gives on this path, where that was a test.
    pub(super) fn decided(
        &mut self,
        thread: &mut Thread<D::Value>,
        step: &Step,
        actual: f64,
    ) -> Option<Register<D::Value>> {
        let n = thread.decided.take()? as f64;
        let is_rounding =
            FUNCTIONS.get(step.detail as usize).and_then(|f| decision(f.evaluator)).is_some_and(Op::rounds);
        let actual = if actual == n { actual } else { n };
        is_rounding.then(|| Register { actual, value: self.domain.lift(n, 0.0) })
    }

    /// An operation that makes something unknown of what was known is named.
    pub(super) fn note_unknown(&mut self, value: &D::Value, args: [&D::Value; 3], site: u32) {
        if !self.domain.is_known(value) && args[..1].iter().all(|a| self.domain.is_known(a)) {
            self.observed.lost(site);
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        step: &Step,
        args: &[Register<D::Value>; 3],
        given: Option<f64>,
        site: u32,
    ) -> Register<D::Value> {
        self.operations += 1;
        let [x, y, z] = args.each_ref().map(|a| a.actual);
        let format = step.precision;
        let rounded = |v: f64| if format == Precision::Float { f64::from(v as f32) } else { v };
        let mut is_loose = given.is_some();
        let (op, actual) = if step.kind == Kind::Convert {
            let from = u8::try_from(step.detail).ok().and_then(Precision::from_u8).unwrap_or(Precision::Double);
            if format.bits() >= from.bits() && format.min_exponent() <= from.min_exponent() {
                return Register { actual: given.unwrap_or(x), value: args[0].value.clone() };
            }
            is_loose = false;
            (Operation::Narrow, rounded(x))
        } else {
            use Arith::*;
            match u8::try_from(step.detail).ok().and_then(Arith::from_u8) {
                Some(Add | IntendedAdd | LowAdd | SnapAdd) => (Operation::Add, rounded(x + y)),
                Some(Sub | IntendedSub | LowSub | SnapSub) => (Operation::Sub, rounded(x - y)),
                Some(Mul | IntendedMul) => (Operation::Mul, rounded(x * y)),
                Some(Div | IntendedDiv) => (Operation::Div, rounded(x / y)),
                Some(Rem) => (Operation::Rem, x % y),
                Some(Neg) => (Operation::Neg, -x),
                Some(Abs) => (Operation::Abs, x.abs()),
                Some(Sqrt | IntendedSqrt) => (Operation::Sqrt, rounded(x.sqrt())),
                Some(Fma | LowFma | SnapFma) if format == Precision::Float => {
                    (Operation::Fma, f64::from((x as f32).mul_add(y as f32, z as f32)))
                }
                Some(Fma | LowFma | SnapFma) => (Operation::Fma, x.mul_add(y, z)),
                Some(CopySign) => (Operation::CopySign, x.copysign(y)),
                Some(MinNum | Minimum) => (Operation::Min, x.min(y)),
                Some(MaxNum | Maximum) => (Operation::Max, x.max(y)),
                // The program's own corrections: on reals they are what they take.
                Some(Beside | Seed | Bounded) => return args[0].clone(),
                None => return Register { actual: given.unwrap_or(f64::NAN), value: self.lost(site) },
            }
        };
        let actual = given.unwrap_or(actual);
        let rounding = Rounding { format, is_loose, origin: site };
        let values = args.each_ref().map(|a| &a.value);
        let value = self.domain.apply(op, values, actual, rounding);
        self.note_unknown(&value, values, site);
        Register { actual, value }
    }
}
