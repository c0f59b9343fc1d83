//! Random programs that mostly stay where their functions are defined.

use super::program::*;
use crate::fuzz::random::Random;

/// Operations that every number has a result for, and that do not make large ones of small ones.
const TAME: &[&str] = &[
    "+", "-", "*", "+", "-", "*", "fma", "negate", "fabs", "fmin", "fmax", "floor", "trunc", "rint", "round", "ceil",
    "sin", "cos", "atan", "tanh", "asinh", "cbrt", "erf", "erfc", "hypot", "fdim",
];

struct Maker<'a> {
    random: &'a mut Random,
    formats: Vec<Format>,
    begin: Vec<f64>,
    parameters: usize,
    /// Loops around, by their turns, innermost last.
    loops: Vec<usize>,
    helpers: usize,
    /// What the program's own inputs are.
    owns: Vec<f64>,
    is_helper: bool,
    observed: usize,
}

pub fn program(random: &mut Random) -> Program {
    let helpers: Vec<Body> = (0..random.below(3))
        .map(|_| {
            let parameters = 1 + random.below(2);
            let formats = (0..parameters).map(|_| format(random)).collect();
            let mut maker = Maker::new(random, formats, 0, Vec::new());
            let length = 2 + maker.random.below(5);
            let mut statements = maker.block(length, 1);
            let last = maker.variable();
            statements.push(Statement::Return(last));
            maker.body(statements)
        })
        .collect();
    let inputs: Vec<Input> = (0..1 + random.below(3)).map(|_| input(random)).collect();
    let formats = inputs.iter().map(|i| i.format).collect();
    let owns = inputs.iter().map(|i| i.own).collect();
    let mut maker = Maker::new(random, formats, helpers.len(), owns);
    let mut statements = Vec::new();
    for _ in 0..2 + maker.random.below(4) {
        let length = 2 + maker.random.below(5);
        statements.extend(maker.block(length, 0));
        statements.push(maker.observe());
    }
    let main = maker.body(statements);
    Program { inputs, helpers, main }
}

fn format(random: &mut Random) -> Format {
    if random.chance(30) { Format::Float } else { Format::Double }
}

fn number(random: &mut Random) -> f64 {
    let size = 2f64.powi(random.range(-6, 6) as i32);
    let x = (random.unit() * 2.0 - 1.0) * size;
    // Short fractions make ties, where comparisons and roundings are at their worst.
    match random.below(3) {
        0 => x,
        1 => (x * 8.0).round() / 8.0,
        _ => f64::from(x as f32),
    }
}

fn input(random: &mut Random) -> Input {
    let format = format(random);
    let width = match random.below(4) {
        0 => 2f64.powi(-(random.range(10, 40) as i32)),
        1 => 0.0,
        _ => random.unit() * 2.0,
    };
    let own = format.rounded(number(random));
    let share = random.unit();
    let real = match random.below(3) {
        0 => [own, own + width],
        1 => [own - width, own],
        _ => [own - width * share, own + width * (1.0 - share)],
    };
    let size = own.abs().max(width) * 2f64.powi(-(random.range(4, 50) as i32));
    let error = match random.below(4) {
        0 => [0.0, 0.0],
        1 => [-size, size],
        2 => [-size * random.unit(), size],
        _ => [0.0, size],
    };
    Input { format, own, real, error }
}

