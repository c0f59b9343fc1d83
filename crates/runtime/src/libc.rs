//! Wrappers of C library functions that write memory without instrumented code seeing it:
//! `__nonius_libc_NAME` for each name of `abi::libc::WRAPPED`, with the same signature.
//!
//! The program's call is handed on as it came, result and `errno` with it; then the shadows
//! follow what was written. The functions may block, be cancelled or call back into the
//! program, so the wrappers let unwinding through and hold nothing while they call.

mod input;
mod memory;
mod order;
mod scanf;
mod signals;
mod strings;
mod traps;
mod variadic;

pub use scanf::scanned;
pub use traps::{own_exceptions, raise_for};
pub use variadic::va_start;

/// Defines wrappers: the C signature, a name for the result, and what happens to the shadows.
macro_rules! wrap {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty as $result:ident => $shadows:expr;)*) => { pastey::paste! {
        $(
            #[doc = concat!("`", stringify!($name), "`, and then its shadows.")]
            ///
            /// # Safety
            /// As the C function of that name.
            #[unsafe(no_mangle)]
            pub unsafe extern "C-unwind" fn [<__nonius_libc_ $name>]($($arg: $ty),*) -> $ret {
                unsafe extern "C-unwind" {
                    fn $name($($arg: $ty),*) -> $ret;
                }
                // SAFETY: the program's own call, as it came.
                #[allow(clippy::let_unit_value, reason = "some return nothing")]
                let $result = unsafe { $name($($arg),*) };
                $shadows;
                $result
            }
        )*
    } };
}
use wrap;

/// Bytes of a C string with its end, 0 for null.
///
/// # Safety
/// `text` is null or a string that ends.
unsafe fn string_bytes(text: *const u8) -> usize {
    // SAFETY: as this function demands.
    if text.is_null() { 0 } else { unsafe { ::libc::strlen(text.cast()) + 1 } }
}
