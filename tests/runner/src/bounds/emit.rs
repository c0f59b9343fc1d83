//! A unit as C. Under Nonius it declares its inputs and asks for bounds; compiled as it is, it reads samples and writes
//! what it observed, with a hash of the ways that it took.

use super::program::*;
use std::fmt::Write;

const HEAD: &str = r#"#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <nonius.h>
/* The compiler does not know it: what it folds is a constant, and no operation any more. */
static inline double given(double x) { volatile double kept = x; return kept; }
#ifdef __NONIUS__
#define TAKE(way) (way)
#define OBSERVE(name, x) { __typeof__(x) name = (x); nonius_bounds(&name); }
#define INPUT(x, lo, hi, elo, ehi) nonius_input_error(&x, lo, hi, elo, ehi)
#else
static uint64_t trace;
static double seen[4096];
static int count;
static int take(int way) { trace = (trace ^ (uint64_t)(unsigned)way) * 0x9e3779b97f4a7c15u + 1; return way; }
#define TAKE(way) take(way)
#define OBSERVE(name, x) seen[count++] = (x);
#define INPUT(x, lo, hi, elo, ehi) (void)0
#endif
"#;

/// The whole unit: `program N` runs its Nth program.
pub fn unit(programs: &[Program]) -> String {
    let mut text = HEAD.to_owned();
    for (n, program) in programs.iter().enumerate() {
        for (h, helper) in program.helpers.iter().enumerate() {
            let attribute = if helper.is_inlined { "inline" } else { "__attribute__((noinline))" };
            let parameters: Vec<String> =
                (0..helper.parameters).map(|p| format!("{} v{p}", helper.formats[p].c())).collect();
            let _ = writeln!(text, "static {attribute} double helper_{n}_{h}({}) {{", parameters.join(", "));
            body(&mut text, program, n, helper);
            text.push_str("}\n");
        }
        let _ = writeln!(text, "static void program_{n}(const volatile double *in) {{");
        for (i, input) in program.inputs.iter().enumerate() {
            let [lo, hi] = input.real.map(hex);
            let [elo, ehi] = input.error.map(hex);
            let _ =
                writeln!(text, "    {} v{i} = in[{i}];\n    INPUT(v{i}, {lo}, {hi}, {elo}, {ehi});", input.format.c());
        }
        body(&mut text, program, n, &program.main);
        text.push_str("}\n");
    }
    main(&mut text, programs);
    text
}

fn main(text: &mut String, programs: &[Program]) {
    for (n, program) in programs.iter().enumerate() {
        let own: Vec<String> = program.inputs.iter().map(|i| hex(i.own)).collect();
        let _ = writeln!(text, "static volatile double own_{n}[] = {{{}}};", own.join(", "));
    }
    text.push_str("int main(int argc, char **argv) {\n    int which = argc > 1 ? atoi(argv[1]) : 0;\n");
    text.push_str("#ifdef __NONIUS__\n    switch (which) {\n");
    for n in 0..programs.len() {
        let _ = writeln!(text, "    case {n}: program_{n}(own_{n}); break;");
    }
    text.push_str("    }\n#else\n    double in[8];\n    switch (which) {\n");
    for (n, program) in programs.iter().enumerate() {
        let inputs = program.inputs.len();
        let _ = writeln!(
            text,
            "    case {n}:\n        while (fread(in, 8, {inputs}, stdin) == {inputs}) {{\n            \
             trace = count = 0;\n            program_{n}(in);\n            uint64_t head[2] = {{trace, count}};\n            \
             fwrite(head, 8, 2, stdout);\n            fwrite(seen, 8, count, stdout);\n        }}\n        \
             (void)own_{n};\n        break;"
        );
    }
    text.push_str("    }\n#endif\n    return 0;\n}\n");
}

fn body(text: &mut String, program: &Program, n: usize, body: &Body) {
    for v in body.parameters..body.formats.len() {
        let _ = writeln!(text, "    {} v{v} = given({});", body.formats[v].c(), hex(body.begin[v]));
    }
    for i in 0..INTEGERS {
        let _ = writeln!(text, "    int i{i} = (int)given({i});");
    }
    for a in 0..ARRAYS {
        let _ = writeln!(text, "    double a{a}[{ARRAY}] = {{given(0.5), given(-1.25), given(3), given(0.1)}};");
    }
    Emitter { text, program, n, body }.all(&body.statements, 1);
}

