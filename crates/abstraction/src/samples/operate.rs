//! Operations on samples.

use super::functions::by_library;
use super::{COUNT, NOTHING, Sample, Sampler, Samples, integer, order};
use crate::domain::{Operation, ToInteger};
use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_oracle::{Binary, NoisyDd, Operand, Oracle};
use nonius_zonotope::Rounding;
use std::cmp::Ordering;

impl Operation {
    /// Of so many numbers.
    pub fn arity(self) -> usize {
        use Operation::*;
        match self {
            Add | Sub | Mul | Div | Rem | CopySign | Min | Max => 2,
            Fma => 3,
            Sqrt | Neg | Abs | Narrow => 1,
            Function(f, _) => f.arity(),
        }
    }
}

impl Sampler {
    pub fn apply(&mut self, op: Operation, args: [&Samples; 3], r: Rounding) -> Samples {
        let used = &args[..op.arity().min(3)];
        let is_computed = matches!(r.format, Precision::Double | Precision::Float) && !r.is_loose;
        if !is_computed || used.iter().any(|s| **s == Samples::Unknown) {
            return Samples::Unknown;
        }
        if used.iter().all(|s| matches!(s, Samples::Same(_))) {
            let one = self.one_of(op, args.map(|s| s.get(0)), r.format);
            return Samples::of([one; COUNT]);
        }
        let on = self.on_path.floats | self.on_path.reals;
        let mut all = [Sample::NONE; COUNT];
        for (n, sample) in all.iter_mut().enumerate().filter(|(n, _)| on >> n & 1 != 0) {
            *sample = self.one_of(op, args.map(|s| s.get(n)), r.format);
        }
        Samples::of(all)
    }

    fn one_of(&mut self, op: Operation, args: [Sample; 3], format: Precision) -> Sample {
        let float = in_floats(op, args.map(|s| s.float), format);
        let real = self.in_reals(op, &args, float, format);
        let is_known = real.ideal.is_finite() && real.noise.is_finite();
        Sample { float: if float.is_finite() { float } else { f64::NAN }, real: if is_known { real } else { NOTHING } }
    }

    fn in_reals(&mut self, op: Operation, args: &[Sample; 3], z: f64, format: Precision) -> NoisyDd {
        let [x, y, c] = args.each_ref().map(|s| Operand { actual: s.float, shadow: &s.real });
        let used = &args[..op.arity().min(3)];
        if used.iter().any(|s| !s.radius().is_finite()) {
            return NOTHING;
        }
        let mut out = NOTHING;
        match op {
            Operation::Add => self.oracle.binary(Binary::Add, &mut out, x, y, z),
            Operation::Sub => self.oracle.binary(Binary::Sub, &mut out, x, y, z),
            Operation::Mul => self.oracle.binary(Binary::Mul, &mut out, x, y, z),
            Operation::Div => self.oracle.binary(Binary::Div, &mut out, x, y, z),
            Operation::Sqrt => self.oracle.sqrt(&mut out, x, z),
            Operation::Fma => self.oracle.fma(&mut out, [x, y, c], z),
            Operation::Neg => self.oracle.neg(&mut out, x),
            Operation::Abs => self.oracle.abs(&mut out, x),
            Operation::Narrow => out = args[0].real,
            Operation::Min | Operation::Max => {
                let takes_first = |order: Ordering| order.is_eq() || order.is_lt() == (op == Operation::Min);
                out = match order(args[0].real, args[1].real) {
                    Some(order) => args[usize::from(!takes_first(order))].real,
                    None => NOTHING,
                };
            }
            // What has another quotient, or another sign, is given up.
            Operation::Rem | Operation::CopySign => {}
            Operation::Function(f, n) => out = self.function(f, n, args, z, format),
        }
        out
    }

    fn function(&mut self, f: Function, n: i64, args: &[Sample; 3], z: f64, format: Precision) -> NoisyDd {
        use Function::*;
        let how = match f {
            Trunc => Some(ToInteger::Truncate),
            Floor => Some(ToInteger::Down),
            Ceil => Some(ToInteger::Up),
            Round => Some(ToInteger::Nearest),
            Rint | Roundeven => Some(ToInteger::NearestEven),
            // By the program's own decision, which the real need not share.
            Logb | Modf | Frexp | Fmod | Remainder | Nextafter => return NOTHING,
            _ => None,
        };
        if let Some(how) = how {
            return integer(how, args[0]).map_or(NOTHING, |n| Sample::exact(n).real);
        }
        let operands = args.each_ref().map(|s| Operand { actual: s.float, shadow: &s.real });
        let mut out = NOTHING;
        let is_done = self.oracle.function(f, &mut out, &operands[..f.arity().min(2)], n, z, format);
        if is_done { out } else { NOTHING }
    }
}

/// As the program computes it.
fn in_floats(op: Operation, [x, y, z]: [f64; 3], format: Precision) -> f64 {
    let rounded = |v: f64| if format == Precision::Float { f64::from(v as f32) } else { v };
    match op {
        Operation::Add => rounded(x + y),
        Operation::Sub => rounded(x - y),
        Operation::Mul => rounded(x * y),
        Operation::Div => rounded(x / y),
        Operation::Rem => x % y,
        Operation::Sqrt => rounded(x.sqrt()),
        Operation::Fma if format == Precision::Float => f64::from((x as f32).mul_add(y as f32, z as f32)),
        Operation::Fma => x.mul_add(y, z),
        Operation::Neg => -x,
        Operation::Abs => x.abs(),
        Operation::CopySign => x.copysign(y),
        Operation::Min => x.min(y),
        Operation::Max => x.max(y),
        Operation::Narrow => rounded(x),
        Operation::Function(f, n) => by_library(f, n, [x, y], format),
    }
}
