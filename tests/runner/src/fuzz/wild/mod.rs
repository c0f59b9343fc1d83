//! Pieces of programs beyond what the evaluator follows: other formats, vectors, structs, unions, variable arguments,
//! function pointers, jumps, threads, exceptions, library calls, control that hangs on floats. Their results are only
//! compared with the plain compiler's, bit for bit, and their findings between the engines.
//!
//! None may be undefined for any operand, or the comparison would mean nothing: conversions to integers are guarded,
//! shifts stay in range, types are punned through unions and `memcpy`. None may turn the sign or payload of a NaN into
//! a number: which of two NaNs an operation hands on is the code generator's choice.

mod c;
mod cpp;
mod rust;

use super::program::Format;
use super::random::Random;
use crate::language::Language;

/// A statement: `$0`, `$1`, `$2` are operands of the format, `$r` is a variable of it.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    pub format: Format,
    pub text: &'static str,
}

const fn double(text: &'static str) -> Template {
    Template { format: Format::Double, text }
}

const fn float(text: &'static str) -> Template {
    Template { format: Format::Float, text }
}

/// What the language's templates call.
pub fn helpers(language: Language) -> String {
    match language {
        Language::Rust => include_str!("helpers.rs.txt").to_owned(),
        Language::Cpp => concat!(include_str!("helpers.h"), include_str!("helpers.hpp")).to_owned(),
        _ => include_str!("helpers.h").to_owned(),
    }
}

pub fn pick(random: &mut Random, language: Language) -> Template {
    let lists: &[&[Template]] = match language {
        Language::Rust => &[rust::TEMPLATES],
        // C++'s own come up as often as the far more that it shares with C.
        Language::Cpp if random.chance(50) => &[cpp::TEMPLATES],
        Language::Cpp => &[c::SHARED],
        _ => &[c::SHARED, c::C_ONLY],
    };
    let at = random.below(lists.iter().map(|l| l.len()).sum());
    *lists.iter().copied().flatten().nth(at).expect("at is below their number")
}
