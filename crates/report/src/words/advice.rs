//! What a finding means and what to do about it, in a line.

use nonius_finding::{Finding, Kind};

/// A line of advice for the kind and the operation.
pub(crate) fn advice(f: &Finding) -> &'static str {
    match f.kind {
        Kind::PrecisionLoss | Kind::Stage => loss(&f.operation),
        Kind::BranchFlip if is(&f.operation, &["fmin", "fmax", "copysign", "signbit"]) => {
            "the error of an operand decides which value goes on: compute it more accurately, or decide by something else"
        }
        Kind::BranchFlip => {
            "the two sides differ by less than their errors: compare with a tolerance, or compute them more accurately"
        }
        Kind::CastFlip if is(&f.operation, &["remainder"]) => {
            "the dividend lies where the quotient jumps: count whole periods apart, in integers, or compute it more accurately"
        }
        Kind::CastFlip if !f.operation.starts_with("conversion") => {
            "the number lies where the function jumps: add a tolerance before, or compute it more accurately"
        }
        Kind::CastFlip => {
            "the number lies where the conversion jumps: round to nearest before converting, or compute it more accurately"
        }
        Kind::Nan => nan(&f.operation),
        Kind::Inf => inf(&f.operation),
        Kind::Assertion if f.worst.value == 0.0 => "look at the values, and at where they come from",
        Kind::Assertion => {
            "the oracle does not know enough: 'nonius run --oracle=auto' has more digits, narrower inputs narrower bounds"
        }
        Kind::UnstableBranch => {
            "near the value where it flips, make both ways give the same, or test with a tolerance that the input's error asks for"
        }
        Kind::LoadMismatch => {
            "code that was not instrumented wrote here, and its errors are unknown: build that code with Nonius too"
        }
    }
}

/// Operations are named in words, and functions by their C names with `f` or `l` at the end.
fn is(operation: &str, names: &[&str]) -> bool {
    let word = operation.rsplit(' ').next().unwrap_or_default();
    names.iter().any(|name| {
        operation == *name || word.strip_prefix(name).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"))
    })
}

fn loss(operation: &str) -> &'static str {
    if is(operation, &["subtraction"]) {
        "nearly equal operands cancel: avoid the difference, e.g. sqrt(x+1) - sqrt(x) = 1 / (sqrt(x+1) + sqrt(x))"
    } else if is(operation, &["addition", "reduction"]) {
        "if the terms cancel, avoid the difference; if there are many, use compensated (Kahan) or pairwise summation"
    } else if is(operation, &["fused multiply-add", "fma"]) {
        "the product and the addend cancel, or came in wrong: avoid the difference, or compute them more accurately"
    } else if is(operation, &["multiplication", "division", "square root", "sqrt", "cbrt"]) {
        "this adds next to no error of its own unless it underflows: its operands came in wrong, look there"
    } else if is(operation, &["sin", "cos", "tan", "sincos"]) {
        "a large angle has few correct digits within one turn: reduce it, or count whole turns apart, while it is exact"
    } else if is(operation, &["log", "log2", "log10"]) {
        "near 1 a logarithm shows the error of its argument: use log1p, with the small part computed directly"
    } else if is(operation, &["exp", "exp2", "pow"]) {
        "the exponent's absolute error is the result's relative error: keep exponents small or exact"
    } else if is(operation, &["acos", "asin", "acosh", "atanh"]) {
        "near the end of its domain this function magnifies errors: use atan2, or a formula for the small difference"
    } else if is(operation, &["conversion", "truncation"]) {
        "the narrower format cannot hold the digits: stay in the wider one until the end"
    } else {
        "the operands came in wrong, or the operation magnifies their errors: look at where they are computed"
    }
}

fn nan(operation: &str) -> &'static str {
    if is(operation, &["division"]) {
        "0/0 or inf/inf: test the divisor before dividing"
    } else if is(operation, &["subtraction", "addition"]) {
        "inf - inf: look at where the infinities come from"
    } else if is(operation, &["multiplication", "fused multiply-add", "fma"]) {
        "0 * inf, or inf - inf: look at where the infinity comes from"
    } else if is(operation, &["square root", "sqrt"]) {
        "the square root of a negative number; if that is rounding error, take max(x, 0) first"
    } else if is(operation, &["log", "log2", "log10", "log1p"]) {
        "the logarithm of a negative number: test the argument first"
    } else if is(operation, &["acos", "asin", "atanh"]) {
        "the argument is outside [-1, 1]; if that is rounding error, clamp it first"
    } else if is(operation, &["pow"]) {
        "a negative base with an exponent that is not an integer: test the base first"
    } else if is(operation, &["fmod", "remainder"]) {
        "the divisor is 0 or the dividend infinite: test them first"
    } else {
        "the operands are outside the operation's domain: test them first"
    }
}

fn inf(operation: &str) -> &'static str {
    if is(operation, &["division"]) {
        "the divisor is 0 or far too small: test it before dividing"
    } else if is(operation, &["log", "log2", "log10", "log1p"]) {
        "the logarithm of 0: test the argument first, or add up logarithms of what cannot be 0"
    } else if is(operation, &["exp", "exp2", "expm1", "pow", "sinh", "cosh", "tgamma"]) {
        "the result is too large for its format: work with logarithms, or shift the exponent (log-sum-exp)"
    } else if is(operation, &["conversion", "truncation"]) {
        "the value is too large for the narrower format: stay in the wider one, or scale it"
    } else {
        "the result is too large for its format: scale the operands, e.g. hypot(x, y) for sqrt(x*x + y*y)"
    }
}
