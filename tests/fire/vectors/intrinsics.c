// nonius: flags="-mavx2 -mfma"
// Vendor intrinsics are vector code like any other.
#include <immintrin.h>
#include <stdio.h>

__attribute__((noinline)) void rest(const double *a, const double *b, double *out) {
    __m256d x = _mm256_loadu_pd(a), y = _mm256_loadu_pd(b);
    _mm256_storeu_pd(out, _mm256_sub_pd(_mm256_sqrt_pd(_mm256_add_pd(x, y)), _mm256_sqrt_pd(x))); //~ precision-loss: 45..53 bits lost @store
}
__attribute__((noinline)) void by_fma(const double *a, const double *b, double *out) {
    __m256d x = _mm256_loadu_pd(a), y = _mm256_loadu_pd(b), p = _mm256_mul_pd(x, y);
    _mm256_storeu_pd(out, _mm256_fmsub_pd(x, y, p)); // the exact rounding error, on purpose
}

int main(void) {
    volatile double big = 1e15;
    double a[4] = {1, 2, big, 4}, b[4] = {1, 1, 1, 1}, c[4] = {0.1, 0.2, 0.3, 0.4}, out[4];
    static double error[4];
    rest(a, b, out);
    by_fma(c, c, error);
    printf("%g\n", out[2]);
}
