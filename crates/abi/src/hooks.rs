//! Every runtime hook: the pass declares from this list, the runtime defines against it.
//!
//! Argument types: `ptr`, `u8`, `u32`, `u64`, `f64`, or `void` as a result. Hooks that take
//! `table, site` name a site of the calling object's site table. Arrays have one element a lane;
//! values of every format come as doubles (x87 and quad rounded, they are for the verdict only).
//! Hooks lie on cold paths unless said otherwise. None unwinds, none changes `errno`.

/// Expands `$m!` with the list of hooks.
#[macro_export]
macro_rules! for_each_hook {
    ($m:ident) => {
        $m! {
            /// From a constructor of each instrumented object: its site table, a byte for each of the
            /// table's functions that the code sets to 1 when the function runs, a u64 for each of its
            /// entries of `lost` that the code counts up, and where to put the address of its sites' tallies
            /// (see `tally`).
            __nonius_module_start(table: ptr, bytes: u64, ran: ptr, lost: ptr, tallies: ptr) -> void;
            /// From the same constructor: the slots of the object's checks (see `tally`).
            __nonius_checks_start(table: ptr, slots: ptr, count: u64) -> void;
            /// From the object's destructor: its slots are about to go.
            __nonius_checks_end(table: ptr) -> void;
            /// From the same constructor: the object's code table, the address of each of its functions, and
            /// where to put the number of its first block (u32) and whether functions record (u8).
            __nonius_code_start(table: ptr, code: ptr, bytes: u64, addresses: ptr, base: ptr, record: ptr) -> void;
            /// From the same constructor: the hashes of the functions that Nonius compiled, of the whole executable or
            /// library (see `defined`).
            __nonius_defined(start: ptr, stop: ptr) -> void;
            /// The thread's event buffer is full: hands it on, and leaves room for a record.
            __nonius_events_full(thread: ptr) -> void;
            /// A test of floats in a function that records: `record` holds the words of its block so far, `header` is what
            /// its first word will be, `step` the test's number in the block. Returns the outcome to go on with.
            __nonius_decide(thread: ptr, record: ptr, header: u64, step: u32, outcome: u64) -> u64;
            /// A point where paths may meet: `record`, `header` and `step` as before. `state` has `words` words: how many integers
            /// and pointers the function still needs, and those; then the stack objects of the function, by address and size.
            /// The function's frame is from `low` to `high`.
            __nonius_meet(
                thread: ptr, record: ptr, header: u64, step: u32, state: ptr, words: u64, low: ptr, high: ptr
            ) -> void;
            /// The thread is about to let others see what it wrote: hands its events on.
            __nonius_events_publish(thread: ptr) -> void;
            /// A function without shadows was called by its address and gave a float. Returns the evaluator to ask
            /// for the float's shadow (see `by_address`).
            __nonius_evaluator(callee: ptr, signature: u32) -> ptr;
            /// The same where no evaluator would fit: the number of floats is counted.
            __nonius_lost(callee: ptr, floats: u32) -> void;
            /// Which mathematical function a callee is, as `by_address` numbers them. Not cold.
            __nonius_function_at(callee: ptr, signature: u32) -> u64;
            /// Makes this thread's block (see `thread`) and returns it.
            __nonius_thread() -> ptr;
            /// Lanes at an observable, at least one past the limit. `check`: their number, and above it that of the check's
            /// slot, from 1, or 0 if it has none; `site` is what is to blame. `noise`: an ideal this small cannot
            /// be told from 0. Residues of lanes that restart from the value are set to 0. `culprit` and `its_residue`: the
            /// operand that the error came in with; zeros if that is the value itself, or there is none. `left`: what the
            /// sum that is to blame left of its largest term, as a share of it; 0 if it is none or not at hand.
            __nonius_check(
                table: ptr, site: u32, check: u64, values: ptr, residues: ptr, noise: ptr, culprit: f64, its_residue: f64,
                left: f64
            ) -> void;
            /// A comparison whose outcome differs for the ideals in the lanes of `mask`.
            /// `actual` and `ideal` hold the left operands of all lanes, then the right ones. `left`: as for checks, of a side;
            /// with a minus sign, -0 too, if a side was computed of a value that came in with an error past the limit.
            __nonius_compare(
                table: ptr, site: u32, lanes: u32, actual: ptr, ideal: ptr, mask: u64, left: f64
            ) -> void;
            /// The same where the program may hold a value against a number that was recorded. `sides` has, for all lanes
            /// each, the left operands, the right ones, the ideals of both, and these numbers; 0 where there is none.
            __nonius_near(table: ptr, site: u32, lanes: u32, sides: ptr, mask: u64, left: f64) -> void;
            /// A verdict that depends on what is not known of the ideals, in the lanes of `mask`.
            __nonius_open(table: ptr, site: u32, mask: u64) -> void;
            /// A verdict that depends on how constants were rounded, in the lanes of `mask`.
            __nonius_by_constants(table: ptr, site: u32, mask: u64) -> void;
            /// A conversion to integer, or a rounding to one, of values whose ideal, rounded to their format, differs. `moved`:
            /// how far constants that were rounded may move them; null if they do not.
            __nonius_cast(table: ptr, site: u32, lanes: u32, values: ptr, residues: ptr, moved: ptr) -> void;
            /// Remainders whose ideal may belong to another quotient: what was divided, and by what. `moved`: as for casts, of
            /// the dividend, and of the divisor times the quotient.
            __nonius_remainder(
                table: ptr, site: u32, lanes: u32, x: ptr, x_residues: ptr, y: ptr, y_residues: ptr, moved: ptr
            ) -> void;
            /// An operation that made a NaN or an infinity from operands that were none, in `mask`.
            __nonius_nonfinite(table: ptr, site: u32, lanes: u32, values: ptr, mask: u64) -> void;
            /// A single operation that may have made `result` so from at most three operands (some may be
            /// given twice), if it is `used`: this hook looks.
            __nonius_nonfinite_of(table: ptr, site: u32, used: u32, result: f64, a: f64, b: f64, c: f64) -> void;
            /// A NaN or an infinity is about to be printed.
            __nonius_printed(table: ptr, site: u32, value: f64) -> void;
            /// A load whose copy differs from the value although there was a residue.
            __nonius_load_mismatch(table: ptr, site: u32, lanes: u32, values: ptr, copies: ptr) -> void;
            /// The program copied `bytes` bytes (ranges may overlap): move their shadows.
            __nonius_copy(to: ptr, from: ptr, bytes: u64) -> void;
            /// The bytes were written by something that has no shadows: residues become 0.
            __nonius_clear(to: ptr, bytes: u64) -> void;
            /// An atomic access is about to write to the address: until `release` of what this returns, no
            /// other does. Not waited for without end: a handler may have interrupted who holds it.
            __nonius_hold(at: ptr) -> ptr;
            /// The value and its planes are written.
            __nonius_release(lock: ptr) -> void;
            /// A function of the scanf family stored through `pointers`, as `format` says.
            __nonius_scanned(format: ptr, count: u32, pointers: ptr) -> void;
            /// After `va_start`: put the variable arguments' shadows where `va_arg` will load them.
            __nonius_va_start(va_list: ptr, thread: ptr) -> void;
            /// The same in a recording clone of `function`, for the machine.
            __nonius_events_va_start(va_list: ptr, thread: ptr, function: ptr) -> void;
            /// Fortran is about to print the floats of an array; a site for each format that it may have.
            __nonius_fortran_output(table: ptr, float_site: u32, double_site: u32, array: ptr) -> void;
            /// Fortran copied an array, element by element.
            __nonius_fortran_copied(to: ptr, from: ptr) -> void;
            /// The residue of an array's reduction (see `fortran::Reduction`); `mask` may be null.
            __nonius_fortran_reduced(reduction: u32, a: ptr, b: ptr, mask: ptr, value: f64) -> f64;
            /// The processor's exception flags are about to be read by code without shadows: leave those that
            /// the program's own operations raised.
            __nonius_own_exceptions() -> void;
            /// The process is about to end without running its exit handlers: report now.
            __nonius_flush() -> void;
            /// How many floats of a format (`Precision`) an array of Fortran's has; a complex number has two.
            __nonius_fortran_count(array: ptr, precision: u32) -> u64;
            /// Where such a float lies. If there are not so many, or the mask, which may be null, does not hold, where a
            /// float lies that changes nothing in a reduction.
            __nonius_fortran_element(reduction: u32, array: ptr, mask: ptr, index: u64) -> ptr;
            /// Where the first element of this value lies for which the mask, which may be null, holds; null if there is none.
            __nonius_fortran_picked(array: ptr, mask: ptr, value: f64) -> ptr;
            /// Fortran made an array (see `fortran::Making`): puts the shadows of its elements in, or tells the machine from
            /// where they were picked. Returns of how many it could not.
            __nonius_fortran_made(how: u32, to: ptr, from: ptr, second: ptr, dimension: u32) -> u64;
            /// How many floats of a format (`Precision`) such an array has, if they are made of terms.
            __nonius_fortran_made_count(how: u32, precision: u32, to: ptr, from: ptr, second: ptr, dimension: u32) -> u64;
            /// Where such a float lies.
            __nonius_fortran_made_at(how: u32, to: ptr, from: ptr, index: u64) -> ptr;
            /// Of how many terms each is made, at least 1.
            __nonius_fortran_terms(how: u32, from: ptr, second: ptr, dimension: u32) -> u64;
            /// Where a float of a term lies: of the first array, or (`which` 1) of the second.
            __nonius_fortran_term(how: u32, which: u32, from: ptr, second: ptr, dimension: u32, index: u64, term: u64) -> ptr;
            /// Fortran copied an array in another order (see `fortran::Rearrangement`); `mask` and `field` may be null,
            /// `number` is a dimension or a shift.
            __nonius_fortran_rearranged(how: u32, to: ptr, from: ptr, mask: ptr, field: ptr, number: u64) -> void;
            /// The elements of an array of Fortran's came from outside: they have no error.
            __nonius_fortran_read(array: ptr) -> void;
        }
    };
}

