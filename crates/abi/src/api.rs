//! What `nonius.h` declares. The pass knows these calls and hands the runtime the shadow with
//! the value; code that was not instrumented never calls them.

/// How the pass treats a call of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `void f(T value, const char *text)`: check the value here, as if it were output.
    Check,
    /// `void f(T value, const char *text)`: print the value beside its shadow.
    Print,
    /// `double f(T value)`: the value's error in ulps.
    Ulps,
    /// `T f(T value)`: the value with residue 0.
    Resume,
    /// `void f(T value, void *into)`: put what is known of the value there, for an assertion.
    Capture,
}

/// The suffix of each request's function for the C types; the pass accepts any precision.
pub const SUFFIXES: &[&str] = &["f", "d", "l"];

pub const REQUESTS: &[(&str, Request)] = &[
    ("__nonius_api_check_", Request::Check),
    ("__nonius_api_print_", Request::Print),
    ("__nonius_api_ulps_", Request::Ulps),
    ("__nonius_api_resume_", Request::Resume),
    ("__nonius_api_capture_", Request::Capture),
];

/// The request behind a callee's name.
pub fn request(name: &str) -> Option<Request> {
    REQUESTS
        .iter()
        .find_map(|(prefix, request)| name.strip_prefix(prefix).filter(|s| SUFFIXES.contains(s)).map(|_| *request))
}

/// What the pass calls instead, `(table, site, value: f64, residue: f64, text: ptr)` each;
/// `Ulps` returns f64.
pub const CHECK: &str = "__nonius_request_check";
pub const PRINT: &str = "__nonius_request_print";
pub const ULPS: &str = "__nonius_request_ulps";
pub const CAPTURE: &str = "__nonius_request_capture";
/// What the pass calls before one of these for each value that theirs was computed from, as far as it sees that:
/// `(table, site, value: f64, slope: f64)`. The slope is how far the value that is asked for moves with it.
pub const MADE_OF: &str = "__nonius_request_made_of";

/// Called as they are, with no shadow: `(const void*, size_t)`, `(const char*)`, ...
pub const PLAIN: &[&str] = &[
    "__nonius_api_dump",
    "__nonius_api_region_begin",
    "__nonius_api_region_end",
    "__nonius_api_set_option",
    "__nonius_api_suppress",
    "__nonius_api_stage_begin",
    "__nonius_api_stage_end",
    "__nonius_api_analysis_begin",
    "__nonius_api_analysis_end",
    "__nonius_api_analysis_reset",
    "__nonius_api_print_error",
    "__nonius_api_error_greater",
    "__nonius_api_insert_shadow",
    "__nonius_api_trace",
    "__nonius_api_input",
    "__nonius_api_bounds",
    "__nonius_api_split",
    "__nonius_api_merge",
    "__nonius_api_one_path",
    TASK_BEGIN,
    "__nonius_api_task_end",
    "__nonius_api_acsl_reached",
    "__nonius_api_acsl_verdict",
    "__nonius_api_acsl_atom",
    "__nonius_api_acsl_whole",
    "__nonius_api_acsl_integer",
    "__nonius_api_acsl_fortran_integer",
    "__nonius_api_acsl_fortran_int",
    "__nonius_api_acsl_fortran",
    "__nonius_api_acsl_long_double",
    "__nonius_api_acsl_address",
];

/// Begins a task. The site table of an object that calls it says so (`table::FLAG_TASKS`): the runtime must know before
/// anything is recorded that the program has tasks.
pub const TASK_BEGIN: &str = "__nonius_api_task_begin";
