//! What is known of a place that an assertion speaks of, and how it is captured.

use crate::hooks::asked;
use crate::say::KeepErrno;
use crate::{machine_request, thread};
use nonius_acsl::eval::Known;
use nonius_acsl::value::Value;
use nonius_finding::Precision;
use std::ffi::c_void;

/// Nothing that a stack is likely to hold.
const FRESH: u64 = 0x6e6f_6e69_7573_2d61;

/// As the header declares it, in words.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Captured {
    tag: u64,
    low: u64,
    high: i64,
    pub value: f64,
    /// What a long double has beyond that.
    tail: f64,
    residue: f64,
    radius: f64,
    /// What is known beside the value.
    known: u64,
    /// Value, real, error and relative error: from, to.
    bounds: [[f64; 2]; 4],
    pub address: u64,
    pub format: u64,
    /// Whether an instrumented function has just filled it in, with the value's residue.
    is_fresh: u64,
    spare: [u64; 5],
}
const _: () = assert!(size_of::<Captured>() == 24 * 8);

const INTEGER: u64 = 1;
const FLOAT: u64 = 2;
const NOTHING: u64 = 0;
const RESIDUE: u64 = 1;
const DOMAIN: u64 = 2;

impl Captured {
    fn float(value: f64, format: Precision) -> Captured {
        Captured { tag: FLOAT, value, format: format as u64, ..Captured::default() }
    }

    fn with_residue(self, residue: f64, radius: f64) -> Captured {
        // A residue is rounded to a double.
        let radius = radius + if residue == 0.0 { 0.0 } else { residue.abs() * f64::EPSILON };
        let known = if residue.is_finite() { RESIDUE } else { NOTHING };
        Captured { residue, radius, known, ..self }
    }

    pub fn known(&self) -> Known {
        if self.tag == INTEGER {
            return Known::integer(i128::from(self.high) << 64 | i128::from(self.low));
        }
        let value = Value::around(self.value, self.tail, 0.0);
        match self.known {
            RESIDUE if matches!(value, Value::Range(_)) => {
                Known::with_residue(value, Value::around(self.residue, 0.0, self.radius))
            }
            DOMAIN => {
                let [value, real, error, relative_error] = self.bounds.map(|[lo, hi]| Value::between(lo, hi));
                Known { value, real, error, relative_error }
            }
            _ => Known { value, ..Known::float(0.0) },
        }
    }
}

/// The value of a place, with its residue.
///
/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_request_capture(
    table: *mut c_void,
    site: u32,
    value: f64,
    residue: f64,
    into: *mut c_void,
) {
    let _errno = KeepErrno::new();
    let captured = match asked::asked(table, site, value, residue) {
        Some((format, seen, _)) => Captured::float(value, format).with_residue(seen.residue, seen.radius),
        None => Captured::float(value, Precision::Double),
    };
    // SAFETY: as this function demands.
    unsafe { into.cast::<Captured>().write_unaligned(Captured { is_fresh: FRESH, ..captured }) };
}

/// Behind an instrumented function's own capture comes the plain call, which leaves that as it is; elsewhere a machine may
/// know more than the value.
///
/// # Safety
/// `into` points to a [`Captured`].
unsafe fn capture(into: *mut Captured, value: Option<f64>, format: Precision) {
    // SAFETY: as this function demands.
    let captured = unsafe { &mut *into };
    let is_same = value.is_none_or(|value| value.to_bits() == captured.value.to_bits());
    if std::mem::take(&mut captured.is_fresh) != FRESH || !is_same || captured.tag != FLOAT {
        *captured = by_machine(value.unwrap_or(0.0), format);
    }
}

/// What a machine knows of the value that was just captured.
fn by_machine(value: f64, format: Precision) -> Captured {
    let _errno = KeepErrno::new();
    let captured = Captured::float(value, format);
    let Some(number) = thread::locals().map(|locals| locals.number) else { return captured };
    let domain = machine_request::tell_machine(|machine| machine.captured(number)).flatten();
    if let Some(b) = domain {
        let ranges = [b.value, b.real, b.error, b.relative_error];
        return Captured { known: DOMAIN, bounds: ranges.map(|r| [r.lo, r.hi]), ..captured };
    }
    match machine_request::sight() {
        Some(sight) => captured.with_residue(sight.residue, sight.radius),
        None => captured,
    }
}

