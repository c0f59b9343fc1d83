//! A trap in the program's own frame.
//!
//! A finding is made many calls deep in the runtime, where a debugger has nothing to show. A trap behind the hook, in the
//! program, would be the place, but the program's code stays as it is. So:
//!
//! 1. The return address of the hook that the program called is replaced by that of [`on_return`].
//! 2. There, with all registers as the program will have them, they are put aside as the kernel does for a signal handler.
//! 3. SIGTRAP is blocked, and sent to this thread: it waits.
//! 4. The return from that handler, which never ran (`rt_sigreturn`), restores registers and signal mask at once, and the
//!    program is where the hook returns to: the trap is delivered there, before its next instruction.
//!
//! Limits: x86-64 with XSAVE. Until the hook returns, the stack cannot be walked past it: what is found in the same call
//! has no stack.

use crate::{stack, thread};
use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use std::sync::atomic::{AtomicU64, Ordering};

/// Room for the registers of the extended state, and what may be lost to aligning it.
static STATE_ROOM: AtomicU64 = AtomicU64::new(0);
/// The bytes of that state; 0 if the processor cannot put it aside.
static STATE_BYTES: AtomicU64 = AtomicU64::new(0);
const ALIGN: u64 = 64;

/// Has the program trapped where the running hook returns to. False if that cannot be.
pub fn stop_there() -> bool {
    let Some(locals) = thread::locals() else { return false };
    let (here, _) = locals.stop_at.get();
    // SAFETY: a place in this thread's stack, which is mapped for as long as the thread runs.
    if here != 0 && unsafe { *(here as *const usize) } == on_return as *const () as usize {
        // Two findings of one call are looked at together.
        return true;
    }
    let (Some(place), true) = (stack::return_to_program(), measure()) else { return false };
    // SAFETY: the unwinder found the hook's return address there.
    unsafe {
        locals.stop_at.set((place as usize, *place));
        *place = on_return as *const () as usize;
    }
    true
}

/// How large the extended state is; false if it cannot be put aside.
fn measure() -> bool {
    if STATE_BYTES.load(Ordering::Relaxed) == 0 {
        const OSXSAVE: u32 = 1 << 27;
        if __cpuid(1).ecx & OSXSAVE == 0 {
            return false;
        }
        // Of all states that are switched on.
        let bytes = u64::from(__cpuid_count(0xd, 0).ebx);
        STATE_ROOM.store(bytes + size_of_val(&END) as u64 + ALIGN, Ordering::Relaxed);
        STATE_BYTES.store(bytes, Ordering::Relaxed);
    }
    true
}

/// The general registers, in the order of their places on the stack.
#[repr(C)]
struct Registers {
    r15: i64,
    r14: i64,
    r13: i64,
    r12: i64,
    r11: i64,
    r10: i64,
    r9: i64,
    r8: i64,
    rdi: i64,
    rsi: i64,
    rbp: i64,
    rbx: i64,
    rdx: i64,
    rcx: i64,
    rax: i64,
    flags: i64,
}

const CONTEXT_BYTES: usize = size_of::<::libc::ucontext_t>().next_multiple_of(ALIGN as usize);
const RT_SIGRETURN: i64 = ::libc::SYS_rt_sigreturn;

/// Where a hook returns to that has found something. Never returns itself: the program goes on where the hook would have.
#[unsafe(naked)]
unsafe extern "C" fn on_return() {
    core::arch::naked_asm!(
        "pushfq",
        ".irp r, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15",
        "push \\r",
        ".endr",
        "mov rdi, rsp",
        "mov rsi, rsp",
        "sub rsi, [rip + {room}]",
        "and rsi, -{align}",
        // What XSAVE leaves of its header as it is must be zero.
        "xor eax, eax",
        ".irp n, 0, 8, 16, 24, 32, 40, 48, 56",
        "mov [rsi + 512 + \\n], rax",
        ".endr",
        "mov eax, -1",
        "mov edx, -1",
        "xsave64 [rsi]",
        "lea rsp, [rsi - {context}]",
        "mov rdx, rsp",
        "call {fill}",
        "mov eax, {sigreturn}",
        "syscall",
        "ud2",
        room = sym STATE_ROOM,
        align = const ALIGN,
        context = const CONTEXT_BYTES,
        fill = sym fill,
        sigreturn = const RT_SIGRETURN,
    )
}

