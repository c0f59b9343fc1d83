//! The floating-point environment. The arithmetic of the runtime assumes rounding to nearest and
//! gradual underflow, and must not trap; the program may have set any of these otherwise.

/// MXCSR as a process starts, without its sticky flags: all exceptions masked, round to nearest.
const USUAL: u32 = 0x1f80;
const FLAGS: u32 = 0x3f;

/// The usual environment while it lives; then the program's own again, sticky flags included
/// where it was an unusual one.
pub struct Usual {
    programs: Option<u32>,
}

impl Usual {
    #[inline]
    pub fn enter() -> Usual {
        let now = get();
        if now & !FLAGS == USUAL {
            return Usual { programs: None };
        }
        set(USUAL);
        Usual { programs: Some(now) }
    }
}

impl Drop for Usual {
    #[inline]
    fn drop(&mut self) {
        if let Some(programs) = self.programs {
            set(programs);
        }
    }
}

/// The usual environment while it lives; then the program's own, sticky flags included.
pub struct Saved(u32);

impl Saved {
    pub fn enter() -> Saved {
        let now = get();
        set(USUAL);
        Saved(now)
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        set(self.0);
    }
}

/// Whether the sticky flag of underflow is raised.
pub fn underflowed() -> bool {
    const UNDERFLOW: u32 = 0x10;
    get() & UNDERFLOW != 0
}

#[inline]
fn get() -> u32 {
    let mut mxcsr = 0u32;
    // SAFETY: stores the register into a live local variable.
    unsafe { std::arch::asm!("stmxcsr [{at}]", at = in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
    mxcsr
}

#[cold]
fn set(mxcsr: u32) {
    // SAFETY: loads a value that the register held before, or the one that processes start with.
    unsafe { std::arch::asm!("ldmxcsr [{at}]", at = in(reg) &raw const mxcsr, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unusual_environment_comes_back() {
        const UPWARD_AND_TRAPPING: u32 = 0x4000 | (USUAL & !0x0200);
        set(UPWARD_AND_TRAPPING);
        let (zero, one) = (std::hint::black_box(0.0), std::hint::black_box(1.0));
        let inside = {
            let _usual = Usual::enter();
            (get() & !FLAGS, one / zero)
        };
        let after = get();
        set(USUAL);
        assert_eq!(inside, (USUAL, f64::INFINITY));
        assert_eq!(after, UPWARD_AND_TRAPPING);
    }
}
