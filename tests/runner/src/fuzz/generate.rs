//! Random programs. Numbers stay of moderate size, and differences of what is nearly equal are common: that is where
//! verdicts are made.

use super::program::{
    Array, Binary, Condition, Expression, Format, Function, INPUTS, Index, Inlining, Integer, Other, Place, Program,
    Root, Statement, Unary,
};
use super::random::Random;
use super::wild;
use crate::language::Language;

/// How large a program is, and of what.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub roots: usize,
    pub helpers: usize,
    /// With text that is only compared with the plain compiler's, not judged.
    pub wild: bool,
    pub language: Language,
}

pub fn generate(seed: u64, shape: Shape) -> Program {
    let mut random = Random::new(seed);
    let mut inputs = || (0..INPUTS).map(|_| number(&mut random)).collect::<Vec<f64>>();
    let (doubles, floats) = (inputs(), inputs());
    let mut program = Program {
        functions: Vec::new(),
        doubles,
        floats: floats.into_iter().map(|x| x as f32).collect(),
        integers: (0..4).map(|_| random.range(0, 9)).collect(),
    };
    let mut ids = 0;
    for n in 0..shape.helpers + shape.roots {
        let is_root = n >= shape.helpers;
        let function = Generator::new(&mut random, &program, shape, is_root, &mut ids).function();
        program.functions.push(function);
    }
    program
}

/// A number as programs have them: whole, decimal, or any, and now and then large or small.
fn number(random: &mut Random) -> f64 {
    let size = match random.below(10) {
        0 => random.range(20, 50) as i32,
        1 => random.range(-50, -20) as i32,
        _ => random.range(-4, 6) as i32,
    };
    let x = match random.below(4) {
        0 => random.range(1, 20) as f64,
        1 => random.range(1, 99) as f64 / 10.0,
        _ => (1.0 + random.unit()) * f64::from(size).exp2(),
    };
    if random.chance(30) { -x } else { x }
}

/// Functions with more weight than one each.
const COMMON: &[Unary] = &[
    Unary::Sqrt,
    Unary::Sqrt,
    Unary::Absolute,
    Unary::Absolute,
    Unary::Negate,
    Unary::Sin,
    Unary::Cos,
    Unary::Exp,
    Unary::Log,
];

