//! Programs as C. Every observation stands on a line of its own, by which a finding names it.

use super::program::{
    Array, Binary, Condition, Expression, Format, Function, INPUTS, Index, Inlining, Integer, Place, Program,
    Statement, Unary, each_expression,
};
use std::fmt::Write;

/// A program's text, and on which line each observation stands.
#[derive(Debug)]
pub struct Source {
    pub text: String,
    /// By id: the line and the place; `None` if the program was cut and it is gone.
    pub lines: Vec<Option<(u32, Place)>>,
}

const HEAD: &str = "\
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

/// What observes. The dump goes through integers, so that it observes nothing itself; all NaNs look alike, for which of
/// two NaNs an operation hands on is the code generator's choice.
const OBSERVERS: &str = "\
static volatile double seen64[SEEN];
static volatile float seen32[SEEN];
static char seen[SEEN];
static __attribute__((noinline)) void keep64(int id, double value) { seen[id] = 1; seen64[id] = value; }
static __attribute__((noinline)) void keep32(int id, float value) { seen[id] = 2; seen32[id] = value; }
static void dump(void) {
  for (int id = 0; id < SEEN; id++) {
    if (seen[id] == 1) {
      double value = seen64[id];
      unsigned long long bits;
      memcpy(&bits, &value, sizeof bits);
      if ((bits & ~(1ull << 63)) > 0x7ffull << 52) bits = 0x7ff8ull << 48;
      printf(\"%d d%016llx\\n\", id, bits);
    } else if (seen[id] == 2) {
      float value = seen32[id];
      unsigned bits;
      memcpy(&bits, &value, sizeof bits);
      if ((bits & ~(1u << 31)) > 0xffu << 23) bits = 0x7fcu << 20;
      printf(\"%d f%08x\\n\", id, bits);
    }
  }
}
";

/// With `hidden`, constants too are read at run time: under fast-math the compiler computes with them, and what it
/// rounds, nobody sees.
pub fn emit(program: &Program, hidden: bool) -> Source {
    let observations = program.functions.iter().map(last_id).max().unwrap_or(0) + 1;
    let mut emitter = Emitter { program, hidden, text: HEAD.to_owned(), lines: vec![None; observations] };
    emitter.line(&format!("enum {{ SEEN = {observations} }};"));
    emitter.text.push_str(OBSERVERS);
    emitter.inputs();
    if program.is_wild() {
        emitter.text.push_str(super::wild::HELPERS);
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
    hidden: bool,
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

    fn inputs(&mut self) {
        let list = |texts: Vec<String>| if texts.is_empty() { "0".to_owned() } else { texts.join(", ") };
        let doubles = list(self.program.doubles.iter().map(|&x| constant(x, Format::Double)).collect());
        let floats = list(self.program.floats.iter().map(|&x| constant(f64::from(x), Format::Float)).collect());
        let integers = list(self.program.integers.iter().map(i64::to_string).collect());
        self.line(&format!("static volatile double in64[] = {{{doubles}}};"));
        self.line(&format!("static volatile float in32[] = {{{floats}}};"));
        self.line(&format!("static volatile int in[] = {{{integers}}};"));
        if self.hidden {
            self.line("static volatile int zero;");
            self.line("#define HIDDEN(type, c) ({ static volatile type hidden = c; hidden; })");
        }
    }

    fn function(&mut self, index: usize) {
        let function = &self.program.functions[index];
        let attribute = match function.inlining {
            Inlining::Never => "__attribute__((noinline)) ",
            Inlining::Always => "__attribute__((always_inline)) inline ",
            Inlining::Free => "",
        };
        let parameters: Vec<String> =
            (0..function.parameters).map(|v| format!("{} v{v}", c_type(function.variables[v]))).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        self.line(&format!("static {attribute}{} f{index}({parameters}) {{", c_type(function.result)));
        if self.hidden {
            self.line("  int nothing = zero;");
        }
        let used = Used::of(function);
        let variables = function.variables.iter().enumerate().skip(function.parameters);
        for (v, format) in variables.filter(|(v, _)| used.variables[*v]) {
            self.line(&format!("  {} v{v} = {};", c_type(*format), input_text(v % INPUTS, *format)));
        }
        let arrays = function.arrays.iter().enumerate().filter(|(a, _)| used.arrays[*a]);
        for (a, Array { format, length, is_static }) in arrays {
            let storage = if *is_static { "static " } else { "" };
            let fill = format!("for (int i = 0; i < {length}; i++) a{a}[i] = {};", input_text_at("i", *format));
            self.line(&format!("  {storage}{} a{a}[{length}]; {fill}", c_type(*format)));
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
                    self.line(&format!("{indent}a{array}[{index}] = {value};"));
                }
                Statement::For { counter: c, count, body } => {
                    self.line(&format!("{indent}for (int i{c} = 0; i{c} < {count}; i{c}++) {{"));
                    self.body(function, body, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
                Statement::If { condition, then, otherwise } => {
                    self.line(&format!("{indent}if ({}) {{", condition_text(*condition)));
                    self.body(function, then, depth + 1);
                    self.line(&format!("{indent}}} else {{"));
                    self.body(function, otherwise, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
                Statement::Observe { id, place, value } => {
                    // On a line before, so that calls in the expression observe nothing on this one.
                    let format = function.format(&self.program.functions, value);
                    let value = self.expression(function, value);
                    self.line(&format!("{indent}{{ {} value = {value};", c_type(format)));
                    self.observe(*id, *place, &format!("{indent}  {} }}", observation(*id, *place, format)));
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
        self.line("int main(void) {");
        for (index, function) in self.program.functions.iter().enumerate() {
            let Some(root) = &function.root else { continue };
            let arguments: Vec<String> = root.arguments.iter().map(|a| self.expression(function, a)).collect();
            let (bits, tag) = if function.result == Format::Double { (64, 1) } else { (32, 2) };
            let id = root.stored;
            let text = format!("  seen[{id}] = {tag}; seen{bits}[{id}] = f{index}({});", arguments.join(", "));
            self.observe(id, Place::Store, &text);
        }
        self.line("  dump();");
        self.line("  return 0;");
        self.line("}");
    }

    fn expression(&self, function: &Function, expression: &Expression) -> String {
        let text = |e: &Expression| self.expression(function, e);
        let suffix = match function.format(&self.program.functions, expression) {
            Format::Float => "f",
            Format::Double => "",
        };
        match expression {
            Expression::Constant(value, format) if self.hidden => {
                format!("HIDDEN({}, {})", c_type(*format), constant(*value, *format))
            }
            Expression::Constant(value, format) => constant(*value, *format),
            Expression::Variable(v) => format!("v{v}"),
            Expression::Element(array, index) => {
                format!("a{array}[{}]", index_text(*index, function.arrays[*array].length))
            }
            Expression::Input(n, format) => input_text(*n, *format),
            Expression::FromInteger(integer, format) => {
                let hidden = if self.hidden { " + nothing" } else { "" };
                format!("({})({}{hidden})", c_type(*format), integer_text(integer))
            }
            Expression::Unary(Unary::Negate, x) => format!("(-{})", text(x)),
            Expression::Unary(op, x) => format!("{}{suffix}({})", op.text(), text(x)),
            Expression::Binary(op, x, y) => match op {
                Binary::Power | Binary::Atan2 | Binary::Hypot => {
                    format!("{}{suffix}({}, {})", op.text(), text(x), text(y))
                }
                _ => format!("({} {} {})", text(x), op.text(), text(y)),
            },
            Expression::Fma(operands) => {
                let [x, y, c] = &**operands;
                format!("fma{suffix}({}, {}, {})", text(x), text(y), text(c))
            }
            Expression::Convert(format, x) => format!("({}){}", c_type(*format), text(x)),
            Expression::Call(f, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(text).collect();
                format!("f{f}({})", arguments.join(", "))
            }
            Expression::Choose(condition, x, y) => {
                format!("({} ? {} : {})", condition_text(*condition), text(x), text(y))
            }
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

fn observation(id: usize, place: Place, format: Format) -> String {
    let (bits, tag) = if format == Format::Double { (64, 1) } else { (32, 2) };
    match place {
        Place::Output => format!("printf(\"{id} %a\\n\", value);"),
        Place::Argument => format!("keep{bits}({id}, value);"),
        _ => format!("seen[{id}] = {tag}; seen{bits}[{id}] = value;"),
    }
}

fn c_type(format: Format) -> &'static str {
    match format {
        Format::Float => "float",
        Format::Double => "double",
    }
}

fn input_text(n: usize, format: Format) -> String {
    input_text_at(&n.to_string(), format)
}

fn input_text_at(index: &str, format: Format) -> String {
    let array = if format == Format::Double { "in64" } else { "in32" };
    if index.parse::<usize>().is_ok() { format!("{array}[{index}]") } else { format!("{array}[{index} % {INPUTS}]") }
}

fn integer_text(integer: &Integer) -> String {
    match integer {
        Integer::Counter(c) => format!("i{c}"),
        Integer::Input(n) => format!("in[{n}]"),
    }
}

fn index_text(index: Index, length: usize) -> String {
    match index {
        Index::Fixed(n) => n.to_string(),
        Index::Counter(c, offset) => format!("(i{c} + {offset}) % {length}"),
    }
}

fn condition_text(condition: Condition) -> String {
    match condition {
        Condition::Counter(c, modulus, rest) => format!("i{c} % {modulus} == {rest}"),
        Condition::Input(n, limit) => format!("in[{n}] > {limit}"),
    }
}

/// The number in hexadecimal, so that the compiler reads it exactly.
pub fn constant(value: f64, format: Format) -> String {
    let suffix = if format == Format::Float { "f" } else { "" };
    let mut text = String::new();
    let bits = value.to_bits();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    if value == 0.0 {
        let _ = write!(text, "({sign}0.0{suffix})");
    } else {
        let _ = write!(text, "({sign}0x1.{fraction:013x}p{exponent}{suffix})");
    }
    text
}
