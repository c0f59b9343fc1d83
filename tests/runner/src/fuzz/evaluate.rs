//! What a program computes, and what it would compute without rounding.
//!
//! Each value is evaluated twice: as the program does (IEEE arithmetic, the C library's functions), and with MPFR at a
//! given precision. Beside goes a bound on how far off Nonius's own shadow of it may be: a residue is a double, so it
//! has an error of its own, and the ideal of a float is kept as a double. Verdicts that hang on less than this bound are
//! nobody's fault.
//!
//! The program's own value is only an estimate where the compiler may fuse or rearrange.

use super::judge::MARGIN;
use super::math::{self, native_binary, native_unary};
use super::program::{
    Array, Binary, Condition, Expression, Format, Function, INPUTS, Index, Integer, Place, Program, Statement, Unary,
};
use rug::Float;
use rug::ops::CompleteRound;

/// A value, its ideal, and what is known of the ideal.
#[derive(Clone, Debug)]
pub struct Value {
    pub actual: f64,
    pub ideal: Float,
    /// How far off a shadow of the ideal may be.
    pub noise: f64,
    /// An ideal up to here cannot be told from 0, by the rule for sums and differences (`emit::radius` of the pass): where
    /// the value is 0, the verdict is open.
    pub zero: f64,
    /// Something on its way left the range in which shadows are promised to be right.
    pub excluded: bool,
    /// `actual` is what the program computes, bit for bit, if the compiler rearranges nothing.
    pub is_exact: bool,
}

/// What was observed under an id.
#[derive(Clone, Debug)]
pub struct Observed {
    pub place: Place,
    pub format: Format,
    pub value: Value,
}

/// Relative error of a shadow's own arithmetic, with room for a few operations.
const SHADOW: f64 = 1.0 / (1u64 << 51) as f64;
/// A float's residue in memory is a float.
const FLOAT_IN_MEMORY: f64 = 1.0 / (1u64 << 23) as f64;

/// Evaluates what `main` calls as function `index`, with `precision` bits; by id, what it observes.
pub fn evaluate(program: &Program, index: usize, precision: u32) -> Vec<(usize, Observed)> {
    let mut evaluator = Evaluator { program, precision, observed: Vec::new() };
    let function = &program.functions[index];
    if let Some(root) = &function.root {
        let empty = Frame { function, variables: Vec::new(), arrays: Vec::new(), counters: Vec::new() };
        let arguments = root.arguments.iter().map(|a| evaluator.expression(&empty, a)).collect();
        let value = evaluator.call(index, arguments);
        evaluator.observe(root.returned, Place::Return, function.result, value.clone());
        evaluator.observe(root.stored, Place::Store, function.result, value);
    }
    evaluator.observed
}

struct Evaluator<'a> {
    program: &'a Program,
    precision: u32,
    observed: Vec<(usize, Observed)>,
}

struct Frame<'a> {
    function: &'a Function,
    variables: Vec<Value>,
    arrays: Vec<Vec<Value>>,
    counters: Vec<usize>,
}

impl<'a> Evaluator<'a> {
    fn exact(&self, value: f64) -> Value {
        Value {
            actual: value,
            ideal: Float::with_val(self.precision, value),
            noise: 0.0,
            zero: 0.0,
            excluded: false,
            is_exact: true,
        }
    }

    fn input(&self, n: usize, format: Format) -> Value {
        match format {
            Format::Double | Format::Other(_) => self.exact(self.program.doubles[n]),
            Format::Float => self.exact(f64::from(self.program.floats[n])),
        }
    }

    fn observe(&mut self, id: usize, place: Place, format: Format, value: Value) {
        self.observed.push((id, Observed { place, format, value }));
    }

    fn call(&mut self, index: usize, arguments: Vec<Value>) -> Value {
        let function = &self.program.functions[index];
        let mut variables: Vec<Value> =
            arguments.into_iter().zip(&function.variables).map(|(v, &f)| through_memory(v, f)).collect();
        for (v, format) in function.variables.iter().enumerate().skip(function.parameters) {
            variables.push(self.input(v % INPUTS, *format));
        }
        let array = |a: &Array| (0..a.length).map(|i| self.input(i % INPUTS, a.format)).collect();
        let arrays = function.arrays.iter().map(array).collect();
        let mut frame = Frame { function, variables, arrays, counters: Vec::new() };
        self.body(&mut frame, &function.body);
        self.expression(&frame, &function.value)
    }

