//! Oracles on the formulas' trees, without programs: no compiler takes part, so all formulas take seconds.
//!
//! `auto`, which asks finer oracles while verdicts are open, must be right everywhere. `residue-override` is held to what
//! it gets right today: a residue has a double's exponents and cannot tell contributions of one operation apart
//! (docs/decisions/residue-override.md).

use nonius_abi::site::Observed;
use nonius_accuracy::exact;
use nonius_accuracy::expression::{Binary as Op, Expression};
use nonius_accuracy::formula::{self, Formula, Kind};
use nonius_accuracy::inputs;
use nonius_accuracy::real::Real;
use nonius_accuracy::truth::{self, Truth};
use nonius_numerics::Threshold;
use nonius_oracle::residue_override::resolve;
use nonius_oracle::{Binary, DoubleDouble, Function, Mpfr, Operand, Oracle, ResidueOverride};
use nonius_verdict::verdict::{self, Limits, Seen, Verdict};
use std::convert::Infallible;
use std::sync::Arc;

const INPUTS: usize = 40;
/// An ideal that more bits than these do not tell from 0 counts as 0.
const ZERO_BITS: u32 = 4096;

struct Walk<'a, O: Oracle> {
    oracle: &'a mut O,
    inputs: &'a [f64],
    steps: Vec<(f64, O::Shadow)>,
    real: Real,
}

fn in_format(real: Real, z: f64) -> f64 {
    if real == Real::Float { f64::from(z as f32) } else { z }
}

fn call(name: &str, x: &[f64]) -> (Option<Function>, f64) {
    use Function::*;
    let (a, b) = (x[0], x.get(1).copied().unwrap_or(0.0));
    match name {
        "acos" => (Some(Acos), a.acos()),
        "acosh" => (Some(Acosh), libm::acosh(a)),
        "asin" => (Some(Asin), a.asin()),
        "asinh" => (Some(Asinh), libm::asinh(a)),
        "atan" => (Some(Atan), a.atan()),
        "atan2" => (Some(Atan2), a.atan2(b)),
        "atanh" => (Some(Atanh), libm::atanh(a)),
        "cbrt" => (Some(Cbrt), a.cbrt()),
        "cos" => (Some(Cos), a.cos()),
        "cosh" => (Some(Cosh), a.cosh()),
        "erf" => (Some(Erf), libm::erf(a)),
        "erfc" => (Some(Erfc), libm::erfc(a)),
        "exp" => (Some(Exp), a.exp()),
        "exp2" => (Some(Exp2), a.exp2()),
        "expm1" => (Some(Expm1), a.exp_m1()),
        "hypot" => (Some(Hypot), a.hypot(b)),
        "lgamma" => (Some(Lgamma), libm::lgamma(a)),
        "log" => (Some(Log), a.ln()),
        "log10" => (Some(Log10), a.log10()),
        "log1p" => (Some(Log1p), a.ln_1p()),
        "log2" => (Some(Log2), a.log2()),
        "pow" => (Some(Pow), a.powf(b)),
        "sin" => (Some(Sin), a.sin()),
        "sinh" => (Some(Sinh), a.sinh()),
        "tan" => (Some(Tan), a.tan()),
        "tanh" => (Some(Tanh), a.tanh()),
        "tgamma" => (Some(Tgamma), libm::tgamma(a)),
        _ => (None, 0.0),
    }
}

impl<O: Oracle> Walk<'_, O> {
    fn exact(&mut self, value: f64) -> (f64, O::Shadow) {
        let mut out = self.oracle.variable();
        self.oracle.restart(&mut out, value);
        (value, out)
    }

    fn walk(&mut self, expression: &Expression) -> (f64, O::Shadow) {
        match expression {
            Expression::Constant(value) => self.exact(self.real.round(*value)),
            Expression::Variable(index) => self.exact(self.inputs[*index]),
            Expression::Step(index) => {
                let mut out = self.oracle.variable();
                self.oracle.copy(&mut out, &self.steps[*index].1);
                (self.steps[*index].0, out)
            }
            Expression::Negate(inner) => {
                let (x, s) = self.walk(inner);
                let mut out = self.oracle.variable();
                self.oracle.neg(&mut out, Operand { actual: x, shadow: &s });
                (-x, out)
            }
            Expression::Binary(op, left, right) => {
                let ((x, a), (y, b)) = (self.walk(left), self.walk(right));
                let op = match op {
                    Op::Add => Binary::Add,
                    Op::Sub => Binary::Sub,
                    Op::Mul => Binary::Mul,
                    Op::Div => Binary::Div,
                };
                let z = in_format(self.real, op.in_double(x, y));
                let mut out = self.oracle.variable();
                let operands = [(x, &a), (y, &b)].map(|(actual, shadow)| Operand { actual, shadow });
                self.oracle.binary(op, &mut out, operands[0], operands[1], z);
                (z, out)
            }
            Expression::Call(function, arguments) => self.call(function.name, arguments),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expression]) -> (f64, O::Shadow) {
        let args: Vec<(f64, O::Shadow)> = arguments.iter().map(|a| self.walk(a)).collect();
        let operands: Vec<Operand<O::Shadow>> =
            args.iter().map(|(actual, shadow)| Operand { actual: *actual, shadow }).collect();
        let mut out = self.oracle.variable();
        let values: Vec<f64> = args.iter().map(|a| a.0).collect();
        let (f, z) = call(name, &values);
        let z = in_format(self.real, z);
        let z = match (name, f) {
            (_, Some(f)) => {
                if !self.oracle.function(f, &mut out, &operands, 0, z, self.real.precision()) {
                    self.oracle.restart(&mut out, z);
                }
                z
            }
            ("sqrt", _) => {
                let z = in_format(self.real, values[0].sqrt());
                self.oracle.sqrt(&mut out, operands[0], z);
                z
            }
            ("fabs", _) => {
                self.oracle.abs(&mut out, operands[0]);
                values[0].abs()
            }
            ("fma", _) => {
                let z = in_format(self.real, values[0].mul_add(values[1], values[2]));
                self.oracle.fma(&mut out, [operands[0], operands[1], operands[2]], z);
                z
            }
            ("fmax" | "fmin", _) => {
                let first = (values[0] > values[1]) == (name == "fmax");
                let from = if first { &args[0] } else { &args[1] };
                self.oracle.copy(&mut out, &from.1);
                from.0
            }
            _ => unreachable!("{name}"),
        };
        (z, out)
    }
}

