//! A formula as a C program: one function for it, and one line of output for each input.
//!
//! Each result has a line of its own, so that a finding says by its line which result it means. The inputs are read
//! from volatile memory, so that nothing is folded. With a number as argument the program prints that result alone.

use crate::expression::{Body, Expression};
use crate::formula::Formula;
use crate::real::Real;
use std::fmt::Write;

/// Results a function of the program: compilers take more than linear time over long ones.
const CHUNK: usize = 50;

pub struct Source {
    pub text: String,
    /// The line of each result, from 1.
    pub lines: Vec<u32>,
}

impl Source {
    pub fn of(formula: &Formula, real: Real, inputs: &[Vec<f64>]) -> Source {
        let mut text = prologue(formula, real);
        table(&mut text, inputs, formula.variables.len(), real);
        let mut lines = Vec::new();
        let chunks = inputs.len().div_ceil(CHUNK);
        for chunk in 0..chunks {
            text += &format!("static void print{chunk}(void)\n{{\n");
            for index in (chunk * CHUNK)..inputs.len().min((chunk + 1) * CHUNK) {
                let arguments: Vec<String> =
                    (0..formula.variables.len()).map(|v| format!("in[{index}][{v}]")).collect();
                lines.push(text.lines().count() as u32 + 1);
                text += &format!("    OUT({index}, {});\n", arguments.join(", "));
            }
            text += "}\n\n";
        }
        text += "int main(int argc, char **argv)\n{\n    if (argc > 1)\n        only = atoi(argv[1]);\n";
        (0..chunks).for_each(|chunk| text += &format!("    print{chunk}();\n"));
        text += "    return 0;\n}\n";
        Source { text, lines }
    }
}

fn prologue(formula: &Formula, real: Real) -> String {
    let names: Vec<String> = formula.variables.iter().map(|v| format!("REAL {}", suffixed(&v.name))).collect();
    let mut text = format!("// {}: {}\n", formula.name, formula.text);
    text += "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n";
    text += &format!("typedef {} REAL;\n\n", real.name());
    text += &format!("static __attribute__((noinline)) REAL formula({})\n{{\n", names.join(", "));
    for (name, step) in &formula.body.steps {
        text += &format!("    const REAL {} = {};\n", suffixed(name), c(step, formula, real));
    }
    text += &format!("    return {};\n}}\n\n", c(&formula.body.result, formula, real));
    text += "static int only = -1;\n";
    text += "#define OUT(index, ...) if (only < 0 || only == index) printf(\"%d %a\\n\", index, ";
    text += "(double)formula(__VA_ARGS__))\n\n";
    text
}

fn table(text: &mut String, inputs: &[Vec<f64>], width: usize, real: Real) {
    *text += &format!("static volatile REAL in[][{width}] = {{\n");
    for input in inputs {
        let values: Vec<String> = input.iter().map(|x| real.constant(*x)).collect();
        *text += &format!("    {{{}}},\n", values.join(", "));
    }
    *text += "};\n\n";
}

/// Names of variables and steps, apart from those of C's library.
fn suffixed(name: &str) -> String {
    format!("{name}_")
}

fn c(expression: &Expression, formula: &Formula, real: Real) -> String {
    let mut text = String::new();
    write(&mut text, expression, formula, &formula.body, real);
    text
}

/// Every operation in parentheses, so that nothing hangs on precedence.
fn write(text: &mut String, expression: &Expression, formula: &Formula, body: &Body, real: Real) {
    match expression {
        Expression::Constant(value) => *text += &real.constant(real.round(*value)),
        Expression::Variable(index) => *text += &suffixed(&formula.variables[*index].name),
        Expression::Step(index) => *text += &suffixed(&body.steps[*index].0),
        Expression::Negate(inner) => {
            *text += "(-";
            write(text, inner, formula, body, real);
            text.push(')');
        }
        Expression::Binary(op, left, right) => {
            text.push('(');
            write(text, left, formula, body, real);
            let _ = write!(text, " {} ", op.symbol());
            write(text, right, formula, body, real);
            text.push(')');
        }
        Expression::Call(function, arguments) => {
            let _ = write!(text, "{}{}(", function.name, real.suffix());
            for (index, argument) in arguments.iter().enumerate() {
                *text += if index == 0 { "" } else { ", " };
                write(text, argument, formula, body, real);
            }
            text.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Kind, parse};

    #[test]
    fn a_formula_becomes_c() {
        let formula = parse(Kind::Formula, "f | x: 1 .. 2, y: 1 .. 2 | s = x/y; pow(s, 0.5) - -x*2").unwrap();
        let source = Source::of(&formula, Real::Float, &[vec![1.0, 2.0], vec![3.0, 4.0]]);
        assert!(source.text.contains("    const REAL s_ = (x_ / y_);\n"), "{}", source.text);
        let result = "    return (powf(s_, 0x1.0000000000000p-1f) - ((-x_) * 0x1.0000000000000p1f));\n";
        assert!(source.text.contains(result), "{}", source.text);
        let lines: Vec<&str> = source.text.lines().collect();
        assert_eq!(lines[source.lines[1] as usize - 1], "    OUT(1, in[1][0], in[1][1]);");
    }

    #[test]
    fn negative_constants_stand_in_parentheses_of_their_operation() {
        let formula = parse(Kind::Formula, "f | x: 1 .. 2 | x - -2").unwrap();
        let source = Source::of(&formula, Real::Double, &[vec![1.0]]);
        assert!(source.text.contains("return (x_ - -0x1.0000000000000p1);"), "{}", source.text);
    }
}
