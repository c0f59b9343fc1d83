// nonius: flags=-Wno-psabi
// Vector types from 2 to 32 lanes: arithmetic, comparison masks, shuffles, conversions.
#include <stdio.h>

#define SHOW(v, n) for (int i = 0; i < n; i++) printf("%a%c", (double)(v)[i], i == n - 1 ? '\n' : ' ')
#define TEST(type, n)                                                                                   \
    __attribute__((noinline)) static void test_##type##n(volatile double *in) {                        \
        typedef type vec __attribute__((ext_vector_type(n)));                                           \
        vec a, b;                                                                                       \
        for (int i = 0; i < n; i++) a[i] = (type)(*in * (i + 1)), b[i] = (type)(7 / *in - i);          \
        vec s = a + b, d = a - b * 3, p = a * b, q = b / (a + 1), m = a < b - 70 ? a : -b;             \
        SHOW(s, n); SHOW(d, n); SHOW(p, n); SHOW(q, n); SHOW(m, n);                                     \
        vec r = __builtin_shufflevector(a, b, n - 1, 0, n, n + 1, 2 * n - 1, 1, 0, 1 % n).lo.xyxy.x + a; \
        SHOW(r, n);                                                                                     \
    }
TEST(float, 2) TEST(float, 4) TEST(float, 8) TEST(float, 16) TEST(float, 32)
TEST(double, 2) TEST(double, 4) TEST(double, 8) TEST(double, 16)

int main(void) {
    volatile double in = 0.1;
    test_float2(&in), test_float4(&in), test_float8(&in), test_float16(&in), test_float32(&in);
    test_double2(&in), test_double4(&in), test_double8(&in), test_double16(&in);
}
