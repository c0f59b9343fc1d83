// nonius: flags="-mavx2 -mfma"
// Vendor intrinsics: blends, permutes, horizontal adds, conversions, fma, approximations.
#include <immintrin.h>
#include <stdio.h>

static void show(__m256d v) { printf("%a %a %a %a\n", v[0], v[1], v[2], v[3]); }
static void show_float(__m256 v) { for (int i = 0; i < 8; i++) printf("%a ", (double)v[i]); puts(""); }

int main(void) {
    volatile double in = 0.1;
    __m256d a = _mm256_set_pd(in, 2 / in, -3, in * in), b = _mm256_set1_pd(1 / in);
    show(_mm256_add_pd(a, b)), show(_mm256_hadd_pd(a, b)), show(_mm256_fmadd_pd(a, b, a)), show(_mm256_fnmsub_pd(a, a, b));
    show(_mm256_blendv_pd(a, b, _mm256_cmp_pd(a, b, _CMP_LT_OQ))), show(_mm256_permute4x64_pd(a, 0x1b));
    show(_mm256_round_pd(a, 8)), show(_mm256_sqrt_pd(_mm256_mul_pd(a, a))), show(_mm256_max_pd(a, _mm256_addsub_pd(a, b)));
    show(_mm256_and_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(0x7fffffffffffffff))));
    __m256 f = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a)), _mm256_cvtpd_ps(b), 1);
    show_float(f), show_float(_mm256_rsqrt_ps(_mm256_mul_ps(f, f))), show_float(_mm256_rcp_ps(f)), show_float(_mm256_dp_ps(f, f, 0xf1));
    printf("%d %d\n", _mm256_movemask_pd(a), _mm_cvtsd_si32(_mm256_castpd256_pd128(b)));
}
