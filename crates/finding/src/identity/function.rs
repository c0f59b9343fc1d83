//! Names of functions, without what an edit elsewhere or the optimizer changes in them.

/// Closures and lambdas are counted in order, and copies of a function get endings: `f::{closure#1}` and
/// `f::{closure#0}`, `g.llvm.123` and `g` are the same.
pub(super) fn normalised(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = without_ending(name).chars().peekable();
    while let Some(letter) = rest.next() {
        text.push(letter);
        let counts = letter == '#' || letter == '_' && text.ends_with("$_");
        while counts && rest.next_if(char::is_ascii_digit).is_some() {}
    }
    text
}

/// `name.llvm.42`, `name.constprop.0`, `name.7`: what compilers add when they copy or promote a function.
fn without_ending(name: &str) -> &str {
    const ENDINGS: [&str; 5] = [".llvm.", ".constprop.", ".isra.", ".part.", ".cold"];
    let cut = ENDINGS.iter().filter_map(|ending| name.find(ending)).min();
    let name = cut.map_or(name, |at| &name[..at]);
    match name.rsplit_once('.') {
        Some((before, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => before,
        _ => name,
    }
}

/// The word by which the source calls it: `sum` of `la::sum<double>(int, double*)` and of `la::sum::{closure#0}`.
pub(super) fn word(name: &str) -> &str {
    let name = without_ending(name);
    let before_closure = name.split_once("::{").map_or(name, |(before, _)| before);
    // Past arguments, of the function and of templates, from the last bracket that is not in others.
    let mut depth = 0usize;
    let mut end = before_closure.len();
    for (at, letter) in before_closure.char_indices().rev() {
        match letter {
            ')' | '>' => depth += 1,
            '(' | '<' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    end = at;
                }
            }
            _ if depth == 0 => break,
            _ => {}
        }
    }
    let own = before_closure[..end].trim_end_matches(':');
    let start = own.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
    own.get(start..).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_left_out() {
        for (name, expected) in [
            ("la::dot::{closure#12}::{closure#0}", "la::dot::{closure#}::{closure#}"),
            ("f(double)::$_3::operator()(double) const", "f(double)::$_::operator()(double) const"),
            ("solve.llvm.8172635", "solve"),
            ("solve.7", "solve"),
            ("gap_2", "gap_2"),
            ("größe", "größe"),
        ] {
            assert_eq!(normalised(name), expected);
        }
    }

    #[test]
    fn the_word_is_what_the_source_has() {
        for (name, expected) in [
            ("gap", "gap"),
            ("la::sum<double>(int, std::vector<double> const&)", "sum"),
            ("la::sum::{closure#0}", "sum"),
            ("<la::Matrix as core::ops::Mul>::mul", "mul"),
            ("la::sum::<f64>", "sum"),
            ("main.llvm.3", "main"),
            ("", ""),
            ("()", ""),
            (">>>", ""),
        ] {
            assert_eq!(word(name), expected, "{name}");
        }
    }
}