impl<'a> Maker<'a> {
    fn new(random: &'a mut Random, mut formats: Vec<Format>, helpers: usize, owns: Vec<f64>) -> Maker<'a> {
        let parameters = formats.len();
        let more = 3 + random.below(4);
        formats.extend((0..more).map(|_| format(random)));
        let begin = formats.iter().map(|f| f.rounded(number(random))).collect();
        let is_helper = owns.is_empty();
        Maker { random, formats, begin, parameters, loops: Vec::new(), helpers, owns, is_helper, observed: 0 }
    }

    fn body(self, statements: Vec<Statement>) -> Body {
        let is_inlined = self.random.chance(50);
        let Maker { formats, begin, parameters, .. } = self;
        Body { formats, begin, parameters, statements, is_inlined }
    }

    fn variable(&mut self) -> Operand {
        Operand::Variable(self.random.below(self.formats.len()))
    }

    fn operand(&mut self) -> Operand {
        if self.random.chance(25) { Operand::Constant(number(self.random)) } else { self.variable() }
    }

    fn target(&mut self) -> usize {
        self.random.below(self.formats.len())
    }

    fn observe(&mut self) -> Statement {
        let id = self.observed;
        self.observed += 1;
        Statement::Observe { id, variable: self.target() }
    }

    fn block(&mut self, length: usize, depth: usize) -> Vec<Statement> {
        (0..length).flat_map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        let is_deep = depth >= 2;
        match self.random.below(20) {
            0..=1 if !is_deep => {
                let predicate = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "<", ">"]);
                let (x, y) = self.compared();
                let (long, short) = (1 + self.random.below(3), self.random.below(3));
                let mut then = self.block(long, depth + 1);
                let otherwise = self.block(short, depth + 1);
                if self.is_helper && self.random.chance(30) {
                    then.push(Statement::Return(self.operand()));
                }
                vec![Statement::If { x, predicate, y, then, otherwise }]
            }
            2 if !is_deep => {
                let (counter, turns) = (self.loops.len(), 2 + self.random.below(4));
                self.loops.push(turns);
                let length = 1 + self.random.below(4);
                let mut body = self.block(length, depth + 1);
                // What may follow a test that parted is not observed: which turn it belongs to would be open.
                if depth == 0 && !self.is_helper && self.random.chance(50) {
                    body.push(self.observe());
                }
                self.loops.pop();
                vec![Statement::Loop { counter, turns, body }]
            }
            3 => {
                let how = *self.random.pick(&[Whole::Truncate, Whole::Rint, Whole::Round]);
                let (from, limit) = (self.variable(), *self.random.pick(&[3.0, 8.0, 20.0]));
                let integer = self.random.below(INTEGERS);
                let mut all = vec![Statement::ToInteger { to: integer, from, how, limit }];
                if self.random.chance(60) {
                    all.push(Statement::FromInteger { to: self.target(), from: integer });
                }
                all
            }
            4..=5 => {
                let (array, index) = (self.random.below(ARRAYS), self.index());
                let from = self.operand();
                vec![Statement::Store { array, index, from }]
            }
            6..=7 => {
                let (array, index) = (self.random.below(ARRAYS), self.index());
                vec![Statement::Load { to: self.target(), array, index }]
            }
            8 if self.helpers > 0 => {
                let helper = self.random.below(self.helpers);
                let args = (0..2).map(|_| self.variable()).collect();
                vec![Statement::Call { to: self.target(), helper, args }]
            }
            9..=12 => self.guarded(),
            _ => {
                let op = *self.random.pick(TAME);
                let args = [self.variable(), self.operand(), self.operand()];
                vec![Statement::Set { to: self.target(), op, args }]
            }
        }
    }

    /// Half of the tests are of an input against its own value or near, so that inputs around it go other ways.
    fn compared(&mut self) -> (Operand, Operand) {
        if self.is_helper || self.random.chance(50) {
            return (self.variable(), self.operand());
        }
        let input = self.random.below(self.parameters);
        let near = match self.random.below(3) {
            0 => 0.0,
            1 => 2f64.powi(-12),
            _ => self.random.unit() - 0.5,
        };
        (Operand::Variable(input), Operand::Constant(self.owns[input] + near))
    }

    fn index(&mut self) -> Index {
        match self.random.below(3) {
            0 if !self.loops.is_empty() => Index::Counter(self.random.below(self.loops.len())),
            1 => Index::Integer(self.random.below(INTEGERS)),
            _ => Index::Constant(self.random.below(ARRAY)),
        }
    }

    /// An operation that not all numbers have a result for, on an argument that was made to fit; now and then on any.
    fn guarded(&mut self) -> Vec<Statement> {
        use Operand::Variable;
        let op = *self.random.pick(OPERATIONS);
        let (argument, to) = (self.target(), self.target());
        let set = |to, op, args| Statement::Set { to, op, args };
        let from = self.variable();
        let zero = Operand::Constant(0.0);
        let some = Operand::Constant([0.125, 0.5, 1.0, 2.0][self.random.below(4)]);
        let (x, more) = (Variable(argument), self.operand());
        let mut all = Vec::new();
        if self.random.chance(90) {
            match op.0 {
                "log" | "log2" | "log10" | "sqrt" | "pow" => {
                    let first = *self.random.pick(&["fabs", "*", "erfc"]);
                    all.push(set(argument, first, [from, from, zero]));
                    all.push(set(argument, "+", [x, some, zero]));
                }
                "/" | "fmod" | "atan2" => {
                    all.push(set(argument, *self.random.pick(&["fabs", "*"]), [from, from, zero]));
                    all.push(set(argument, "+", [x, some, zero]));
                    return [all, vec![set(to, op.0, [more, x, zero])]].concat();
                }
                "acosh" => {
                    all.push(set(argument, "fabs", [from, zero, zero]));
                    all.push(set(argument, "+", [x, Operand::Constant(1.125), zero]));
                }
                "asin" | "acos" | "atanh" | "log1p" | "tan" => {
                    all.push(set(argument, *self.random.pick(&["sin", "tanh", "erf"]), [from, zero, zero]));
                    all.push(set(argument, "*", [x, Operand::Constant(0.875), zero]));
                }
                "exp" | "exp2" | "exp10" | "expm1" | "sinh" | "cosh" => {
                    all.push(set(argument, *self.random.pick(&["atan", "asinh", "fdim"]), [from, some, zero]));
                    if self.random.chance(50) {
                        all.push(set(argument, "fmin", [x, Operand::Constant(6.0), zero]));
                        all.push(set(argument, "fmax", [x, Operand::Constant(-6.0), zero]));
                    }
                }
                _ => all.push(set(argument, op.0, [from, more, some])),
            }
        }
        all.push(set(to, op.0, [x, more, some]));
        all
    }
}
