//! Programs as C, C++ or Rust. Every observation stands on a line of its own, by which a finding names it.

mod c;
mod rust;

use super::program::{
    Array, Condition, Expression, Format, Function, INPUTS, Index, Inlining, Integer, Place, Program, Statement,
    each_expression,
};
use super::wild;
use crate::language::Language;
use c::C;
use rust::Rust;

/// A program's text, and on which line each observation stands.
#[derive(Debug)]
pub struct Source {
    pub text: String,
    /// By id: the line and the place; `None` if the program was cut and it is gone.
    pub lines: Vec<Option<(u32, Place)>>,
}

/// How a language writes it.
trait Syntax {
    /// What stands before the functions of a program with so many observations.
    fn head(&self, program: &Program, observations: usize) -> String;
    fn function(&self, index: usize, function: &Function, body: &mut Vec<String>);
    fn variable(&self, name: &str, format: Format, value: &str) -> String;
    /// The array, filled with the inputs.
    fn array(&self, name: &str, array: &Array) -> String;
    fn counted(&self, counter: &str, count: usize) -> String;
    fn observation(&self, id: usize, place: Place, format: Format) -> String;
    fn main(&self, is_wild: bool) -> &'static str;
    /// Calls a root and observes what it returns.
    fn root(&self, id: usize, format: Format, call: &str) -> String;
    fn end(&self) -> &'static str;
    /// Expressions; the parts are text already.
    fn constant(&self, value: f64, format: Format) -> String;
    fn input(&self, index: &str, format: Format) -> String;
    fn whole_input(&self, index: usize) -> String;
    fn of_integer(&self, format: Format, integer: &str) -> String;
    fn element(&self, array: &str, index: &str) -> String;
    fn call(&self, name: &str, format: Format, operands: &[String]) -> String;
    fn convert(&self, to: Format, from: Format, x: &str) -> String;
    fn choose(&self, condition: &str, x: &str, y: &str) -> String;
}

/// With `hidden`, constants too are read at run time: under fast-math the compiler computes with them, and what it
/// rounds, nobody sees.
pub fn emit(program: &Program, language: Language, hidden: bool) -> Source {
    let syntax: &dyn Syntax = match language {
        Language::Rust => &Rust,
        _ => &C { is_cpp: language == Language::Cpp, hidden },
    };
    let observations = program.functions.iter().map(last_id).max().unwrap_or(0) + 1;
    let mut emitter = Emitter { program, syntax, text: String::new(), lines: vec![None; observations] };
    emitter.text.push_str(&syntax.head(program, observations));
    if program.is_wild() {
        emitter.text.push_str(&wild::helpers(language));
    }
    for index in reached(program) {
        emitter.function(index);
    }
    emitter.main();
    Source { text: emitter.text, lines: emitter.lines }
}

fn last_id(function: &Function) -> usize {
    fn of(body: &[Statement]) -> usize {
        let ids = body.iter().map(|s| match s {
            Statement::Observe { id, .. } => *id,
            Statement::For { body, .. } => of(body),
            Statement::If { then, otherwise, .. } => of(then).max(of(otherwise)),
            _ => 0,
        });
        ids.max().unwrap_or(0)
    }
    function.root.as_ref().map_or(0, |r| r.returned.max(r.stored)).max(of(&function.body))
}

/// The functions that run, in order: cutting a program leaves some that nobody calls.
fn reached(program: &Program) -> Vec<usize> {
    let mut reached = vec![false; program.functions.len()];
    // Functions only call those before them.
    for (index, function) in program.functions.iter().enumerate().rev() {
        reached[index] |= function.root.is_some();
        if reached[index] {
            each_expression(function, &mut |e| {
                if let Expression::Call(callee, _) = e {
                    reached[*callee] = true;
                }
            });
        }
    }
    (0..reached.len()).filter(|&f| reached[f]).collect()
}

struct Emitter<'a> {
    program: &'a Program,
    syntax: &'a dyn Syntax,
    text: String,
    lines: Vec<Option<(u32, Place)>>,
}

