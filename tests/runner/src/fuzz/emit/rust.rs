//! The syntax of Rust. Mathematical functions are the C library's, by the same names.

use super::super::program::{Array, Binary, Format, Function, INPUTS, Place, Program, Unary};
use super::{Syntax, inlining, list, parameters};

#[derive(Clone, Copy, Debug)]
pub struct Rust;

/// What observes. The dump goes through integers, so that it observes nothing itself.
const OBSERVERS: &str = "\
static mut SEEN64: [f64; SEEN] = [0.0; SEEN];
static mut SEEN32: [f32; SEEN] = [0.0; SEEN];
static mut SEEN_AS: [u8; SEEN] = [0; SEEN];
#[inline(never)]
fn keep64(id: usize, value: f64) { unsafe { SEEN_AS[id] = 1; SEEN64[id] = value; } }
#[inline(never)]
fn keep32(id: usize, value: f32) { unsafe { SEEN_AS[id] = 2; SEEN32[id] = value; } }
fn dump() {
  for id in 0..SEEN {
    unsafe {
      if SEEN_AS[id] == 1 { println!(\"{id} d{:016x}\", SEEN64[id].to_bits()); }
      if SEEN_AS[id] == 2 { println!(\"{id} f{:08x}\", SEEN32[id].to_bits()); }
    }
  }
}
#[inline(never)]
fn in64(n: usize) -> f64 { std::hint::black_box(IN64[n]) }
#[inline(never)]
fn in32(n: usize) -> f32 { std::hint::black_box(IN32[n]) }
#[inline(never)]
fn whole(n: usize) -> i32 { std::hint::black_box(IN[n]) }
";

impl Syntax for Rust {
    fn head(&self, program: &Program, observations: usize) -> String {
        let mut text = format!("#![allow(warnings)]\nconst SEEN: usize = {observations};\n");
        let doubles = list(&program.doubles, |&x| number(x, Format::Double));
        let floats = list(&program.floats, |&x| number(f64::from(x), Format::Float));
        let integers = list(&program.integers, i64::to_string);
        text.push_str(&format!("static IN64: [f64; {}] = [{doubles}];\n", program.doubles.len().max(1)));
        text.push_str(&format!("static IN32: [f32; {}] = [{floats}];\n", program.floats.len().max(1)));
        text.push_str(&format!("static IN: [i32; {}] = [{integers}];\n", program.integers.len().max(1)));
        text.push_str(OBSERVERS);
        text.push_str(&library());
        text
    }

    fn function(&self, index: usize, function: &Function, body: &mut Vec<String>) {
        let attribute = inlining(function, "#[inline(never)] ", "#[inline(always)] ");
        let parameters = parameters(function, |v, format| format!("mut v{v}: {}", rust_type(format)));
        body.push(format!("{attribute}fn f{index}({parameters}) -> {} {{", rust_type(function.result)));
    }

    fn variable(&self, name: &str, format: Format, value: &str) -> String {
        format!("let mut {name}: {} = {value};", rust_type(format))
    }

    fn array(&self, name: &str, Array { format, length, is_static }: &Array) -> String {
        let (ty, input) = (rust_type(*format), self.input(&format!("i % {INPUTS}"), *format));
        let storage = if *is_static { "vec!" } else { "" };
        format!("let mut {name} = {storage}[0{ty}; {length}]; for i in 0..{length}usize {{ {name}[i] = {input}; }}")
    }

    fn counted(&self, counter: &str, count: usize) -> String {
        format!("for {counter} in 0..{count}i32")
    }

    fn observation(&self, id: usize, place: Place, format: Format) -> String {
        let (letter, bits, tag) = tags(format);
        match place {
            Place::Output => format!("println!(\"{id} {letter}{{:e}}\", value);"),
            Place::Argument => format!("keep{bits}({id}, value);"),
            _ => format!("unsafe {{ SEEN_AS[{id}] = {tag}; SEEN{bits}[{id}] = value; }}"),
        }
    }

    fn main(&self, is_wild: bool) -> &'static str {
        if is_wild { "fn main() {\n  quiet();" } else { "fn main() {" }
    }

    fn root(&self, id: usize, format: Format, call: &str) -> String {
        let (_, bits, tag) = tags(format);
        format!("  unsafe {{ SEEN_AS[{id}] = {tag}; SEEN{bits}[{id}] = {call}; }}")
    }

    fn end(&self) -> &'static str {
        "  dump();\n}"
    }

    fn constant(&self, value: f64, format: Format) -> String {
        number(value, format)
    }

    fn input(&self, index: &str, format: Format) -> String {
        let (_, bits, _) = tags(format);
        format!("in{bits}({index})")
    }

    fn whole_input(&self, index: usize) -> String {
        format!("whole({index})")
    }

    fn of_integer(&self, format: Format, integer: &str) -> String {
        format!("({integer} as {})", rust_type(format))
    }

    fn element(&self, array: &str, index: &str) -> String {
        format!("{array}[({index}) as usize]")
    }

    fn call(&self, name: &str, format: Format, operands: &[String]) -> String {
        let suffix = if format == Format::Float { "f" } else { "" };
        match (name, operands) {
            ("-", [x]) => format!("(-{x})"),
            ("+" | "-" | "*" | "/", [x, y]) => format!("({x} {name} {y})"),
            _ => format!("{name}{suffix}({})", operands.join(", ")),
        }
    }

    fn convert(&self, to: Format, _from: Format, x: &str) -> String {
        format!("({x} as {})", rust_type(to))
    }

    fn choose(&self, condition: &str, x: &str, y: &str) -> String {
        format!("(if {condition} {{ {x} }} else {{ {y} }})")
    }
}

fn rust_type(format: Format) -> &'static str {
    if format == Format::Float { "f32" } else { "f64" }
}

/// How an observation is marked: in output, in names, in the dump.
fn tags(format: Format) -> (char, usize, usize) {
    if format == Format::Float { ('F', 32, 2) } else { ('D', 64, 1) }
}

/// The shortest decimal that reads back to the same number.
fn number(value: f64, format: Format) -> String {
    if format == Format::Float { format!("({:e}f32)", value as f32) } else { format!("({value:e}f64)") }
}

/// Declarations of the mathematical functions.
fn library() -> String {
    let mut text = "unsafe extern \"C\" {\n".to_owned();
    let mut declare = |name: &str, operands: usize| {
        for (suffix, ty) in [("", "f64"), ("f", "f32")] {
            let parameters: Vec<String> = (0..operands).map(|n| format!("x{n}: {ty}")).collect();
            text.push_str(&format!("  safe fn {name}{suffix}({}) -> {ty};\n", parameters.join(", ")));
        }
    };
    let is_name = |name: &&str| name.len() > 1;
    Unary::ALL.iter().map(|op| op.text()).filter(is_name).for_each(|name| declare(name, 1));
    Binary::ALL.iter().map(|op| op.text()).filter(is_name).for_each(|name| declare(name, 2));
    declare("fma", 3);
    text.push_str("}\n");
    text
}
