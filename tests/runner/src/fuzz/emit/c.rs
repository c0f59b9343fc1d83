//! The syntax of C, and of the C++ that is much the same.

use super::super::format::{Other, Shape};
use super::super::program::{Array, Format, Function, INPUTS, Place, Program};
use super::{Syntax, inlining, list, parameters};

#[derive(Clone, Copy, Debug)]
pub struct C {
    pub is_cpp: bool,
    /// Constants are read at run time.
    pub hidden: bool,
}

const HEAD: &str = "\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef _Complex float complex_float;
typedef _Complex double complex_double;
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef double double4 __attribute__((ext_vector_type(4)));
";

/// What observes. The dump goes through integers, so that it observes nothing itself.
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
      printf(\"%d d%016llx\\n\", id, bits);
    } else if (seen[id] == 2) {
      float value = seen32[id];
      unsigned bits;
      memcpy(&bits, &value, sizeof bits);
      printf(\"%d f%08x\\n\", id, bits);
    }
  }
}
";

impl Syntax for C {
    fn head(&self, program: &Program, observations: usize) -> String {
        let complex = if self.is_cpp { "" } else { "#include <complex.h>\n" };
        let mut text = format!("{HEAD}{complex}enum {{ SEEN = {observations} }};\n{OBSERVERS}");
        let doubles = list(&program.doubles, |&x| number(x, Format::Double));
        let floats = list(&program.floats, |&x| number(f64::from(x), Format::Float));
        let integers = list(&program.integers, i64::to_string);
        text.push_str(&format!("static volatile double in64[] = {{{doubles}}};\n"));
        text.push_str(&format!("static volatile float in32[] = {{{floats}}};\n"));
        text.push_str(&format!("static volatile int in[] = {{{integers}}};\n"));
        if self.hidden {
            text.push_str("static volatile int zero;\n");
            text.push_str("#define HIDDEN(type, c) ({ static volatile type hidden = c; hidden; })\n");
        }
        text
    }

    fn function(&self, index: usize, function: &Function, body: &mut Vec<String>) {
        let attribute = inlining(function, "__attribute__((noinline)) ", "__attribute__((always_inline)) inline ");
        let parameters = parameters(function, |v, format| format!("{} v{v}", format.c_type()));
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters };
        body.push(format!("static {attribute}{} f{index}({parameters}) {{", function.result.c_type()));
        if self.hidden {
            body.push("  int nothing = zero;".to_owned());
        }
    }

    fn variable(&self, name: &str, format: Format, value: &str) -> String {
        format!("{} {name} = {value};", format.c_type())
    }

    fn array(&self, name: &str, Array { format, length, is_static }: &Array) -> String {
        let storage = if *is_static { "static " } else { "" };
        let input = self.input(&format!("i % {INPUTS}"), *format);
        let declared = format!("{storage}{} {name}[{length}];", format.c_type());
        format!("{declared} for (int i = 0; i < {length}; i++) {name}[i] = {input};")
    }

    fn counted(&self, counter: &str, count: usize) -> String {
        format!("for (int {counter} = 0; {counter} < {count}; {counter}++)")
    }

    fn observation(&self, id: usize, place: Place, format: Format) -> String {
        let (bits, tag) = if format == Format::Double { (64, 1) } else { (32, 2) };
        match (format, place) {
            (Format::Other(_), _) => show(id, format),
            (_, Place::Output) => format!("printf(\"{id} %a\\n\", value);"),
            (_, Place::Argument) => format!("keep{bits}({id}, value);"),
            _ => format!("seen[{id}] = {tag}; seen{bits}[{id}] = value;"),
        }
    }

    fn main(&self, _is_wild: bool) -> &'static str {
        "int main(void) {"
    }

    fn root(&self, id: usize, format: Format, call: &str) -> String {
        match format {
            Format::Double => format!("  seen[{id}] = 1; seen64[{id}] = {call};"),
            Format::Float => format!("  seen[{id}] = 2; seen32[{id}] = {call};"),
            Format::Other(_) => format!("  {{ {} value = {call}; {} }}", format.c_type(), show(id, format)),
        }
    }

    fn end(&self) -> &'static str {
        "  dump();\n  return 0;\n}"
    }

    fn constant(&self, value: f64, format: Format) -> String {
        let text = match format {
            Format::Float | Format::Double => number(value, format),
            _ => self.convert(format, Format::Double, &number(value, Format::Double)),
        };
        if self.hidden { format!("HIDDEN({}, {text})", format.c_type()) } else { text }
    }

    fn input(&self, index: &str, format: Format) -> String {
        match format {
            // A reference to a constant, as the containers take, does not bind to what is volatile.
            Format::Double if self.is_cpp => format!("double(in64[{index}])"),
            Format::Float if self.is_cpp => format!("float(in32[{index}])"),
            Format::Double => format!("in64[{index}]"),
            Format::Float => format!("in32[{index}]"),
            Format::Other(_) => {
                let element = if format.element() == Format::Float { Format::Float } else { Format::Double };
                self.convert(format, element, &self.input(index, element))
            }
        }
    }

    fn whole_input(&self, index: usize) -> String {
        format!("in[{index}]")
    }

    fn of_integer(&self, format: Format, integer: &str) -> String {
        let hidden = if self.hidden { " + nothing" } else { "" };
        let element = format.element();
        let scalar = format!("({})({integer}{hidden})", element.c_type());
        if element == format { scalar } else { self.convert(format, element, &scalar) }
    }

    fn element(&self, array: &str, index: &str) -> String {
        format!("{array}[{index}]")
    }

    fn call(&self, name: &str, format: Format, operands: &[String]) -> String {
        match (name, operands) {
            ("-", [x]) => return format!("(-{x})"),
            ("+" | "-" | "*" | "/", [x, y]) => return format!("({x} {name} {y})"),
            _ => {}
        }
        let list = operands.join(", ");
        match (format.shape(), format) {
            (Shape::Vector(_), _) => elementwise(name, operands),
            (Shape::Complex, _) => complex(name, format, operands),
            (_, Format::Double) => format!("{name}({list})"),
            (_, Format::Float) => format!("{name}f({list})"),
            (_, Format::Other(Other::Extended)) => format!("{name}l({list})"),
            _ => {
                let wide: Vec<String> = operands.iter().map(|x| format!("(float){x}")).collect();
                format!("({}){name}f({})", format.c_type(), wide.join(", "))
            }
        }
    }

    fn convert(&self, to: Format, from: Format, x: &str) -> String {
        // Between the two short formats there is no cast, and none from long double that every libgcc has.
        let through = match (from, to) {
            (Format::Other(Other::Half | Other::Extended), Format::Other(Other::Bfloat)) => "(float)",
            (Format::Other(Other::Bfloat), Format::Other(Other::Half)) => "(float)",
            _ => "",
        };
        let cast = |to: Format, x: &str| format!("({}){through}{x}", to.c_type());
        let scalar = match from.shape() {
            Shape::Scalar => x.to_owned(),
            Shape::Complex if to.shape() == Shape::Complex => return cast(to, x),
            Shape::Complex => format!("(__real__ {x})"),
            Shape::Vector(lanes) if to.shape() == Shape::Vector(lanes) => {
                return format!("__builtin_convertvector({x}, {})", to.c_type());
            }
            Shape::Vector(lanes) => format!("({x})[{}]", lanes - 1),
        };
        match to.shape() {
            Shape::Scalar => cast(to, &scalar),
            _ => format!("({})({})", to.c_type(), cast(to.element(), &scalar)),
        }
    }

    fn choose(&self, condition: &str, x: &str, y: &str) -> String {
        format!("({condition} ? {x} : {y})")
    }
}