impl Emitter<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A line that observes.
    fn observe(&mut self, id: usize, place: Place, text: &str) {
        let line = self.text.matches('\n').count() as u32 + 1;
        self.lines[id] = Some((line, place));
        self.line(text);
    }

    fn function(&mut self, index: usize) {
        let function = &self.program.functions[index];
        let mut head = Vec::new();
        self.syntax.function(index, function, &mut head);
        head.iter().for_each(|line| self.line(line));
        let used = Used::of(function);
        let variables = function.variables.iter().enumerate().skip(function.parameters);
        for (v, format) in variables.filter(|(v, _)| used.variables[*v]) {
            let value = self.syntax.input(&(v % INPUTS).to_string(), *format);
            self.line(&format!("  {}", self.syntax.variable(&format!("v{v}"), *format, &value)));
        }
        for (a, array) in function.arrays.iter().enumerate().filter(|(a, _)| used.arrays[*a]) {
            self.line(&format!("  {}", self.syntax.array(&format!("a{a}"), array)));
        }
        self.body(function, &function.body, 1);
        // The brace on the same line: some compilers place the return there.
        let text = format!("  return {}; }}", self.expression(function, &function.value));
        match &function.root {
            Some(root) => self.observe(root.returned, Place::Return, &text),
            None => self.line(&text),
        }
    }

    fn body(&mut self, function: &Function, body: &[Statement], depth: usize) {
        let indent = "  ".repeat(depth);
        for statement in body {
            match statement {
                Statement::Set { variable, value } => {
                    let value = self.expression(function, value);
                    self.line(&format!("{indent}v{variable} = {value};"));
                }
                Statement::SetElement { array, index, value } => {
                    let value = self.expression(function, value);
                    let index = index_text(*index, function.arrays[*array].length);
                    let element = self.syntax.element(&format!("a{array}"), &index);
                    self.line(&format!("{indent}{element} = {value};"));
                }
                Statement::For { counter, count, body } => {
                    self.line(&format!("{indent}{} {{", self.syntax.counted(&format!("i{counter}"), *count)));
                    self.body(function, body, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
                Statement::If { condition, then, otherwise } => {
                    self.line(&format!("{indent}if ({}) {{", self.condition(*condition)));
                    self.body(function, then, depth + 1);
                    self.line(&format!("{indent}}} else {{"));
                    self.body(function, otherwise, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
                Statement::Observe { id, place, value } => {
                    // On a line before, so that calls in the expression observe nothing on this one.
                    let format = function.format(&self.program.functions, value);
                    let value = self.expression(function, value);
                    self.line(&format!("{indent}{{ {}", self.syntax.variable("value", format, &value)));
                    let text = self.syntax.observation(*id, *place, format);
                    self.observe(*id, *place, &format!("{indent}  {text} }}"));
                }
                Statement::Wild { template, variable, operands } => {
                    let mut text = template.replace("$r", &format!("v{variable}"));
                    for (n, operand) in operands.iter().enumerate() {
                        text = text.replace(&format!("${n}"), &self.expression(function, operand));
                    }
                    self.line(&format!("{indent}{text}"));
                }
            }
        }
    }

    fn main(&mut self) {
        self.line(self.syntax.main(self.program.is_wild()));
        for (index, function) in self.program.functions.iter().enumerate() {
            let Some(root) = &function.root else { continue };
            let arguments: Vec<String> = root.arguments.iter().map(|a| self.expression(function, a)).collect();
            let call = format!("f{index}({})", arguments.join(", "));
            self.observe(root.stored, Place::Store, &self.syntax.root(root.stored, function.result, &call));
        }
        self.line(self.syntax.end());
    }

    fn expression(&self, function: &Function, expression: &Expression) -> String {
        let text = |e: &Expression| self.expression(function, e);
        let format_of = |e: &Expression| function.format(&self.program.functions, e);
        let format = format_of(expression);
        match expression {
            Expression::Constant(value, _) => self.syntax.constant(*value, format),
            Expression::Variable(v) => format!("v{v}"),
            Expression::Element(array, index) => {
                let index = index_text(*index, function.arrays[*array].length);
                self.syntax.element(&format!("a{array}"), &index)
            }
            Expression::Input(n, _) => self.syntax.input(&n.to_string(), format),
            Expression::FromInteger(Integer::Counter(c), _) => self.syntax.of_integer(format, &format!("i{c}")),
            Expression::FromInteger(Integer::Input(n), _) => {
                self.syntax.of_integer(format, &self.syntax.whole_input(*n))
            }
            Expression::Unary(op, x) => self.syntax.call(op.text(), format, &[text(x)]),
            Expression::Binary(op, x, y) => self.syntax.call(op.text(), format, &[text(x), text(y)]),
            Expression::Fma(operands) => {
                let [x, y, c] = &**operands;
                self.syntax.call("fma", format, &[text(x), text(y), text(c)])
            }
            Expression::Convert(to, x) => self.syntax.convert(*to, format_of(x), &text(x)),
            Expression::Call(f, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(text).collect();
                format!("f{f}({})", arguments.join(", "))
            }
            Expression::Choose(condition, x, y) => self.syntax.choose(&self.condition(*condition), &text(x), &text(y)),
        }
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::Counter(c, modulus, rest) => format!("i{c} % {modulus} == {rest}"),
            Condition::Input(n, limit) => format!("{} > {limit}", self.syntax.whole_input(n)),
        }
    }
}

/// What a function mentions.
struct Used {
    variables: Vec<bool>,
    arrays: Vec<bool>,
}

impl Used {
    fn of(function: &Function) -> Used {
        let mut used =
            Used { variables: vec![false; function.variables.len()], arrays: vec![false; function.arrays.len()] };
        used.set_by(&function.body);
        each_expression(function, &mut |e| match e {
            Expression::Variable(v) => used.variables[*v] = true,
            Expression::Element(a, _) => used.arrays[*a] = true,
            _ => {}
        });
        used
    }

    fn set_by(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Set { variable, .. } | Statement::Wild { variable, .. } => self.variables[*variable] = true,
                Statement::SetElement { array, .. } => self.arrays[*array] = true,
                Statement::For { body, .. } => self.set_by(body),
                Statement::If { then, otherwise, .. } => {
                    self.set_by(then);
                    self.set_by(otherwise);
                }
                Statement::Observe { .. } => {}
            }
        }
    }
}

fn index_text(index: Index, length: usize) -> String {
    match index {
        Index::Fixed(n) => n.to_string(),
        Index::Counter(c, offset) => format!("(i{c} + {offset}) % {length}"),
    }
}

/// The inputs, each as a constant of the language.
fn list<T>(values: &[T], text: impl Fn(&T) -> String) -> String {
    if values.is_empty() { "0".to_owned() } else { values.iter().map(text).collect::<Vec<_>>().join(", ") }
}

/// Parameters with their types, as the language writes one.
fn parameters(function: &Function, one: impl Fn(usize, Format) -> String) -> String {
    (0..function.parameters).map(|v| one(v, function.variables[v])).collect::<Vec<_>>().join(", ")
}

/// How a language asks for a function's inlining.
fn inlining(function: &Function, never: &'static str, always: &'static str) -> &'static str {
    match function.inlining {
        Inlining::Never => never,
        Inlining::Always => always,
        Inlining::Free => "",
    }
}
