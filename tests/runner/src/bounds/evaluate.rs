//! What a program computes on reals, by MPFR: every operation as mathematics has it, every test decided by reals.

use super::program::*;
use rug::Float;
use rug::ops::Pow;

/// A run on reals.
#[derive(Clone, Debug)]
pub struct Run {
    /// The same hash of ways that the compiled program makes.
    pub trace: u64,
    pub observed: Vec<Float>,
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// A test is so close that the precision may not decide it.
    Unclear,
    /// A test of something that is no number.
    Undefined,
}

const MOST_EXPONENT: i32 = 20_000;

pub fn evaluate(program: &Program, inputs: &[Float], bits: u32) -> Result<Run, Failed> {
    let mut machine = Machine { program, bits, run: Run { trace: 0, observed: Vec::new() } };
    machine.function(&program.main, inputs.iter().map(|x| Float::with_val(bits, x)).collect())?;
    Ok(machine.run)
}

struct Machine<'a> {
    program: &'a Program,
    bits: u32,
    run: Run,
}

struct Frame<'a> {
    body: &'a Body,
    variables: Vec<Float>,
    integers: [i64; INTEGERS],
    arrays: Vec<Vec<Float>>,
    counters: [usize; 8],
}

impl Machine<'_> {
    fn number(&self, x: f64) -> Float {
        Float::with_val(self.bits, x)
    }

    fn function(&mut self, body: &Body, arguments: Vec<Float>) -> Result<Option<Float>, Failed> {
        let mut variables = arguments;
        variables.extend(body.begin[variables.len()..].iter().map(|&x| Float::with_val(self.bits, x)));
        let array = [0.5, -1.25, 3.0, 0.1].map(|x| self.number(x)).to_vec();
        let integers = [0, 1];
        let mut frame = Frame { body, variables, integers, arrays: vec![array; ARRAYS], counters: [0; 8] };
        self.all(&body.statements, &mut frame)
    }

    /// The value that the function returns, if it does.
    fn all(&mut self, statements: &[Statement], frame: &mut Frame<'_>) -> Result<Option<Float>, Failed> {
        for statement in statements {
            if let Some(returned) = self.statement(statement, frame)? {
                return Ok(Some(returned));
            }
        }
        Ok(None)
    }

    fn operand(&self, operand: Operand, format: Format, frame: &Frame<'_>) -> Float {
        match operand {
            Operand::Variable(v) => frame.variables[v].clone(),
            Operand::Constant(x) => self.number(format.rounded(x)),
        }
    }

    fn take(&mut self, way: i64) {
        let way = u64::from(way as i32 as u32);
        self.run.trace = (self.run.trace ^ way).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame<'_>) -> Result<Option<Float>, Failed> {
        use Format::Double;
        match statement {
            Statement::Set { to, op, args } => {
                let format = frame.body.formats[*to];
                let args = args.map(|a| self.operand(a, format, frame));
                let z = self.operation(op, &args)?;
                // Far outside of all doubles nothing is bounded, and a sine takes MPFR for ever.
                if z.get_exp().is_some_and(|e| e.abs() > MOST_EXPONENT) {
                    return Err(Failed::Unclear);
                }
                frame.variables[*to] = z;
            }
            Statement::If { x, predicate, y, then, otherwise } => {
                let (x, y) = (self.operand(*x, Double, frame), self.operand(*y, Double, frame));
                let holds = self.holds(&x, predicate, &y)?;
                self.take(i64::from(holds));
                return self.all(if holds { then } else { otherwise }, frame);
            }
            Statement::Loop { counter, turns, body } => {
                for turn in 0..*turns {
                    frame.counters[*counter] = turn;
                    if let Some(returned) = self.all(body, frame)? {
                        return Ok(Some(returned));
                    }
                }
            }
            Statement::ToInteger { to, from, how, limit } => {
                let from = self.operand(*from, Double, frame);
                if !from.is_finite() && !from.is_infinite() {
                    return Err(Failed::Undefined);
                }
                let cut = from.max(&self.number(-limit)).min(&self.number(*limit));
                let whole = match how {
                    Whole::Truncate => self.step(&cut, Float::trunc, 0.0)?,
                    Whole::Rint => self.step(&cut, Float::round_even, 0.5)?,
                    Whole::Round => self.step(&cut, Float::round, 0.5)?,
                };
                frame.integers[*to] = whole.to_f64() as i64;
                self.take(frame.integers[*to]);
            }
            Statement::FromInteger { to, from } => frame.variables[*to] = self.number(frame.integers[*from] as f64),
            Statement::Store { array, index, from } => {
                let from = self.operand(*from, Double, frame);
                let at = place(*index, frame);
                frame.arrays[*array][at] = from;
            }
            Statement::Load { to, array, index } => {
                frame.variables[*to] = frame.arrays[*array][place(*index, frame)].clone();
            }
            Statement::Call { to, helper, args } => {
                let body = &self.program.helpers[*helper];
                let args = (0..body.parameters)
                    .map(|p| {
                        let arg = args.get(p).copied().unwrap_or(Operand::Constant(1.0));
                        self.operand(arg, body.formats[p], frame)
                    })
                    .collect();
                let returned = self.function(body, args)?;
                frame.variables[*to] = returned.unwrap_or_else(|| self.number(f64::NAN));
            }
            Statement::Return(x) => return Ok(Some(self.operand(*x, Double, frame))),
            Statement::Observe { variable, .. } => self.run.observed.push(frame.variables[*variable].clone()),
        }
        Ok(None)
    }

    fn holds(&self, x: &Float, predicate: &str, y: &Float) -> Result<bool, Failed> {
        if x.is_nan() || y.is_nan() {
            return Err(Failed::Undefined);
        }
        let difference = Float::with_val(self.bits, x - y);
        self.must_be_clear(&difference, &x.clone().abs().max(&y.clone().abs()))?;
        let order = difference.cmp0().ok_or(Failed::Undefined)?;
        Ok(match predicate {
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            "==" => order.is_eq(),
            _ => order.is_ne(),
        })
    }

    /// A difference that is nothing beside the numbers, and not 0, may be the precision's own noise.
    fn must_be_clear(&self, difference: &Float, beside: &Float) -> Result<(), Failed> {
        let least = Float::with_val(self.bits, beside >> (self.bits / 2));
        let is_noise = !difference.is_zero() && difference.clone().abs() < least;
        if is_noise { Err(Failed::Unclear) } else { Ok(()) }
    }

    /// A function that jumps where the number is `at` more than a whole one.
    fn step(&self, x: &Float, f: fn(Float) -> Float, at: f64) -> Result<Float, Failed> {
        if x.is_finite() {
            let from_jump = Float::with_val(self.bits, x - at);
            let distance = Float::with_val(self.bits, &from_jump - from_jump.clone().round());
            self.must_be_clear(&distance, &(x.clone().abs() + 1))?;
        }
        Ok(f(x.clone()))
    }

    fn operation(&self, op: &str, [x, y, z]: &[Float; 3]) -> Result<Float, Failed> {
        let count = OPERATIONS.iter().find(|o| o.0 == op).map_or(1, |o| o.1);
        if [x, y, z][..count].iter().any(|a| a.is_nan()) {
            return Ok(self.number(f64::NAN));
        }
        let a = || x.clone();
        let exactly = |z| Ok(Float::with_val(self.bits, z));
        Ok(match op {
            "+" => Float::with_val(self.bits, x + y),
            "-" => Float::with_val(self.bits, x - y),
            "*" => Float::with_val(self.bits, x * y),
            "/" => Float::with_val(self.bits, x / y),
            "negate" => -a(),
            "fma" => Float::with_val(self.bits, x * y) + z,
            "fabs" => a().abs(),
            "fmin" => a().min(y),
            "fmax" => a().max(y),
            "fdim" => Float::with_val(self.bits, x - y).max(&self.number(0.0)),
            "copysign" => {
                self.must_be_clear(y, &self.number(1.0))?;
                a().abs() * if y.is_sign_negative() { -1 } else { 1 }
            }
            "fmod" => {
                self.step(&Float::with_val(self.bits, x / y), Float::trunc, 0.0)?;
                return exactly(x % y);
            }
            "floor" => return self.step(x, Float::floor, 0.0),
            "ceil" => return self.step(x, Float::ceil, 0.0),
            "trunc" => return self.step(x, Float::trunc, 0.0),
            "round" => return self.step(x, Float::round, 0.5),
            "rint" => return self.step(x, Float::round_even, 0.5),
            "pow" => Float::with_val(self.bits, x.pow(y)),
            "hypot" => a().hypot(y),
            "atan2" => a().atan2(y),
            _ => elementary(op, a()),
        })
    }
}

fn elementary(op: &str, x: Float) -> Float {
    match op {
        "sqrt" => x.sqrt(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => x.exp10(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "cbrt" => x.cbrt(),
        "erf" => x.erf(),
        "erfc" => x.erfc(),
        other => unreachable!("no operation {other}"),
    }
}

fn place(index: Index, frame: &Frame<'_>) -> usize {
    match index {
        Index::Constant(n) => n,
        Index::Counter(counter) => frame.counters[counter] & 3,
        Index::Integer(integer) => (frame.integers[integer] & 3) as usize,
    }
}
