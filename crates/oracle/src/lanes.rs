//! Four doubles, or four words, at once: for processors with AVX2 and a fused multiply-add.
//!
//! The compiler would not find these by itself: what belongs together lies a register of the machine apart. Operations
//! are those of the scalars, lane by lane, bit for bit.

#![allow(unsafe_code)]

use crate::Dd;
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};
use nonius_numerics::libm::with_fma;

/// Says that the processor has what it takes.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Four doubles. Exists only where a [`Avx2`] does.
#[derive(Clone, Copy, Debug)]
pub struct F4(__m256d);

/// Four words; with all bits of a lane set or none, four answers.
#[derive(Clone, Copy, Debug)]
pub struct U4(__m256i);

/// Two doubles.
#[derive(Clone, Copy, Debug)]
pub struct F2(__m128d);

impl F2 {
    #[inline(always)]
    pub fn abs(self) -> F2 {
        // SAFETY: lanes exist only where there is AVX2.
        F2(unsafe { _mm_andnot_pd(_mm_set1_pd(-0.0), self.0) })
    }

    /// `self y + c`, rounded once.
    #[inline(always)]
    pub fn mul_add(self, y: F2, c: F2) -> F2 {
        // SAFETY: lanes exist only where there is FMA.
        F2(unsafe { _mm_fmadd_pd(self.0, y.0, c.0) })
    }

    /// All bits of a lane are set where this is above, none where it is not, or either is NaN.
    #[inline(always)]
    pub fn is_above(self, y: F2) -> F2 {
        // SAFETY: lanes exist only where there is AVX2.
        F2(unsafe { _mm_cmpgt_pd(self.0, y.0) })
    }

    /// The same where these bits are equal in both.
    #[inline(always)]
    pub fn agrees(self, y: F2, bits: u64) -> F2 {
        // SAFETY: lanes exist only where there is AVX2.
        unsafe {
            let differ = _mm_castpd_si128(_mm_xor_pd(self.0, y.0));
            let differ = _mm_and_si128(differ, _mm_set1_epi64x(bits as i64));
            F2(_mm_castsi128_pd(_mm_cmpeq_epi64(differ, _mm_setzero_si128())))
        }
    }

    /// Whether both lanes of an answer are set.
    #[inline(always)]
    pub fn is_full(self) -> bool {
        // SAFETY: lanes exist only where there is AVX2.
        unsafe { _mm_movemask_pd(self.0) == 3 }
    }
}

impl Avx2 {
    pub fn find() -> Option<Avx2> {
        let has_both = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        has_both.then_some(Avx2(()))
    }

