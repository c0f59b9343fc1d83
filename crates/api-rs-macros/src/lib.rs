//! `#[nonius::ignore]`. Use it through the crate `nonius`.

#![forbid(unsafe_code)]

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
