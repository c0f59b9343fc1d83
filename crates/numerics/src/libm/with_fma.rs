//! The elementary functions and their residues for processors with AVX2 and FMA.
//!
//! The results are bit for bit those of the plain functions. To call one from code that is not itself compiled for those
//! features is `unsafe`: check `is_x86_feature_detected!("fma")` (and `"avx2"`) first.

use crate::Dd;

macro_rules! unary {
    ($($f:ident)*) => {$(
        /// # Safety
        /// The processor must have AVX2 and FMA.
        #[target_feature(enable = "avx2,fma")]
        #[must_use]
        pub fn $f(x: f64, e: f64) -> Dd {
            super::$f(x, e)
        }
    )*};
}
crate::for_each_unary!(unary);

macro_rules! binary {
    ($($f:ident)*) => {$(
        /// # Safety
        /// The processor must have AVX2 and FMA.
        #[target_feature(enable = "avx2,fma")]
        #[must_use]
        pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64) -> Dd {
            super::$f(x, e_x, y, e_y)
        }
    )*};
}
crate::for_each_binary!(binary);

/// # Safety
/// The processor must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
#[must_use]
pub fn sincos(x: f64, e: f64) -> (Dd, Dd) {
    super::sincos(x, e)
}

/// As [`super::residue_of`].
pub mod residue_of {
    use super::super::residue_of as plain;

    macro_rules! unary {
        ($($f:ident)*) => {$(
            /// # Safety
            /// The processor must have AVX2 and FMA.
            #[target_feature(enable = "avx2,fma")]
            #[must_use]
            pub fn $f(x: f64, e: f64, z: f64) -> f64 {
                plain::$f(x, e, z)
            }
        )*};
    }
    crate::for_each_unary!(unary);

    macro_rules! binary {
        ($($f:ident)*) => {$(
            /// # Safety
            /// The processor must have AVX2 and FMA.
            #[target_feature(enable = "avx2,fma")]
            #[must_use]
            pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
                plain::$f(x, e_x, y, e_y, z)
            }
        )*};
    }
    crate::for_each_binary!(binary);

    /// # Safety
    /// The processor must have AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    #[must_use]
    pub fn sincos(x: f64, e: f64, sine: f64, cosine: f64) -> (f64, f64) {
        plain::sincos(x, e, sine, cosine)
    }
}