    #[inline(always)]
    pub fn all(self, x: f64) -> F4 {
        // SAFETY: there is a `Avx2`, so there is AVX2.
        F4(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    pub fn all_words(self, x: u64) -> U4 {
        // SAFETY: there is a `Avx2`, so there is AVX2.
        U4(unsafe { _mm256_set1_epi64x(x as i64) })
    }

    #[inline(always)]
    pub fn floats(self, [a, b, c, d]: [f64; 4]) -> F4 {
        // SAFETY: there is a `Avx2`, so there is AVX2.
        F4(unsafe { _mm256_setr_pd(a, b, c, d) })
    }

    #[inline(always)]
    pub fn pair(self, a: f64, b: f64) -> F2 {
        // SAFETY: there is a `Avx2`, so there is AVX2.
        F2(unsafe { _mm_setr_pd(a, b) })
    }

    #[inline(always)]
    pub fn words(self, [a, b, c, d]: [u64; 4]) -> U4 {
        // SAFETY: there is a `Avx2`, so there is AVX2.
        U4(unsafe { _mm256_setr_epi64x(a as i64, b as i64, c as i64, d as i64) })
    }

    /// Words as they lie in memory, by one instruction: those that were written by one are read without delay.
    #[inline(always)]
    pub fn load(self, words: &[u64; 4]) -> U4 {
        // SAFETY: there is a `Avx2`, so there is AVX2; the words are there, and need not be aligned.
        U4(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    /// The high parts and the low ones.
    #[inline(always)]
    pub fn parts(self, [a, b, c, d]: [&Dd; 4]) -> [F4; 2] {
        // SAFETY: there is a `Avx2`, so there is AVX2. A `Dd` is two doubles, and they need not be aligned.
        unsafe {
            let pair = |x: &Dd| _mm_loadu_pd((&raw const *x).cast());
            let even = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(pair(a)), pair(c));
            let odd = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(pair(b)), pair(d));
            [F4(_mm256_unpacklo_pd(even, odd)), F4(_mm256_unpackhi_pd(even, odd))]
        }
    }
}

/// The functions of `nonius_numerics::libm`, bit for bit, in fewer steps.
macro_rules! evaluated {
    ($arguments:tt: $($name:ident)*) => { $(evaluated!(@ $arguments $name);)* };
    (@ ($($argument:ident),*) $name:ident) => {
        impl Avx2 {
            pub fn $name(self, $($argument: f64),*) -> Dd {
                // SAFETY: there is a `Avx2`, so there are AVX2 and a fused multiply-add.
                unsafe { with_fma::$name($($argument),*) }
            }
        }
    };
}

evaluated! { (x, e):
    exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt
}
evaluated! { (x, e_x, y, e_y): atan2 pow hypot }

/// A double as a double-double, by one instruction: what is read by one waits for two that wrote it.
#[inline(always)]
pub fn put_exact(out: &mut Dd, x: f64) {
    // SAFETY: every x86-64 has SSE2. A `Dd` is two doubles, and they need not be aligned.
    unsafe { _mm_storeu_pd((&raw mut *out).cast(), _mm_set_sd(x)) };
}

/// Binary operations of a lane each.
macro_rules! lanewise {
    ($($trait:ident $method:ident $type:ident $intrinsic:ident)*) => {$(
        impl $trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, y: $type) -> $type {
                // SAFETY: lanes exist only where there is AVX2.
                $type(unsafe { $intrinsic(self.0, y.0) })
            }
        }
    )*};
}

lanewise! {
    Add add F2 _mm_add_pd
    BitAnd bitand F2 _mm_and_pd
    Add add F4 _mm256_add_pd
    Sub sub F4 _mm256_sub_pd
    Mul mul F4 _mm256_mul_pd
    Div div F4 _mm256_div_pd
    Add add U4 _mm256_add_epi64
    Sub sub U4 _mm256_sub_epi64
    BitAnd bitand U4 _mm256_and_si256
    BitOr bitor U4 _mm256_or_si256
}

impl Neg for F4 {
    type Output = F4;
    #[inline(always)]
    fn neg(self) -> F4 {
        // SAFETY: lanes exist only where there is AVX2.
        F4(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl F4 {
    #[inline(always)]
    pub fn abs(self) -> F4 {
        // SAFETY: lanes exist only where there is AVX2.
        F4(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }

    /// `self y + c`, rounded once.
    #[inline(always)]
    pub fn mul_add(self, y: F4, c: F4) -> F4 {
        // SAFETY: lanes exist only where there is FMA.
        F4(unsafe { _mm256_fmadd_pd(self.0, y.0, c.0) })
    }

    /// The larger; `y` if either is NaN.
    #[inline(always)]
    pub fn max_or(self, y: F4) -> F4 {
        // SAFETY: lanes exist only where there is AVX2.
        F4(unsafe { _mm256_max_pd(self.0, y.0) })
    }

    /// The smaller; `y` if either is NaN.
    #[inline(always)]
    pub fn min_or(self, y: F4) -> F4 {
        // SAFETY: lanes exist only where there is AVX2.
        F4(unsafe { _mm256_min_pd(self.0, y.0) })
    }

    #[inline(always)]
    pub fn equals(self, y: F4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, y.0)) })
    }

