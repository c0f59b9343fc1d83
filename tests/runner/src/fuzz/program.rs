//! Programs as data: what the generator makes, the emitter writes as C, C++ or Rust, the evaluator computes and the
//! shrinker cuts.

pub use super::format::{Format, Other};

/// A whole program. `main` calls each function that is a root once, in order.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    /// What the program reads at run time, out of the compiler's sight.
    pub doubles: Vec<f64>,
    pub floats: Vec<f32>,
    pub integers: Vec<i64>,
}

/// Inputs of each format. Variables start as one of them, arrays as all in turn.
pub const INPUTS: usize = 8;

#[derive(Clone, Debug)]
pub struct Function {
    pub result: Format,
    /// The first of them are the parameters.
    pub variables: Vec<Format>,
    pub parameters: usize,
    pub arrays: Vec<Array>,
    pub body: Vec<Statement>,
    pub value: Expression,
    pub inlining: Inlining,
    /// Called by `main` with these arguments; `None` for what only other functions call.
    pub root: Option<Root>,
}

#[derive(Clone, Debug)]
pub struct Root {
    pub arguments: Vec<Expression>,
    /// Where the result is observed: at the return, and where `main` stores it.
    pub returned: usize,
    pub stored: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inlining {
    Never,
    Free,
    Always,
}

#[derive(Clone, Debug)]
pub struct Array {
    pub format: Format,
    pub length: usize,
    /// In static storage instead of on the stack.
    pub is_static: bool,
}

/// Where a value is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Output,
    Store,
    Argument,
    Return,
}

