//! C library functions that move, clear or print floats.

/// Functions whose calls go to `__nonius_libc_NAME` in the runtime: the same signature and
/// effect, plus what happens to the shadows.
pub const WRAPPED: &[&str] = &[
    // memory
    "realloc",
    "reallocarray",
    "calloc",
    "bcopy",
    "bzero",
    "mempcpy",
    "memccpy",
    "wmemcpy",
    "wmemmove",
    "wmemset",
    "strdup",
    "strndup",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "stpcpy",
    "stpncpy",
    "swab",
    "mmap",
    "munmap",
    "mremap",
    "mlockall",
    "posix_memalign",
    "aligned_alloc",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__mempcpy_chk",
    "__strcpy_chk",
    "__strncpy_chk",
    "__strcat_chk",
    "__strncat_chk",
    // exceptions and traps, which shadow arithmetic must not raise
    "fetestexcept",
    "feclearexcept",
    "feraiseexcept",
    "feenableexcept",
    "fedisableexcept",
    "fegetexcept",
    // handlers, whose events are not those of the code that they interrupt
    "signal",
    "sigaction",
    // order
    "qsort",
    "qsort_r",
    // input
    "read",
    "pread",
    "pread64",
    "readv",
    "preadv",
    "recv",
    "recvfrom",
    "recvmsg",
    "fread",
    "fread_unlocked",
    "fgets",
    "fgets_unlocked",
    "getline",
    "getdelim",
    "gets",
    "__read_chk",
    "__pread_chk",
    "__fread_chk",
    "__fgets_chk",
    "__recv_chk",
];

/// Those of the wrapped functions that recording clones call wrapped too: handlers, and traps, for a
/// clone computes in vain what the program would skip.
pub const WRAPPED_IN_CLONES: &[&str] = &["signal", "sigaction", "feenableexcept", "fedisableexcept", "fegetexcept"];

/// Functions that let other threads go on, and see what this one wrote.
const PUBLISHERS: &[&str] = &[
    "cnd_broadcast",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "mtx_unlock",
    "pthread_barrier_wait",
    "pthread_cond_broadcast",
    "pthread_cond_clockwait",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_mutex_unlock",
    "pthread_rwlock_unlock",
    "pthread_spin_unlock",
    "sem_post",
    "_ZNSt18condition_variable10notify_allEv",
    "_ZNSt18condition_variable10notify_oneEv",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
];

/// Whether a call of this function lets other threads see what came before it. All of OpenMP's may.
pub fn publishes(name: &str) -> bool {
    PUBLISHERS.contains(&name) || name.starts_with("__kmpc_") || name.starts_with("GOMP_")
}

/// Those that recording clones call wrapped with their record ended before: the wrapper writes into the thread's events
/// what moved.
pub const MOVERS: &[&str] = &[
    "realloc",
    "reallocarray",
    "bcopy",
    "bzero",
    "mempcpy",
    "memccpy",
    "wmemcpy",
    "wmemmove",
    "wmemset",
    "swab",
    "posix_memalign",
    "aligned_alloc",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__mempcpy_chk",
    "qsort",
    "qsort_r",
    "readv",
    "preadv",
    "recvmsg",
    "__read_chk",
    "__pread_chk",
    "__fread_chk",
    "__recv_chk",
];

/// The scanf family: the index of the format argument; pointers follow it.
pub const SCANF: &[(&str, u32)] = &[
    ("scanf", 0),
    ("fscanf", 1),
    ("sscanf", 1),
    ("__isoc99_scanf", 0),
    ("__isoc99_fscanf", 1),
    ("__isoc99_sscanf", 1),
    ("__isoc23_scanf", 0),
    ("__isoc23_fscanf", 1),
    ("__isoc23_sscanf", 1),
];