    fn body(&mut self, frame: &mut Frame<'a>, body: &'a [Statement]) {
        for statement in body {
            match statement {
                Statement::Set { variable, value } => {
                    let value = self.expression(frame, value);
                    frame.variables[*variable] = through_memory(value, frame.function.variables[*variable]);
                }
                Statement::SetElement { array, index, value } => {
                    let value = self.expression(frame, value);
                    let at = frame.index(*array, *index);
                    frame.arrays[*array][at] = through_memory(value, frame.function.arrays[*array].format);
                }
                Statement::For { counter, count, body } => {
                    if frame.counters.len() <= *counter {
                        frame.counters.resize(counter + 1, 0);
                    }
                    for i in 0..*count {
                        frame.counters[*counter] = i;
                        self.body(frame, body);
                    }
                }
                Statement::If { condition, then, otherwise } => {
                    let taken = if self.holds(frame, *condition) { then } else { otherwise };
                    self.body(frame, taken);
                }
                Statement::Observe { id, place, value } => {
                    let format = frame.function.format(&self.program.functions, value);
                    let value = self.expression(frame, value);
                    self.observe(*id, *place, format, value);
                }
                // Not evaluated: programs with these are only compared with themselves.
                Statement::Wild { .. } => {}
            }
        }
    }

    fn holds(&self, frame: &Frame, condition: Condition) -> bool {
        match condition {
            Condition::Counter(c, modulus, rest) => frame.counter(c) % modulus == rest,
            Condition::Input(n, limit) => self.program.integers[n] > limit,
        }
    }

    fn expression(&mut self, frame: &Frame<'a>, expression: &Expression) -> Value {
        let format = frame.function.format(&self.program.functions, expression);
        match expression {
            Expression::Constant(value, _) => self.exact(*value),
            Expression::Variable(v) => frame.variables[*v].clone(),
            Expression::Element(array, index) => frame.arrays[*array][frame.index(*array, *index)].clone(),
            Expression::Input(n, format) => self.input(*n, *format),
            Expression::FromInteger(Integer::Counter(c), _) => self.exact(frame.counter(*c) as f64),
            Expression::FromInteger(Integer::Input(n), _) => self.exact(self.program.integers[*n] as f64),
            Expression::Unary(op, x) => {
                let x = self.expression(frame, x);
                unary(*op, format, &x)
            }
            Expression::Binary(op, x, y) => {
                let (x, y) = (self.expression(frame, x), self.expression(frame, y));
                binary(*op, format, &x, &y)
            }
            Expression::Fma(operands) => {
                let [x, y, c] = &**operands;
                let [x, y, c] = [x, y, c].map(|e| self.expression(frame, e));
                fma(format, &x, &y, &c)
            }
            Expression::Convert(to, x) => {
                let x = self.expression(frame, x);
                convert(*to, x)
            }
            Expression::Call(f, arguments) => {
                let arguments = arguments.iter().map(|a| self.expression(frame, a)).collect();
                self.call(*f, arguments)
            }
            Expression::Choose(condition, x, y) => {
                let taken = if self.holds(frame, *condition) { x } else { y };
                self.expression(frame, taken)
            }
        }
    }
}

impl Frame<'_> {
    fn counter(&self, counter: usize) -> usize {
        self.counters.get(counter).copied().unwrap_or(0)
    }

    fn index(&self, array: usize, index: Index) -> usize {
        match index {
            Index::Fixed(n) => n,
            Index::Counter(c, offset) => (self.counter(c) + offset) % self.function.arrays[array].length,
        }
    }
}

impl Value {
    /// |ideal - actual|.
    pub fn error(&self) -> f64 {
        Float::with_val(self.ideal.prec(), &self.ideal - self.actual).to_f64().abs()
    }

    /// What the parts of a residue come to: they may have cancelled, and each is about an ulp of the value.
    fn parts_of_residue(&self) -> f64 {
        self.error().max(self.actual.abs() * f64::EPSILON)
    }

    /// Whether the value came out as 0, and its ideal is too small for a residue to be sure of.
    pub fn is_unresolved_zero(&self) -> bool {
        self.actual == 0.0 && self.zero > 0.0 && self.ideal.to_f64().abs() <= MARGIN * self.zero
    }

    fn size(&self) -> f64 {
        self.ideal.to_f64().abs().max(self.actual.abs())
    }
}

/// Rounds the result as its format does, and adds what the shadow's own arithmetic is off by: `terms` are what a residue
/// is summed from, besides the operation's own rounding.
fn result(format: Format, actual: f64, ideal: Float, noise: f64, terms: f64, operands: &[&Value]) -> Value {
    let size = ideal.to_f64().abs();
    let own = match format {
        Format::Double | Format::Other(_) => SHADOW * (terms + actual.abs() * f64::EPSILON),
        Format::Float => SHADOW * size,
    };
    let (least, most) = match format {
        Format::Double | Format::Other(_) => (-950, 1000),
        Format::Float => (-100, 126),
    };
    let in_range = |x: f64| x == 0.0 || (x.is_finite() && x.abs() > exp2(least) && x.abs() < exp2(most));
    let excluded = operands.iter().any(|o| o.excluded)
        || !in_range(actual)
        || !in_range(size)
        || !noise.is_finite()
        || !ideal.is_finite();
    let is_exact = operands.iter().all(|o| o.is_exact);
    Value { actual, ideal, noise: noise + own, zero: 0.0, excluded, is_exact }
}

fn exp2(n: i32) -> f64 {
    f64::from(n).exp2()
}