/// A function of vectors: the few that there are, and sums of the operands for the others.
fn elementwise(name: &str, operands: &[String]) -> String {
    match (name, operands) {
        ("fabs", [x]) => format!("__builtin_elementwise_abs({x})"),
        ("sqrt" | "sin" | "cos" | "exp" | "log" | "tan" | "exp2" | "log2", [x]) => {
            format!("__builtin_elementwise_{name}({x})")
        }
        ("fma", [x, y, c]) => format!("__builtin_elementwise_fma({x}, {y}, {c})"),
        (_, [x, y]) => format!("__builtin_elementwise_max({x}, {y})"),
        (_, operands) => format!("__builtin_elementwise_floor({})", operands.join(" + ")),
    }
}

fn complex(name: &str, format: Format, operands: &[String]) -> String {
    let suffix = if format.element() == Format::Float { "f" } else { "" };
    match (name, operands) {
        ("fabs", [x]) => format!("({})__builtin_cabs{suffix}({x})", format.c_type()),
        ("sqrt" | "sin" | "cos" | "exp" | "log" | "sinh" | "atan", [x]) => format!("__builtin_c{name}{suffix}({x})"),
        ("fma", [x, y, c]) => format!("({x} * {y} + {c})"),
        (_, operands) => format!("__builtin_conj{suffix}({})", operands.join(" - ")),
    }
}

/// Prints each part of a value of another format than float and double.
fn show(id: usize, format: Format) -> String {
    let parts: Vec<String> = match format.shape() {
        Shape::Scalar => vec!["value".to_owned()],
        Shape::Complex => vec!["__real__ value".to_owned(), "__imag__ value".to_owned()],
        Shape::Vector(lanes) => (0..lanes).map(|lane| format!("value[{lane}]")).collect(),
    };
    let (text, ty) = match format {
        Format::Other(Other::Extended) => (" %La", "long double"),
        _ => (" %a", "double"),
    };
    let parts: Vec<String> = parts.into_iter().map(|p| format!("({ty}){p}")).collect();
    format!("printf(\"{id}:{}\\n\", {});", text.repeat(parts.len()), parts.join(", "))
}

/// The number in hexadecimal, so that the compiler reads it exactly.
fn number(value: f64, format: Format) -> String {
    let suffix = if format == Format::Float { "f" } else { "" };
    let bits = value.to_bits();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    if value == 0.0 {
        format!("({sign}0.0{suffix})")
    } else {
        format!("({sign}0x1.{fraction:013x}p{exponent}{suffix})")
    }
}