/// Functions that turn floats into text: their arguments are output.
pub const OUTPUT: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "dprintf",
    "asprintf",
    "wprintf",
    "fwprintf",
    "swprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__sprintf_chk",
    "__snprintf_chk",
    "__dprintf_chk",
    "__asprintf_chk",
    "__wprintf_chk",
    "__fwprintf_chk",
    "__swprintf_chk",
    "syslog",
    "err",
    "errx",
    "warn",
    "warnx",
    "error",
    "ecvt",
    "fcvt",
    "gcvt",
    "qecvt",
    "qfcvt",
    "qgcvt",
    "ecvt_r",
    "fcvt_r",
    "strfromd",
    "strfromf",
    "strfroml",
    "strfromf128",
    // Fortran's print and write, value by value
    "_FortranAioOutputReal32",
    "_FortranAioOutputReal64",
    "_FortranAioOutputComplex32",
    "_FortranAioOutputComplex64",
    // std::ostream << float, double, long double (libstdc++, then libc++)
    "_ZNSolsEf",
    "_ZNSolsEd",
    "_ZNSolsEe",
    "_ZNSo9_M_insertIdEERSoT_",
    "_ZNSo9_M_insertIeEERSoT_",
    "_ZNSt13basic_ostreamIwSt11char_traitsIwEE9_M_insertIdEERS2_T_",
    "_ZNSt13basic_ostreamIwSt11char_traitsIwEE9_M_insertIeEERS2_T_",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEf",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEd",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEe",
    // std::to_chars, std::to_string (libstdc++'s is inline over vsnprintf: see VARIADIC_OUTPUT)
    "_ZSt8to_charsPcS_d",
    "_ZSt8to_charsPcS_f",
    "_ZSt8to_charsPcS_e",
    "_ZSt8to_charsPcS_dSt12chars_format",
    "_ZSt8to_charsPcS_fSt12chars_format",
    "_ZSt8to_charsPcS_eSt12chars_format",
    "_ZSt8to_charsPcS_dSt12chars_formati",
    "_ZSt8to_charsPcS_fSt12chars_formati",
    "_ZSt8to_charsPcS_eSt12chars_formati",
    "_ZNSt3__19to_stringEf",
    "_ZNSt3__19to_stringEd",
    "_ZNSt3__19to_stringEe",
    "_ZNSt7__cxx119to_stringEf",
    "_ZNSt7__cxx119to_stringEd",
    "_ZNSt7__cxx119to_stringEe",
    // __gnu_cxx::__to_xstring behind std::to_string
    "_ZN9__gnu_cxx12__to_xstringINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEcEET_PFiPT0_mPKS8_P13__va_list_tagEmSB_z",
];

/// Functions whose results are input: exact by definition.
pub const INPUT: &[&str] = &[
    "strtod",
    "strtof",
    "strtold",
    "atof",
    "wcstod",
    "wcstof",
    "wcstold",
    "drand48",
    "_FortranACpuTime",
    "erand48",
    "difftime",
    "__strtod_internal",
    "__isoc23_strtod",
    "__isoc23_strtof",
    "__isoc23_strtold",
];

/// Functions that end the process without its exit handlers.
pub const ENDINGS: &[&str] = &[
    "abort",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "execl",
    "execlp",
    "execle",
    "fexecve",
    "_ZSt9terminatev",
    "raise",
    "kill",
];

/// Those that the runtime defines itself, in front of the C library: code that was not instrumented calls them too.
pub const INTERPOSED_ENDINGS: &[&str] = &["abort", "_exit", "_Exit"];
/// What the runtime stands in front of so that a thread is not cancelled within it.
pub const INTERPOSED_CANCELLATION: &[&str] = &["pthread_cancel", "pthread_setcancelstate", "pthread_setcanceltype"];

/// How a Fortran program ends: its runtime tells which floating-point exceptions were raised.
pub fn ends_fortran(name: &str) -> bool {
    name == "_FortranAProgramEndStatement" || name.starts_with("_FortranAStopStatement")
}

/// What the linker puts in place of `realloc` in Rust programs (`--wrap=realloc`): their vectors
/// grow in precompiled code of the standard library.
pub const WRAP_REALLOC: &str = "__wrap_realloc";

/// The wrapper's name for a wrapped function.
pub fn wrapper(name: &str) -> String {
    format!("__nonius_libc_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clones_call_wrapped_is_wrapped() {
        for name in WRAPPED_IN_CLONES.iter().chain(MOVERS) {
            assert!(WRAPPED.contains(name), "{name}");
        }
        assert!(WRAPPED_IN_CLONES.iter().all(|name| !MOVERS.contains(name)));
    }
}
