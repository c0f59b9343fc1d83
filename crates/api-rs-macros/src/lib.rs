//! `#[nonius::ignore]` and what is behind `nonius::check!`. Use them through the crate `nonius`.

#![forbid(unsafe_code)]

use nonius_acsl::{Atom, Dialect, Parsed, Predicate, Term};
use proc_macro::TokenStream;

/// Set by Nonius's wrapper of rustc.
const WRAPPED: &str = "NONIUS_RUSTC";
/// The pass leaves functions of this section alone; Rust has no other mark that reaches LLVM.
const MARKS: &str = r#"#[inline(never)] #[unsafe(link_section = ".text.nonius_ignore")]"#;

/// Before a function: Nonius does not instrument it. Without Nonius it changes nothing.
#[proc_macro_attribute]
pub fn ignore(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if !arguments.is_empty() {
        return r##"compile_error!("#[nonius::ignore] takes no arguments");"##.parse().expect("valid tokens");
    }
    if std::env::var_os(WRAPPED).is_none() {
        return item;
    }
    let mut marked: TokenStream = MARKS.parse().expect("valid tokens");
    marked.extend(item);
    marked
}

/// Of a float: checks it here, as if it were printed. Of a predicate: asserts it over exact numbers, in the language of
/// `docs/assertions.md` without its backslashes, e.g. `check!(exact(sum) - sum < 1e-9 && n > 0)`.
#[proc_macro]
pub fn check(what: TokenStream) -> TokenStream {
    let text = what.to_string().replace("== >", "==>").replace("< ==>", "<==>");
    let made = match assertion(&text) {
        Ok(Some(parsed)) => asserted(&text, &parsed),
        Ok(None) => format!("{CRATE}::Float::check({what}, {CRATE}::__text!({what}))"),
        Err(message) => return error(&message),
    };
    made.parse().unwrap_or_else(|_| error("this is no expression of Rust"))
}

const CRATE: &str = "::nonius";

fn error(message: &str) -> TokenStream {
    format!("compile_error!({message:?})").parse().expect("valid tokens")
}

/// The predicate, if it is one: it compares.
fn assertion(text: &str) -> Result<Option<Parsed>, String> {
    let parsed = nonius_acsl::predicate(text, Dialect::Plain);
    let compares = text.replace("::<", "").replace(":: <", "").contains(['<', '>', '!']) || text.contains("==");
    match parsed {
        Ok(parsed) if parsed.end == text.len() => {
            let is_value = matches!(parsed.predicate, Predicate::Atom(0)) && !compares && is_place(&parsed);
            if is_value {
                return Ok(None);
            }
            match nonius_acsl::eager::refusal(&parsed) {
                Some(message) => Err(message),
                None => Ok(Some(parsed)),
            }
        }
        Ok(_) | Err(_) if !compares => Ok(None),
        Ok(parsed) => Err(format!("this assertion ends early, before '{}'", &text[parsed.end..])),
        Err(error) => {
            Err(format!("{} in the assertion, at '{}'", error.message, text.get(error.at.start..).unwrap_or_default()))
        }
    }
}

fn is_place(parsed: &Parsed) -> bool {
    matches!(parsed.atoms[..], [Atom::Compare(_, Term::Place(_), _)])
}

/// Captures all places, and hands them to the runtime. Without Nonius the places are named and not looked at.
fn asserted(text: &str, parsed: &Parsed) -> String {
    let places: Vec<&str> = parsed.places.iter().map(|p| p.text.as_str()).collect();
    if std::env::var_os(WRAPPED).is_none() {
        let named: String = places.iter().map(|p| format!("let _ = &{p};")).collect();
        return format!("if false {{ {named} }}");
    }
    let text = text.replace(['\\', '"'], "");
    let captured: String =
        places.iter().enumerate().map(|(n, p)| format!("{CRATE}::Capture::capture({p}, &mut values[{n}]);")).collect();
    format!(
        "{{ static SITE: {CRATE}::Site = {CRATE}::Site::new(\"check\\0\", \"{text}\\0\", ::core::concat!(::core::file!(), \"\\0\"), \
         ::core::line!(), ::core::column!()); \
         let mut values = [{CRATE}::Captured::NOTHING; {}]; {captured} SITE.check(&values); }}",
        places.len()
    )
}