/// The type of a hook's argument or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Void,
    Ptr,
    U8,
    U32,
    U64,
    F64,
}

/// A hook as data, for the pass.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    pub name: &'static str,
    pub arguments: &'static [Type],
    pub result: Type,
}

macro_rules! hook_type {
    (void) => {
        Type::Void
    };
    (ptr) => {
        Type::Ptr
    };
    (u8) => {
        Type::U8
    };
    (u32) => {
        Type::U32
    };
    (u64) => {
        Type::U64
    };
    (f64) => {
        Type::F64
    };
}

macro_rules! hooks_as_data {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $ret:ident;)*) => {
        pub const HOOKS: &[Hook] = &[$(Hook {
            name: stringify!($name),
            arguments: &[$(hook_type!($ty)),*],
            result: hook_type!($ret),
        }),*];
        /// One name a hook, so that the pass cannot misspell it.
        #[allow(non_upper_case_globals)]
        pub mod id {
            $($(#[$doc])* pub const $name: &str = stringify!($name);)*
        }
    };
}
for_each_hook!(hooks_as_data);

/// The residue of a 0 whose ideal is not known: too small to count for anything else (see `pass::emit::radius`).
pub fn doubt(precision: crate::Precision) -> f64 {
    use crate::Precision::{Bfloat, Float, Half};
    let exponent = if matches!(precision, Float | Half | Bfloat) { -120 } else { -1000 };
    2f64.powi(exponent)
}

/// What a doubt that went through products and quotients may have become: still too small to be an error of anything but
/// numbers at the edge of the format's range.
pub fn most_doubt(precision: crate::Precision) -> f64 {
    use crate::Precision::{Bfloat, Float, Half};
    let growth = if matches!(precision, Float | Half | Bfloat) { 16 } else { 32 };
    doubt(precision) * 2f64.powi(growth)
}

/// Whether a residue says of its value, a 0, that the ideal is not known.
pub fn is_doubt(precision: crate::Precision, value: f64, residue: f64) -> bool {
    value == 0.0 && residue != 0.0 && residue.abs() <= most_doubt(precision)
}

/// Hooks on the cold paths of hot loops. Each has a second form that keeps all registers, the halves of
/// AVX included (LLVM's `preserve_allcc`): with the usual one, the loop's values would all be on the stack.
pub const PRESERVING: &[&str] = &[
    id::__nonius_check,
    id::__nonius_compare,
    id::__nonius_near,
    id::__nonius_open,
    id::__nonius_by_constants,
    id::__nonius_cast,
    id::__nonius_nonfinite,
    id::__nonius_nonfinite_of,
    id::__nonius_load_mismatch,
];

/// The name of a hook's form that keeps all registers; for code that uses AVX only.
pub fn preserving(hook: &str) -> String {
    hook.replacen("__nonius_", PRESERVING_PREFIX, 1)
}

const PRESERVING_PREFIX: &str = "__nonius_preserving_";

/// Whether a function is a hook's form that keeps all registers.
pub fn is_preserving(name: &str) -> bool {
    name.starts_with(PRESERVING_PREFIX) && name != COLD
}

/// The name of the hook of which this is the form that keeps all registers.
pub fn plain(preserving: &str) -> String {
    preserving.replacen(PRESERVING_PREFIX, "__nonius_", 1)
}

/// Calls an outlined cold path of the program, whose address is in the register of a static chain (r10), with all arguments
/// as they are, and keeps all registers. Arguments are in registers only, and of vectors 16 bytes.
pub const COLD: &str = "__nonius_preserving_cold";
/// Which argument of the hooks on cold paths is the site.
pub const SITE_ARGUMENT: usize = 1;

/// `[[f64; 6]; 3]`, an entry for each precision: the share of the value up to which a residue stays on
/// a check's fast path; the relative error past which it is a finding; the share of an ulp that constants may be off by
/// (see `constant`).
pub const LIMITS: &str = "__nonius_limits";
pub const FAST_LIMITS: usize = 0;
pub const RELATIVE_LIMITS: usize = 1;
pub const MOST_OFF: usize = 2;
/// `u8`: not 0 once any registered object puts residues into memory; until then, nothing needs copying.
pub const FLOATS: &str = "__nonius_floats";