fn binary(op: Binary, format: Format, x: &Value, y: &Value) -> Value {
    let actual = native_binary(op, format, x.actual, y.actual);
    let ideal = math::binary(op, &x.ideal, &y.ideal);
    let (sx, sy) = (x.size(), y.size());
    let (noise, terms) = match op {
        Binary::Add | Binary::Subtract => (x.noise + y.noise, x.error() + y.error()),
        Binary::Multiply => (sy * x.noise + sx * y.noise, sy * x.error() + sx * y.error()),
        Binary::Divide => {
            let (z, d) = (ideal.to_f64().abs().max(actual.abs()), y.ideal.to_f64().abs().min(y.actual.abs()));
            ((x.noise + z * y.noise) / d, (x.error() + z * y.error()) / d)
        }
        Binary::Power | Binary::Atan2 | Binary::Hypot => {
            let moved_x = math::binary(op, &nudged(x), &y.ideal);
            let moved_y = math::binary(op, &x.ideal, &nudged(y));
            return function(format, actual, ideal, &[moved_x, moved_y], &[x, y]);
        }
    };
    let z = result(format, actual, ideal, noise, terms, &[x, y]);
    let zero = match (op, format) {
        (Binary::Add | Binary::Subtract, Format::Double | Format::Other(_)) => {
            let parts = x.parts_of_residue().max(y.parts_of_residue());
            (parts * exp2(-48)).max(sx.max(sy) * exp2(-90))
        }
        (Binary::Add | Binary::Subtract, Format::Float) => sx.max(sy) * exp2(-43),
        (Binary::Multiply, _) => sy * x.zero + sx * y.zero,
        _ => 0.0,
    };
    Value { zero, ..z }
}

fn unary(op: Unary, format: Format, x: &Value) -> Value {
    let actual = native_unary(op, format, x.actual);
    let ideal = math::unary(op, &x.ideal);
    match op {
        Unary::Negate | Unary::Absolute => Value { actual, ideal, ..x.clone() },
        Unary::Sqrt => {
            let root = ideal.to_f64().abs().min(actual.abs()).max(f64::MIN_POSITIVE);
            result(format, actual, ideal, x.noise / root, x.error() / root, &[x])
        }
        _ => {
            let moved = math::unary(op, &nudged(x));
            let z = function(format, actual, ideal, &[moved], &[x]);
            Value { is_exact: z.is_exact && math::is_bit_exact(op), ..z }
        }
    }
}

/// The ideal, moved by the noise.
fn nudged(x: &Value) -> Float {
    Float::with_val(x.ideal.prec(), &x.ideal + x.noise)
}

/// A function of the library: its noise is what the result moves by when an argument moves by its own.
fn function(format: Format, actual: f64, ideal: Float, moved: &[Float], operands: &[&Value]) -> Value {
    let shift = |m: &Float| Float::with_val(m.prec(), m - &ideal).to_f64().abs();
    let noise: f64 = moved.iter().map(shift).sum();
    let error = Float::with_val(ideal.prec(), &ideal - actual).to_f64().abs();
    let evaluator = actual.abs() * exp2(-70);
    // A zero that cannot be told from its ideal tells nothing of what a function makes of it.
    let unresolved = if operands.iter().any(|o| o.is_unresolved_zero()) { error } else { 0.0 };
    result(format, actual, ideal, noise + evaluator + unresolved, error, operands)
}

fn fma(format: Format, x: &Value, y: &Value, c: &Value) -> Value {
    let actual = match format {
        Format::Double | Format::Other(_) => x.actual.mul_add(y.actual, c.actual),
        Format::Float => f64::from((x.actual as f32).mul_add(y.actual as f32, c.actual as f32)),
    };
    let product = (&x.ideal * &y.ideal).complete(x.ideal.prec());
    let ideal = product + &c.ideal;
    let (sx, sy) = (x.size(), y.size());
    let noise = sy * x.noise + sx * y.noise + c.noise;
    let terms = sy * x.error() + sx * y.error() + c.error() + (sx * sy + c.size()) * f64::EPSILON;
    // The shadow of a float multiplies and adds in two roundings.
    let wide = if format == Format::Float { SHADOW * sx * sy } else { 0.0 };
    result(format, actual, ideal, noise + wide, terms, &[x, y, c])
}

fn convert(to: Format, x: Value) -> Value {
    let actual = match to {
        Format::Double | Format::Other(_) => x.actual,
        Format::Float => f64::from(x.actual as f32),
    };
    Value { zero: x.zero, ..result(to, actual, x.ideal.clone(), x.noise, x.error(), &[&x]) }
}

/// A variable or element may live in memory, where a float's residue has a float's precision.
fn through_memory(value: Value, format: Format) -> Value {
    match format {
        Format::Double | Format::Other(_) => value,
        Format::Float => {
            let noise = value.noise + value.error() * FLOAT_IN_MEMORY + exp2(-149);
            Value { noise, ..value }
        }
    }
}