struct Generator<'a> {
    random: &'a mut Random,
    program: &'a Program,
    shape: Shape,
    is_root: bool,
    ids: &'a mut usize,
    function: Function,
    counters: usize,
    /// Loops around the current statement.
    open: Vec<usize>,
    /// Calls that may still be put in, so that programs do not grow without bound.
    calls: usize,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, program: &'a Program, shape: Shape, is_root: bool, ids: &'a mut usize) -> Self {
        let function = Function {
            result: Format::Double,
            variables: Vec::new(),
            parameters: 0,
            arrays: Vec::new(),
            body: Vec::new(),
            value: Expression::Constant(0.0, Format::Double),
            inlining: Inlining::Free,
            root: None,
        };
        Generator { random, program, shape, is_root, ids, function, counters: 0, open: Vec::new(), calls: 3 }
    }

    fn format(&mut self) -> Format {
        if self.shape.wild && self.shape.language != Language::Rust && self.random.chance(25) {
            return Format::Other(*self.random.pick(Other::ALL));
        }
        if self.random.chance(70) { Format::Double } else { Format::Float }
    }

    fn id(&mut self) -> usize {
        *self.ids += 1;
        *self.ids - 1
    }

    fn function(mut self) -> Function {
        self.function.result = self.format();
        self.function.parameters = self.random.below(4);
        for _ in 0..self.function.parameters + 3 + self.random.below(4) {
            let format = self.format();
            self.function.variables.push(format);
        }
        for _ in 0..self.random.below(3) {
            let array = Array {
                format: self.format(),
                length: 1 + self.random.below(12),
                is_static: self.is_root && self.random.chance(40),
            };
            self.function.arrays.push(array);
        }
        let statements = if self.is_root { 6 + self.random.below(8) } else { 2 + self.random.below(3) };
        self.function.body = self.body(statements, 0);
        self.function.value = self.value(self.function.result, 2);
        // The return of an inlined function is none.
        self.function.inlining = match self.random.below(4) {
            0 if !self.is_root => Inlining::Always,
            1 if !self.is_root => Inlining::Free,
            _ => Inlining::Never,
        };
        if self.is_root {
            let formats = self.function.variables[..self.function.parameters].to_vec();
            let arguments = formats.into_iter().map(|f| Expression::Input(self.random.below(INPUTS), f)).collect();
            self.function.root = Some(Root { arguments, returned: self.id(), stored: self.id() });
        }
        self.function
    }

    fn body(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.random.below(100) {
            0..=11 if depth < 2 => self.repetition(depth),
            12..=17 if depth < 2 => {
                let condition = self.condition();
                let (then, otherwise) = (1 + self.random.below(2), self.random.below(2));
                let (then, otherwise) = (self.body(then, depth + 1), self.body(otherwise, depth + 1));
                Statement::If { condition, then, otherwise }
            }
            18..=29 if !self.function.arrays.is_empty() => {
                let array = self.random.below(self.function.arrays.len());
                let index = self.index(array);
                let value = self.value(self.function.arrays[array].format, 3);
                Statement::SetElement { array, index, value }
            }
            30..=54 if self.is_root && self.open.is_empty() => {
                let place = *self.random.pick(&[Place::Output, Place::Output, Place::Store, Place::Argument]);
                let format = self.format();
                let value = if self.random.chance(40) { self.difference(format) } else { self.value(format, 2) };
                Statement::Observe { id: self.id(), place, value }
            }
            55..=74 if self.shape.wild => self.wild(),
            _ => {
                let variable = self.random.below(self.function.variables.len());
                let value = self.value(self.function.variables[variable], 4);
                Statement::Set { variable, value }
            }
        }
    }

    /// A loop that fills an array, sums one, or just repeats.
    fn repetition(&mut self, depth: usize) -> Statement {
        let counter = self.counters;
        self.counters += 1;
        let count = if depth == 0 { 1 + self.random.below(40) } else { 1 + self.random.below(5) };
        self.open.push(counter);
        let body = match (self.random.below(3), self.function.arrays.len()) {
            (0, 1..) => {
                let array = self.random.below(self.function.arrays.len());
                let value = self.value(self.function.arrays[array].format, 3);
                vec![Statement::SetElement { array, index: Index::Counter(counter, 0), value }]
            }
            (1, 1..) => vec![self.accumulation(counter)],
            _ => {
                let statements = 1 + self.random.below(3);
                self.body(statements, depth + 1)
            }
        };
        self.open.pop();
        Statement::For { counter, count, body }
    }

    /// `s = s + a[i] * ...`
    fn accumulation(&mut self, counter: usize) -> Statement {
        let array = self.random.below(self.function.arrays.len());
        let variable = self.random.below(self.function.variables.len());
        let format = self.function.variables[variable];
        let element = Expression::Element(array, Index::Counter(counter, self.random.below(3)));
        let mut term = self.convert(format, element);
        if self.random.chance(60) {
            term = Expression::Binary(Binary::Multiply, Box::new(term), Box::new(self.value(format, 1)));
        }
        let op = *self.random.pick(&[Binary::Add, Binary::Add, Binary::Subtract, Binary::Multiply]);
        let value = Expression::Binary(op, Box::new(Expression::Variable(variable)), Box::new(term));
        Statement::Set { variable, value }
    }

    fn wild(&mut self) -> Statement {
        let wild::Template { format, text: template } = wild::pick(self.random, self.shape.language);
        let mut candidates: Vec<usize> =
            (0..self.function.variables.len()).filter(|&v| self.function.variables[v] == format).collect();
        if candidates.is_empty() {
            self.function.variables.push(format);
            candidates.push(self.function.variables.len() - 1);
        }
        let variable = *self.random.pick(&candidates);
        let operands = (0..3).map(|_| self.expression(format, 1)).collect();
        Statement::Wild { template, variable, operands }
    }

    fn condition(&mut self) -> Condition {
        match self.open.last() {
            Some(&counter) if self.random.chance(70) => {
                let modulus = 2 + self.random.below(3);
                Condition::Counter(counter, modulus, self.random.below(modulus))
            }
            _ => Condition::Input(self.random.below(4), self.random.range(0, 9)),
        }
    }

    fn index(&mut self, array: usize) -> Index {
        let length = self.function.arrays[array].length;
        match self.open.last() {
            Some(&counter) if self.random.chance(70) => Index::Counter(counter, self.random.below(length)),
            _ => Index::Fixed(self.random.below(length)),
        }
    }

    fn convert(&self, format: Format, e: Expression) -> Expression {
        if self.function.format(&self.program.functions, &e) == format {
            e
        } else {
            Expression::Convert(format, Box::new(e))
        }
    }

    fn leaf(&mut self, format: Format) -> Expression {
        let e = match self.random.below(100) {
            0..=19 => {
                let x = number(self.random);
                Expression::Constant(if format == Format::Float { f64::from(x as f32) } else { x }, format)
            }
            20..=29 => Expression::Input(self.random.below(INPUTS), format),
            30..=39 if !self.function.arrays.is_empty() => {
                let array = self.random.below(self.function.arrays.len());
                let index = self.index(array);
                Expression::Element(array, index)
            }
            40..=47 if !self.open.is_empty() => {
                Expression::FromInteger(Integer::Counter(*self.random.pick(&self.open)), format)
            }
            48..=49 => Expression::FromInteger(Integer::Input(self.random.below(4)), format),
            _ => Expression::Variable(self.random.below(self.function.variables.len())),
        };
        self.convert(format, e)
    }

    /// An expression that is computed at run time.
    fn value(&mut self, format: Format, depth: usize) -> Expression {
        loop {
            let e = self.expression(format, depth);
            if !e.folds() && e.is_opaque() {
                return e;
            }
        }
    }

    /// A cancellation that is computed at run time.
    fn difference(&mut self, format: Format) -> Expression {
        loop {
            let e = self.cancellation(format);
            if !e.folds() && e.is_opaque() {
                return e;
            }
        }
    }

    fn expression(&mut self, format: Format, depth: usize) -> Expression {
        if depth == 0 || self.random.chance(10) {
            return self.leaf(format);
        }
        let pair =
            |g: &mut Self| (Box::new(g.expression(format, depth - 1)), Box::new(g.expression(format, depth - 1)));
        match self.random.below(100) {
            0..=44 => {
                let op = *self.random.pick(&[
                    Binary::Add,
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Multiply,
                    Binary::Divide,
                ]);
                let (x, y) = pair(self);
                Expression::Binary(op, x, y)
            }
            45..=59 => self.cancellation(format),
            60..=71 => {
                let op = if self.random.chance(60) { *self.random.pick(COMMON) } else { *self.random.pick(Unary::ALL) };
                self.unary(op, format, depth)
            }
            72..=74 => {
                let op = *self.random.pick(&[Binary::Power, Binary::Atan2, Binary::Hypot]);
                let (x, y) = pair(self);
                let x = if op == Binary::Power { Box::new(Expression::Unary(Unary::Absolute, x)) } else { x };
                Expression::Binary(op, x, y)
            }
            75..=79 => {
                let operands = [0; 3].map(|_| self.expression(format, depth - 1));
                Expression::Fma(Box::new(operands))
            }
            80..=85 => {
                let other = match format {
                    Format::Double => Format::Float,
                    Format::Float => Format::Double,
                    Format::Other(_) => self.format(),
                };
                let inner = self.expression(other, depth - 1);
                Expression::Convert(format, Box::new(inner))
            }
            86..=91 => self.call(format),
            92..=95 => {
                let condition = self.condition();
                let (x, y) = pair(self);
                Expression::Choose(condition, x, y)
            }
            _ => self.leaf(format),
        }
    }

    /// Functions get arguments from their domain, mostly.
    fn unary(&mut self, op: Unary, format: Format, depth: usize) -> Expression {
        let inner = Box::new(self.expression(format, depth - 1));
        let inner = match op {
            Unary::Sqrt | Unary::Log | Unary::Log2 | Unary::Log10 | Unary::Y0 | Unary::Y1 => {
                Box::new(Expression::Unary(Unary::Absolute, inner))
            }
            Unary::Asin | Unary::Acos | Unary::Atanh => Box::new(Expression::Unary(Unary::Sin, inner)),
            Unary::Acosh | Unary::Gamma | Unary::LogGamma => {
                let bounded = Expression::Unary(Unary::Cosh, Box::new(Expression::Unary(Unary::Sin, inner)));
                Box::new(bounded)
            }
            _ => inner,
        };
        Expression::Unary(op, inner)
    }

    /// Expressions that lose digits, or would if they were not so lucky.
    fn cancellation(&mut self, format: Format) -> Expression {
        let (x, y) = (self.leaf(format), self.leaf(format));
        let constant = |c: f64| Expression::Constant(c, format);
        let small = constant(f64::from(-(self.random.range(2, 45) as i32)).exp2());
        let binary =
            |op, a: &Expression, b: &Expression| Expression::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
        let unary = |op, a: &Expression| Expression::Unary(op, Box::new(a.clone()));
        use Binary::{Add, Divide, Multiply, Subtract};
        match self.random.below(9) {
            0 => binary(Subtract, &binary(Add, &x, &y), &x),
            1 => binary(Subtract, &binary(Multiply, &x, &x), &binary(Multiply, &y, &y)),
            2 => {
                let near = binary(Multiply, &x, &binary(Add, &constant(1.0), &small));
                binary(Subtract, &near, &x)
            }
            3 => {
                let root = |e: &Expression| unary(Unary::Sqrt, &unary(Unary::Absolute, e));
                binary(Subtract, &root(&binary(Add, &x, &small)), &root(&x))
            }
            4 => binary(Subtract, &constant(1.0), &unary(Unary::Cos, &binary(Multiply, &x, &small))),
            5 => binary(Subtract, &unary(Unary::Exp, &binary(Multiply, &y, &small)), &constant(1.0)),
            6 => {
                let left = binary(Add, &binary(Add, &x, &y), &small);
                binary(Subtract, &left, &binary(Add, &x, &binary(Add, &y, &small)))
            }
            7 => binary(Subtract, &x, &binary(Multiply, &binary(Divide, &x, &y), &y)),
            _ => {
                let square = |e: &Expression| binary(Multiply, e, e);
                binary(Subtract, &square(&binary(Add, &x, &small)), &square(&x))
            }
        }
    }

    fn call(&mut self, format: Format) -> Expression {
        let helpers = self.program.functions.iter().take_while(|f| f.root.is_none()).count();
        if helpers == 0 || self.calls == 0 {
            return self.leaf(format);
        }
        self.calls -= 1;
        let index = self.random.below(helpers);
        let callee = &self.program.functions[index];
        let formats = callee.variables[..callee.parameters].to_vec();
        let arguments = formats.into_iter().map(|f| self.value(f, 1)).collect();
        self.convert(format, Expression::Call(index, arguments))
    }
}
