//! Hooks that keep all registers, as `abi::hooks::PRESERVING` has them: an entry each that puts the registers
//! aside and calls the hook proper. Only code that uses AVX comes here, so the processor has it.

use crate::hooks;

/// Nothing but r11, which belongs to the linker, may differ for the caller afterwards. 512 bytes take the
/// vector registers, 64 the others that a C function may change, 16 a flag; the stack stays aligned to 16.
///
/// Upper halves that are all 0 are not written again: the processor would take them as in use from then
/// on, and every instruction of SSE in code that has no AVX would wait for them.
macro_rules! preserving {
    ($($name:ident => $hook:path;)*) => {
        $(preserving!($name, "call {hook}", hook = sym $hook);)*
    };
    ($name:ident, $call:literal $(, hook = sym $hook:path)?) => {
        /// # Safety
        /// As the hook demands; the processor has AVX.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "sub rsp, 592",
                "mov [rsp + 512], rax",
                "mov [rsp + 520], rcx",
                "mov [rsp + 528], rdx",
                "mov [rsp + 536], rsi",
                "mov [rsp + 544], rdi",
                "mov [rsp + 552], r8",
                "mov [rsp + 560], r9",
                "mov [rsp + 568], r10",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "vmovups [rsp + 32 * \\n], ymm\\n",
                ".endr",
                ".irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "vorps ymm0, ymm0, ymm\\n",
                ".endr",
                "vextractf128 xmm0, ymm0, 1",
                "vptest xmm0, xmm0",
                "setnz byte ptr [rsp + 576]",
                "vzeroupper",
                "movups xmm0, [rsp]",
                $call,
                "cmp byte ptr [rsp + 576], 0",
                "jne 2f",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movups xmm\\n, [rsp + 32 * \\n]",
                ".endr",
                "jmp 3f",
                "2:",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "vmovups ymm\\n, [rsp + 32 * \\n]",
                ".endr",
                "3:",
                "mov rax, [rsp + 512]",
                "mov rcx, [rsp + 520]",
                "mov rdx, [rsp + 528]",
                "mov rsi, [rsp + 536]",
                "mov rdi, [rsp + 544]",
                "mov r8, [rsp + 552]",
                "mov r9, [rsp + 560]",
                "mov r10, [rsp + 568]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                $(hook = sym $hook,)?
            )
        }
    };
}

// An outlined cold path of the program, whose address is where a static chain would be: `abi::hooks::COLD`.
preserving!(
    __nonius_preserving_cold,
    "call r10\n.globl nonius_cold_returns\n.hidden nonius_cold_returns\nnonius_cold_returns:"
);

unsafe extern "C" {
    /// Where an outlined cold path returns to.
    static nonius_cold_returns: u8;
}

/// Whether a frame at work there has called an outlined cold path.
pub fn calls_cold_path(return_address: usize) -> bool {
    return_address == &raw const nonius_cold_returns as usize
}

preserving! {
    __nonius_preserving_check => hooks::__nonius_check;
    __nonius_preserving_compare => hooks::__nonius_compare;
    __nonius_preserving_near => hooks::__nonius_near;
    __nonius_preserving_open => hooks::__nonius_open;
    __nonius_preserving_by_constants => hooks::__nonius_by_constants;
    __nonius_preserving_cast => hooks::__nonius_cast;
    __nonius_preserving_nonfinite => hooks::__nonius_nonfinite;
    __nonius_preserving_nonfinite_of => hooks::__nonius_nonfinite_of;
    __nonius_preserving_load_mismatch => hooks::__nonius_load_mismatch;
}
