//! Floating-point exceptions and traps (`fetestexcept`, `feenableexcept`). The processor cannot
//! tell the program's operations from shadow arithmetic, which divides by zero and makes NaNs
//! where the program does not. So invalid, divide-by-zero and overflow are kept here: a NaN or
//! infinity that the program makes raises them, and the signal if that is enabled.
//! Limits: they come at the end of the straight stretch of code around the operation, not at
//! it; a function's infinity raises both divide-by-zero and overflow; underflow and inexact are the
//! processor's, and its traps on them do not come; exceptions of code without shadows are not seen.

use ::libc::{SIGFPE, c_int};
use nonius_abi::site::Op;
use std::sync::atomic::{AtomicI32, Ordering};

/// `FE_INVALID`, `FE_DIVBYZERO` and `FE_OVERFLOW` of x86-64.
const INVALID: c_int = 1;
const DIVIDE_BY_ZERO: c_int = 4;
const OVERFLOW: c_int = 8;
const INEXACT: c_int = 32;
const ALL: c_int = 0x3d;

/// The exceptions that are kept here.
const KEPT: c_int = INVALID | DIVIDE_BY_ZERO | OVERFLOW;

static ENABLED: AtomicI32 = AtomicI32::new(0);
static RAISED: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" {
    fn fetestexcept(which: c_int) -> c_int;
    fn feclearexcept(which: c_int) -> c_int;
    fn feraiseexcept(which: c_int) -> c_int;
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_fetestexcept(which: c_int) -> c_int {
    // SAFETY: reads the processor's flags.
    let processors = unsafe { fetestexcept(which & !KEPT) };
    processors | RAISED.load(Ordering::Relaxed) & which
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_feclearexcept(which: c_int) -> c_int {
    RAISED.fetch_and(!which, Ordering::Relaxed);
    // SAFETY: the program's own call.
    unsafe { feclearexcept(which) }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_feraiseexcept(which: c_int) -> c_int {
    RAISED.fetch_or(which & KEPT, Ordering::Relaxed);
    // SAFETY: the program's own call.
    unsafe { feraiseexcept(which) }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_feenableexcept(which: c_int) -> c_int {
    ENABLED.fetch_or(which & ALL, Ordering::Relaxed)
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_fedisableexcept(which: c_int) -> c_int {
    ENABLED.fetch_and(!which, Ordering::Relaxed)
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_fegetexcept() -> c_int {
    ENABLED.load(Ordering::Relaxed)
}

/// Puts the program's own exceptions into the processor, for code that asks it directly. Underflow
/// is left out: residues underflow where the program does not.
pub fn own_exceptions() {
    // SAFETY: reads, clears and sets the processor's flags.
    unsafe {
        let inexact = fetestexcept(INEXACT);
        feclearexcept(ALL);
        feraiseexcept(RAISED.load(Ordering::Relaxed) | inexact);
        // Raising overflow may raise inexact along with it.
        if inexact == 0 {
            feclearexcept(INEXACT);
        }
    }
}

/// The program's `op` made a NaN or an infinity: raises the exception, and the signal if it is
/// enabled.
pub fn raise_for(op: Op, value: f64) {
    let raised = match (value.is_nan(), op) {
        (true, _) => INVALID,
        (false, Op::Div) => DIVIDE_BY_ZERO,
        (false, Op::Function) => DIVIDE_BY_ZERO | OVERFLOW,
        (false, _) => OVERFLOW,
    };
    RAISED.fetch_or(raised, Ordering::Relaxed);
    if ENABLED.load(Ordering::Relaxed) & raised != 0 {
        // SAFETY: sends the signal that the processor would have sent.
        unsafe { ::libc::raise(SIGFPE) };
    }
}
