//! Names of Rust's core library behind which floats become text.
//!
//! A float is formatted by `<f64 as Display>::fmt(&f64, &mut Formatter)`, precompiled in core. Code
//! reaches it in three ways: by a direct call; through a `core::fmt::rt::Argument`, a pair of
//! pointers to the value and to the formatter; and through a vtable of `dyn Display`.

use crate::Precision;

const FORMATTERS: &[&str] = &["Display", "Debug", "LowerExp", "UpperExp"];
const BUILDERS: &[&str] = &["new_display", "new_debug", "new_lower_exp", "new_upper_exp"];

/// The format that core's formatter of this name takes a pointer to.
pub fn float_formatter(name: &str) -> Option<Precision> {
    // <f64 as core::fmt::Display>::fmt, mangled by the v0 scheme or the legacy one.
    if let Some((_, rest)) = name.strip_prefix("_RNvX").and_then(|rest| rest.split_once("4core3fmt5float")) {
        let (precision, rest) = v0_float(rest)?;
        return FORMATTERS.iter().any(|f| rest.ends_with(&format!("{}{f}3fmt", f.len()))).then_some(precision);
    }
    let (_, rest) = name.strip_prefix("_ZN4core3fmt5float")?.split_once("core..fmt..")?;
    let (formatter, rest) = rest.split_once("$u20$for$u20$")?;
    let precision = match rest.split_once("$GT$3fmt17h")?.0 {
        "f64" => Precision::Double,
        "f32" => Precision::Float,
        _ => return None,
    };
    FORMATTERS.contains(&formatter).then_some(precision)
}

/// The format that `core::fmt::rt::Argument::new_display` and its like take a pointer to. They are
/// inlined but at level 0.
pub fn argument_builder(name: &str) -> Option<Precision> {
    let (_, rest) = name.strip_prefix("_RINv")?.split_once("4core3fmt2rt")?;
    let (_, rest) = rest.split_once("8Argument")?;
    let builder = BUILDERS.iter().find_map(|b| rest.strip_prefix(&format!("{}{b}", b.len())));
    let (precision, rest) = v0_float(builder?)?;
    rest.starts_with('E').then_some(precision)
}

/// The float type that a v0 name goes on with.
fn v0_float(rest: &str) -> Option<(Precision, &str)> {
    let precision = match rest.as_bytes().first()? {
        b'd' => Precision::Double,
        b'f' => Precision::Float,
        _ => return None,
    };
    Some((precision, &rest[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatters_are_known_by_both_manglings() {
        let cases = [
            ("_RNvXs7_NtNtCsgEmfK2I1SDS_4core3fmt5floatdNtB7_7Display3fmt", Some(Precision::Double)),
            ("_RNvXs2_NtNtCsgEmfK2I1SDS_4core3fmt5floatfNtB7_5Debug3fmt", Some(Precision::Float)),
            ("_RNvXs8_NtNtCsgEmfK2I1SDS_4core3fmt5floatdNtB7_8LowerExp3fmt", Some(Precision::Double)),
            (
                "_ZN4core3fmt5float52_$LT$impl$u20$core..fmt..Display$u20$for$u20$f64$GT$3fmt17h0123456789abcdefE",
                Some(Precision::Double),
            ),
            ("_RNvXs7_NtNtCsgEmfK2I1SDS_4core3fmt3numlNtB7_7Display3fmt", None),
            ("_RNvNtCs1_4core3fmt5write", None),
            ("printf", None),
        ];
        for (name, precision) in cases {
            assert_eq!(float_formatter(name), precision, "{name}");
        }
    }

    #[test]
    fn builders_of_arguments_are_known() {
        let name = "_RINvMNtNtCsgEmfK2I1SDS_4core3fmt2rtNtB3_8Argument11new_displaydECs1_1a";
        assert_eq!(argument_builder(name), Some(Precision::Double));
        assert_eq!(argument_builder(&name.replace("displayd", "displayl")), None);
        assert_eq!(
            argument_builder("_RINvMNtNtCs_4core3fmt2rtNtB3_8Argument9new_debugfECs1_1a"),
            Some(Precision::Float)
        );
    }
}