#[derive(Clone, Debug)]
pub enum Statement {
    Set {
        variable: usize,
        value: Expression,
    },
    SetElement {
        array: usize,
        index: Index,
        value: Expression,
    },
    For {
        counter: usize,
        count: usize,
        body: Vec<Statement>,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Observe {
        id: usize,
        place: Place,
        value: Expression,
    },
    /// C text that is not evaluated: `$0` and so on are the operands, `$r` is the variable it sets.
    Wild {
        template: &'static str,
        variable: usize,
        operands: Vec<Expression>,
    },
}

/// An index that is always inside its array.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    Fixed(usize),
    /// A loop's counter plus a constant, modulo the array's length.
    Counter(usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// The counter modulo the first is the second.
    Counter(usize, usize, usize),
    /// An integer input is greater than the constant.
    Input(usize, i64),
}

#[derive(Clone, Debug)]
pub enum Integer {
    Counter(usize),
    Input(usize),
}

#[derive(Clone, Debug)]
pub enum Expression {
    Constant(f64, Format),
    Variable(usize),
    Element(usize, Index),
    Input(usize, Format),
    FromInteger(Integer, Format),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    Fma(Box<[Expression; 3]>),
    Convert(Format, Box<Expression>),
    Call(usize, Vec<Expression>),
    Choose(Condition, Box<Expression>, Box<Expression>),
}

macro_rules! operations {
    ($(#[$doc:meta])* $name:ident: $($variant:ident = $text:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($variant),* }
        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];
            /// The operator, or the C function of double.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

operations! {
    Unary:
    Negate = "-" Absolute = "fabs" Sqrt = "sqrt" Sin = "sin" Cos = "cos" Tan = "tan" Asin = "asin" Acos = "acos"
    Atan = "atan" Sinh = "sinh" Cosh = "cosh" Tanh = "tanh" Asinh = "asinh" Acosh = "acosh" Atanh = "atanh"
    Exp = "exp" Exp2 = "exp2" Expm1 = "expm1" Log = "log" Log2 = "log2" Log10 = "log10" Log1p = "log1p" Cbrt = "cbrt"
    Erf = "erf" Erfc = "erfc" Gamma = "tgamma" LogGamma = "lgamma" J0 = "j0" J1 = "j1" Y0 = "y0" Y1 = "y1"
}

operations! {
    Binary:
    Add = "+" Subtract = "-" Multiply = "*" Divide = "/" Power = "pow" Atan2 = "atan2" Hypot = "hypot"
}

impl Function {
    /// The format of an expression of this function.
    pub fn format(&self, program: &[Function], expression: &Expression) -> Format {
        match expression {
            Expression::Constant(_, format)
            | Expression::Input(_, format)
            | Expression::FromInteger(_, format)
            | Expression::Convert(format, _) => *format,
            Expression::Variable(v) => self.variables[*v],
            Expression::Element(array, _) => self.arrays[*array].format,
            Expression::Unary(_, x) | Expression::Binary(_, x, _) | Expression::Choose(_, x, _) => {
                self.format(program, x)
            }
            Expression::Fma(operands) => self.format(program, &operands[0]),
            Expression::Call(f, _) => program[*f].result,
        }
    }
}

impl Program {
    /// Whether it holds text that is not evaluated.
    pub fn is_wild(&self) -> bool {
        fn any(body: &[Statement]) -> bool {
            body.iter().any(|s| match s {
                Statement::Wild { .. } => true,
                Statement::For { body, .. } => any(body),
                Statement::If { then, otherwise, .. } => any(then) || any(otherwise),
                _ => false,
            })
        }
        self.functions.iter().any(|f| any(&f.body))
    }
}

impl Function {
    /// Whether all its roundings happen at run time.
    pub fn is_opaque(&self) -> bool {
        fn of(body: &[Statement]) -> bool {
            body.iter().all(|s| match s {
                Statement::Set { value, .. }
                | Statement::SetElement { value, .. }
                | Statement::Observe { value, .. } => !value.folds() && value.is_opaque(),
                Statement::For { body, .. } => of(body),
                Statement::If { then, otherwise, .. } => of(then) && of(otherwise),
                Statement::Wild { .. } => true,
            })
        }
        of(&self.body) && !self.value.folds() && self.value.is_opaque()
    }
}

impl Expression {
    /// What it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Unary(_, x) | Expression::Convert(_, x) => vec![x],
            Expression::Binary(_, x, y) | Expression::Choose(_, x, y) => vec![x, y],
            Expression::Fma(operands) => operands.iter().collect(),
            Expression::Call(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }

    pub fn parts_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Expression::Unary(_, x) | Expression::Convert(_, x) => vec![x],
            Expression::Binary(_, x, y) | Expression::Choose(_, x, y) => vec![x, y],
            Expression::Fma(operands) => operands.iter_mut().collect(),
            Expression::Call(_, arguments) => arguments.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the compiler can compute it, on some path: then its rounding errors happen where nobody sees them.
    pub fn folds(&self) -> bool {
        match self {
            Expression::Constant(..) | Expression::FromInteger(Integer::Counter(_), _) => true,
            Expression::Choose(_, x, y) => x.folds() || y.folds(),
            Expression::Call(..) => false,
            _ => !self.parts().is_empty() && self.parts().into_iter().all(Expression::folds),
        }
    }

    /// Whether no operation in it folds.
    pub fn is_opaque(&self) -> bool {
        let is_argument = matches!(self, Expression::Call(..));
        let parts = self.parts();
        (parts.is_empty() || !self.folds()) && parts.into_iter().all(|p| p.is_opaque() && !(is_argument && p.folds()))
    }

    fn each(&self, visit: &mut impl FnMut(&Expression)) {
        visit(self);
        self.parts().into_iter().for_each(|p| p.each(visit));
    }
}

/// Visits all expressions of a function, parts too.
pub fn each_expression(function: &Function, visit: &mut impl FnMut(&Expression)) {
    fn of(body: &[Statement], visit: &mut impl FnMut(&Expression)) {
        for statement in body {
            match statement {
                Statement::Set { value, .. }
                | Statement::SetElement { value, .. }
                | Statement::Observe { value, .. } => {
                    value.each(visit);
                }
                Statement::For { body, .. } => of(body, visit),
                Statement::If { then, otherwise, .. } => {
                    of(then, visit);
                    of(otherwise, visit);
                }
                Statement::Wild { operands, .. } => operands.iter().for_each(|o| o.each(visit)),
            }
        }
    }
    of(&function.body, visit);
    function.value.each(visit);
}