/// Words by which the kernel knows the extended state: in its first part, and behind it.
const BEGIN: u32 = 0x4650_5853;
const END: u32 = 0x4650_5845;
/// Where the first of them is.
const SOFTWARE_BYTES: usize = 464;
/// Flags of a context: it has an extended state, and the segment of the stack.
const CONTEXT_FLAGS: u64 = 1 | 2 | 4;
/// The segments of code and stack that Linux gives to programs of 64 bits.
const SEGMENTS: i64 = 0x2b << 48 | 0x33;

/// What the kernel reads beside the state that was put aside.
#[repr(C)]
struct SoftwareBytes {
    begin: u32,
    bytes_with_end: u32,
    features: u64,
    bytes: u32,
}

/// Makes the context that the program goes on with, and sends the trap that waits for it.
///
/// # Safety
/// `registers` and `state` are those of the program, `context` is room for a context, all on this thread's stack.
unsafe extern "C" fn fill(registers: *const Registers, state: *mut u8, context: *mut ::libc::ucontext_t) {
    use ::libc::{
        REG_CSGSFS, REG_EFL, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RAX, REG_RBP,
        REG_RBX, REG_RCX, REG_RDI, REG_RDX, REG_RIP, REG_RSI, REG_RSP,
    };
    let back = thread::locals().map_or(0, |locals| locals.stop_at.replace((0, 0)).1);
    let bytes = STATE_BYTES.load(Ordering::Relaxed);
    // SAFETY: as this function demands; zero bytes are a valid context, and the state has room for its last word.
    unsafe {
        context.write_bytes(0, 1);
        let (context, r) = (&mut *context, &*registers);
        let pairs = [
            (REG_R8, r.r8),
            (REG_R9, r.r9),
            (REG_R10, r.r10),
            (REG_R11, r.r11),
            (REG_R12, r.r12),
            (REG_R13, r.r13),
            (REG_R14, r.r14),
            (REG_R15, r.r15),
            (REG_RDI, r.rdi),
            (REG_RSI, r.rsi),
            (REG_RBP, r.rbp),
            (REG_RBX, r.rbx),
            (REG_RDX, r.rdx),
            (REG_RAX, r.rax),
            (REG_RCX, r.rcx),
            (REG_EFL, r.flags),
            (REG_RSP, registers.add(1) as i64),
            (REG_RIP, back as i64),
            (REG_CSGSFS, SEGMENTS),
        ];
        pairs.into_iter().for_each(|(index, value)| context.uc_mcontext.gregs[index as usize] = value);
        context.uc_flags = CONTEXT_FLAGS;
        context.uc_mcontext.fpregs = state.cast();
        let software = SoftwareBytes {
            begin: BEGIN,
            bytes_with_end: bytes as u32 + size_of_val(&END) as u32,
            features: features(),
            bytes: bytes as u32,
        };
        state.add(SOFTWARE_BYTES).cast::<SoftwareBytes>().write_unaligned(software);
        state.add(bytes as usize).cast::<u32>().write_unaligned(END);
        // The kernel takes back the alternate stack too.
        ::libc::sigaltstack(std::ptr::null(), &mut context.uc_stack);
        send_trap(&mut context.uc_sigmask);
    }
}

/// The states that are switched on.
fn features() -> u64 {
    #[target_feature(enable = "xsave")]
    fn enabled() -> u64 {
        // SAFETY: the first register is there wherever XSAVE is.
        unsafe { _xgetbv(0) }
    }
    // SAFETY: `measure` has seen that there is XSAVE.
    unsafe { enabled() }
}

/// Sends SIGTRAP to this thread, where it waits until the mask is `before` again.
fn send_trap(before: &mut ::libc::sigset_t) {
    const MASK_BYTES: usize = 8;
    let trap = 1u64 << (::libc::SIGTRAP - 1);
    // SAFETY: masks of the kernel's size; this thread is the one that is signalled.
    unsafe {
        let before: *mut ::libc::sigset_t = before;
        ::libc::syscall(::libc::SYS_rt_sigprocmask, ::libc::SIG_BLOCK, &raw const trap, before, MASK_BYTES);
        // A program that had it blocked would not be stopped.
        *before.cast::<u64>() &= !trap;
        let (process, thread) = (::libc::getpid(), ::libc::syscall(::libc::SYS_gettid));
        ::libc::syscall(::libc::SYS_tgkill, process, thread, ::libc::SIGTRAP);
    }
}