struct Emitter<'a> {
    text: &'a mut String,
    program: &'a Program,
    n: usize,
    body: &'a Body,
}

impl Emitter<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    /// As it stands in an operation of this format.
    fn operand(&self, operand: Operand, format: Format) -> String {
        match operand {
            Operand::Variable(v) if self.body.formats[v] == format => format!("v{v}"),
            Operand::Variable(v) => format!("({})v{v}", format.c()),
            Operand::Constant(x) => {
                let suffix = if format == Format::Float { "f" } else { "" };
                format!("{}{suffix}", hex(format.rounded(x)))
            }
        }
    }

    fn operation(&self, to: usize, op: &str, args: &[Operand; 3]) -> String {
        let format = self.body.formats[to];
        let [x, y, z] = args.map(|a| self.operand(a, format));
        let count = OPERATIONS.iter().find(|o| o.0 == op).map_or(1, |o| o.1);
        let suffix = if format == Format::Float { "f" } else { "" };
        match (op, count) {
            ("negate", _) => format!("-({x})"),
            ("+" | "-" | "*" | "/", _) => format!("{x} {op} {y}"),
            (_, 1) => format!("{op}{suffix}({x})"),
            (_, 2) => format!("{op}{suffix}({x}, {y})"),
            _ => format!("{op}{suffix}({x}, {y}, {z})"),
        }
    }

    fn all(&mut self, statements: &[Statement], depth: usize) {
        statements.iter().for_each(|s| self.statement(s, depth));
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        use Format::Double;
        match statement {
            Statement::Set { to, op, args } => {
                let value = self.operation(*to, op, args);
                self.line(depth, &format!("v{to} = {value};"));
            }
            Statement::If { x, predicate, y, then, otherwise } => {
                let (x, y) = (self.operand(*x, Double), self.operand(*y, Double));
                self.line(depth, &format!("if (TAKE({x} {predicate} {y})) {{"));
                self.all(then, depth + 1);
                self.line(depth, "} else {");
                self.all(otherwise, depth + 1);
                self.line(depth, "}");
            }
            Statement::Loop { counter, turns, body } => {
                self.line(depth, &format!("for (int k{counter} = 0; k{counter} < {turns}; k{counter}++) {{"));
                self.all(body, depth + 1);
                self.line(depth, "}");
            }
            Statement::ToInteger { to, from, how, limit } => {
                let from = self.operand(*from, Double);
                let cut = format!("fmin(fmax({from}, -{limit:?}), {limit:?})");
                let value = match how {
                    Whole::Truncate => format!("(int)({cut})"),
                    Whole::Rint => format!("(int)lrint({cut})"),
                    Whole::Round => format!("(int)lround({cut})"),
                };
                self.line(depth, &format!("i{to} = {value}; TAKE(i{to});"));
            }
            Statement::FromInteger { to, from } => self.line(depth, &format!("v{to} = i{from};")),
            Statement::Store { array, index, from } => {
                let (index, from) = (index_c(*index), self.operand(*from, Double));
                self.line(depth, &format!("a{array}[{index}] = {from};"));
            }
            Statement::Load { to, array, index } => {
                self.line(depth, &format!("v{to} = a{array}[{}];", index_c(*index)));
            }
            Statement::Call { to, helper, args } => {
                let formats = &self.program.helpers[*helper];
                let args: Vec<String> = (0..formats.parameters)
                    .map(|p| self.operand(args.get(p).copied().unwrap_or(Operand::Constant(1.0)), formats.formats[p]))
                    .collect();
                let n = self.n;
                self.line(depth, &format!("v{to} = helper_{n}_{helper}({});", args.join(", ")));
            }
            Statement::Return(x) => {
                let x = self.operand(*x, Double);
                self.line(depth, &format!("return {x};"));
            }
            Statement::Observe { id, variable } => self.line(depth, &format!("OBSERVE(o{id}, v{variable})")),
        }
    }
}

fn index_c(index: Index) -> String {
    match index {
        Index::Constant(n) => n.to_string(),
        Index::Counter(counter) => format!("k{counter} & 3"),
        Index::Integer(integer) => format!("i{integer} & 3"),
    }
}

/// Exactly, as C reads it.
pub fn hex(x: f64) -> String {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    match exponent {
        0 if fraction == 0 => format!("{sign}0x0p+0"),
        0 => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
    }
}