/// What an oracle says of each result.
fn judged<O: Oracle>(oracle: &mut O, formula: &Formula, inputs: &[Vec<f64>], real: Real) -> Vec<(f64, Verdict<f64>)> {
    let limits = Limits::new(Threshold::Standard, 0.0, &[Observed::Output]);
    let mut all = Vec::new();
    for input in inputs {
        let mut walk = Walk { oracle, inputs: input, steps: Vec::new(), real };
        for (_, step) in &formula.body.steps {
            let value = walk.walk(step);
            walk.steps.push(value);
        }
        let (value, shadow) = walk.walk(&formula.body.result);
        let estimate = oracle.estimate(&shadow, value);
        let seen = Seen { value, ideal: estimate.ideal, residue: estimate.residue, radius: estimate.radius };
        let judge = |seen| verdict::precision(seen, real.precision(), Observed::Output, &limits);
        let verdict = judge(seen);
        if verdict.is_open() {
            oracle.left_open(&shadow);
        }
        let counts_as_zero = verdict.is_open() && seen.may_be_zero() && oracle.bits() > ZERO_BITS;
        all.push((value, if counts_as_zero { judge(seen.with_zeros()) } else { verdict }));
    }
    all
}

/// As `oracle=auto` asks: double-double, then MPFR at 256 bits and twice as many until nothing is open.
fn by_auto(formula: &Formula, inputs: &[Vec<f64>], real: Real) -> Vec<(f64, Verdict<f64>)> {
    let mut verdicts = judged(&mut DoubleDouble, formula, inputs, real);
    let mut bits = 256;
    while bits <= 4 * ZERO_BITS && verdicts.iter().any(|(_, verdict)| verdict.is_open()) {
        verdicts = judged(&mut Mpfr::new(bits), formula, inputs, real);
        bits *= 2;
    }
    verdicts
}

/// By residue override, and how often the formula was executed again.
fn by_override(formula: &Formula, inputs: &[Vec<f64>], real: Real) -> (Vec<(f64, Verdict<f64>)>, u32) {
    let mut last = Vec::new();
    let execute = |plan: &_| {
        let mut oracle = ResidueOverride::new(Arc::new(Clone::clone(plan)));
        last = judged(&mut oracle, formula, inputs, real);
        Ok::<_, Infallible>(oracle.take_outcome())
    };
    let Ok(resolution) = resolve(execute, 20);
    (last, resolution.executions - 1)
}

/// Wrong results that were not found, whether open or not, and right ones that were.
fn wrong(formula: &Formula, inputs: &[Vec<f64>], real: Real, verdicts: &[(f64, Verdict<f64>)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (input, (value, verdict)) in inputs.iter().zip(verdicts) {
        let exact = exact::evaluate(formula, input, real);
        let is_found = verdict.found().is_some();
        match truth::judge(*value, &exact.ideal, real) {
            Truth::Wrong if !is_found => wrong.push(format!("missed at {input:?}: {verdict:?}")),
            Truth::Right if is_found => wrong.push(format!("false at {input:?}: {verdict:?}")),
            _ => {}
        }
    }
    wrong
}

#[test]
fn auto_is_right() {
    let mut all = Vec::new();
    for real in Real::ALL {
        for formula in formula::all().unwrap() {
            let inputs = inputs::draw(&formula.name, &formula.variables, real, INPUTS);
            let verdicts = by_auto(&formula, &inputs, real);
            let wrong = wrong(&formula, &inputs, real, &verdicts);
            all.extend(wrong.iter().map(|text| format!("{} in {}: {text}", formula.name, real.name())));
        }
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
}

/// Nothing that residue override says is wrong, and of formulas it leaves nothing open.
#[test]
fn residue_override_is_right() {
    let (mut all, mut again, mut count) = (Vec::new(), 0, 0);
    for real in Real::ALL {
        for formula in formula::all().unwrap() {
            let inputs = inputs::draw(&formula.name, &formula.variables, real, INPUTS);
            let (verdicts, executions) = by_override(&formula, &inputs, real);
            if formula.kind == Kind::Formula {
                (again, count) = (again + executions, count + 1);
            }
            let wrong = wrong(&formula, &inputs, real, &verdicts);
            all.extend(wrong.iter().map(|text| format!("{} in {}: {text}", formula.name, real.name())));
        }
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
    assert!(again <= 3 * count, "{again} re-executions of {count} formulas");
    println!("{again} re-executions of {count} formulas");
}
