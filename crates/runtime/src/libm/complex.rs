//! The evaluators of complex functions, `__nonius_c_f`: residues of both parts, from `complex.c`.

use pastey::paste;

/// Two doubles come back in registers; each export only jumps, so that C's calling convention stays C's affair.
macro_rules! complex_evaluators {
    ($($name:ident)*) => { paste! { $(
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn [<__nonius_c_ $name>]() {
            unsafe extern "C" {
                // Only jumped to, hence without arguments.
                fn [<nonius_complex_ $name>]();
            }
            std::arch::naked_asm!("jmp {quad}", quad = sym [<nonius_complex_ $name>])
        }
    )* } };
}

complex_evaluators! {
    cexp clog csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan casinh cacosh catanh cpow cdiv
}