/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_capture_f(value: f32, into: *mut c_void) {
    // SAFETY: as this function demands.
    unsafe { capture(into.cast(), Some(value.into()), Precision::Float) };
}

/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_capture_d(value: f64, into: *mut c_void) {
    // SAFETY: as this function demands.
    unsafe { capture(into.cast(), Some(value), Precision::Double) };
}

/// The long double itself is on the stack, and comes by `__nonius_api_acsl_long_double`.
///
/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_capture_l(into: *mut c_void) {
    // SAFETY: as this function demands.
    unsafe { capture(into.cast(), None, Precision::X87) };
}

/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_integer(into: *mut Captured, low: u64, high: i64) {
    // SAFETY: as this function demands.
    unsafe { into.write_unaligned(Captured { tag: INTEGER, low, high, ..Captured::default() }) };
}

/// The value of a long double, as two doubles.
///
/// # Safety
/// `into` points to a [`Captured`], `bytes` to a long double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_long_double(into: *mut Captured, bytes: *const c_void) {
    // SAFETY: as this function demands.
    let (mantissa, sign_and_exponent) =
        unsafe { (bytes.cast::<u64>().read_unaligned(), bytes.byte_add(8).cast::<u16>().read_unaligned()) };
    // SAFETY: as this function demands.
    let captured = unsafe { &mut *into };
    (captured.value, captured.tail) = split_long_double(mantissa, sign_and_exponent);
}

/// A number of 64 digits as a double and the rest of it; beyond a double's range, an infinity or what is nearest.
fn split_long_double(mantissa: u64, sign_and_exponent: u16) -> (f64, f64) {
    let sign = if sign_and_exponent >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(sign_and_exponent & 0x7fff);
    if exponent == 0x7fff {
        return if mantissa << 1 == 0 { (sign * f64::INFINITY, 0.0) } else { (f64::NAN, 0.0) };
    }
    let scale = exponent - 16383 - 63;
    let high = mantissa & !0x7ff;
    let scaled = |digits: u64| sign * libm::ldexp(digits as f64, scale);
    (scaled(high), scaled(mantissa & 0x7ff))
}

/// Where the place is.
///
/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_address(into: *mut Captured, at: *const c_void) {
    // SAFETY: as this function demands.
    unsafe { (*into).address = at as u64 };
}

/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_fortran_integer(value: i64, into: *mut Captured) {
    // SAFETY: as this function demands.
    unsafe { __nonius_api_acsl_integer(into, value.cast_unsigned(), value >> 63) }
}

/// # Safety
/// `into` points to a [`Captured`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_acsl_fortran_int(value: i32, into: *mut Captured) {
    // SAFETY: as this function demands.
    unsafe { __nonius_api_acsl_fortran_integer(value.into(), into) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_acsl::value::Truth;

    #[test]
    fn long_doubles_are_two_doubles_exactly() {
        // 1 + 2^-63, and its negative.
        assert_eq!(split_long_double(1 << 63 | 1, 16383), (1.0, 2f64.powi(-63)));
        assert_eq!(split_long_double(1 << 63 | 1, 16383 | 1 << 15), (-1.0, -(2f64.powi(-63))));
        assert_eq!(split_long_double(1 << 63, 0x7fff), (f64::INFINITY, 0.0));
        assert!(split_long_double(3 << 62, 0x7fff).0.is_nan());
        assert_eq!(split_long_double(0, 0), (0.0, 0.0));
    }

    #[test]
    fn a_residue_is_known_to_its_last_bit_and_no_further() {
        let known = Captured::float(1.0, Precision::Double).with_residue(0.25, 0.0).known();
        let (value, real) = (known.value, known.real);
        assert_eq!(value, Value::float(1.0));
        assert_eq!(real.compare(nonius_acsl::Comparison::Gt, &Value::float(1.2499)), Truth::True);
        assert_eq!(real.compare(nonius_acsl::Comparison::Eq, &Value::float(1.25)), Truth::Unknown);
        let exact = Captured::float(1.0, Precision::Double).with_residue(0.0, 0.0).known();
        assert_eq!(exact.real.compare(nonius_acsl::Comparison::Eq, &Value::float(1.0)), Truth::True);
        let lost = Captured::float(1.0, Precision::Double).with_residue(f64::NAN, 0.0).known();
        assert_eq!(lost.real.compare(nonius_acsl::Comparison::Eq, &Value::float(1.0)), Truth::Unknown);
    }
}