    /// Not so where either is NaN.
    #[inline(always)]
    pub fn is_above(self, y: F4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, y.0)) })
    }

    #[inline(always)]
    pub fn bits(self) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_castpd_si256(self.0) })
    }

    #[inline(always)]
    pub fn lanes(self) -> [f64; 4] {
        self.bits().lanes().map(f64::from_bits)
    }

    /// Writes high and low parts where they belong, both by one instruction.
    #[inline(always)]
    pub fn put_parts(self, low: F4, [a, b, c, d]: [&mut Dd; 4]) {
        // SAFETY: lanes exist only where there is AVX2. A `Dd` is two doubles, and they need not be aligned.
        unsafe {
            let (even, odd) = (_mm256_unpacklo_pd(self.0, low.0), _mm256_unpackhi_pd(self.0, low.0));
            _mm_storeu_pd((&raw mut *a).cast(), _mm256_castpd256_pd128(even));
            _mm_storeu_pd((&raw mut *b).cast(), _mm256_castpd256_pd128(odd));
            _mm_storeu_pd((&raw mut *c).cast(), _mm256_extractf128_pd::<1>(even));
            _mm_storeu_pd((&raw mut *d).cast(), _mm256_extractf128_pd::<1>(odd));
        }
    }
}

impl U4 {
    #[inline(always)]
    pub fn floats(self) -> F4 {
        // SAFETY: lanes exist only where there is AVX2.
        F4(unsafe { _mm256_castsi256_pd(self.0) })
    }

    #[inline(always)]
    pub fn lanes(self) -> [u64; 4] {
        // SAFETY: both are 32 bytes, and any bits are words.
        unsafe { core::mem::transmute::<__m256i, [u64; 4]>(self.0) }
    }

    #[inline(always)]
    pub fn store(self, words: &mut [u64; 4]) {
        // SAFETY: lanes exist only where there is AVX2; there is room for the words, which need not be aligned.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    pub fn right<const BITS: i32>(self) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    pub fn left<const BITS: i32>(self) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_slli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    pub fn equals(self, y: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_cmpeq_epi64(self.0, y.0) })
    }

    /// As signed words.
    #[inline(always)]
    pub fn is_above(self, y: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_cmpgt_epi64(self.0, y.0) })
    }

    /// Where the answer is yes, `yes`.
    #[inline(always)]
    pub fn choose(self, yes: U4, no: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_blendv_epi8(no.0, yes.0, self.0) })
    }

    /// The larger of the halves of each word, as unsigned numbers.
    #[inline(always)]
    pub fn max_of_halves(self, y: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_max_epu32(self.0, y.0) })
    }

    /// The smaller of the halves of each word, as signed numbers.
    #[inline(always)]
    pub fn min_of_halves(self, y: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_min_epi32(self.0, y.0) })
    }

    /// Of each half of a word, as a signed number.
    #[inline(always)]
    pub fn abs_of_halves(self) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_abs_epi32(self.0) })
    }

    #[inline(always)]
    pub fn sub_halves(self, y: U4) -> U4 {
        // SAFETY: lanes exist only where there is AVX2.
        U4(unsafe { _mm256_sub_epi32(self.0, y.0) })
    }

    /// Whether all bits are 0.
    #[inline(always)]
    pub fn is_zero(self) -> bool {
        // SAFETY: lanes exist only where there is AVX2.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }

    /// Whether all bits are set.
    #[inline(always)]
    pub fn is_full(self) -> bool {
        // SAFETY: lanes exist only where there is AVX2.
        unsafe { _mm256_testc_si256(self.0, _mm256_set1_epi64x(-1)) != 0 }
    }
}

/// Rows become columns.
#[inline(always)]
pub fn transposed([a, b, c, d]: [U4; 4]) -> [U4; 4] {
    // SAFETY: lanes exist only where there is AVX2.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_epi64(a.0, b.0), _mm256_unpackhi_epi64(a.0, b.0));
        let (cd_low, cd_high) = (_mm256_unpacklo_epi64(c.0, d.0), _mm256_unpackhi_epi64(c.0, d.0));
        [
            U4(_mm256_permute2x128_si256::<0x20>(ab_low, cd_low)),
            U4(_mm256_permute2x128_si256::<0x20>(ab_high, cd_high)),
            U4(_mm256_permute2x128_si256::<0x31>(ab_low, cd_low)),
            U4(_mm256_permute2x128_si256::<0x31>(ab_high, cd_high)),
        ]
    }
}
