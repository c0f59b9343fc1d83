#include <fenv.h>
#include <stdio.h>

#define N 21
typedef double lanes __attribute__((vector_size(32)));

#define KERNELS(T, NAME)                                                                                  \
    __attribute__((noinline)) static T line_##NAME(T i, T a, T b) { return i * a + b; }                   \
    __attribute__((noinline)) static T pair_##NAME(T i, T a, T b) { return i * a - b * a + i; }           \
    __attribute__((noinline)) static void map_##NAME(const T *x, const T *y, T u, T *o) {                 \
        for (int i = 0; i < N; i++) o[i] = x[i] * y[i] + u;                                               \
    }                                                                                                     \
    __attribute__((noinline)) static T dot_##NAME(const T *x, const T *y) {                               \
        T s = 0;                                                                                          \
        for (int i = 0; i < N; i++) s += x[i] * y[i];                                                     \
        return s;                                                                                         \
    }                                                                                                     \
    static void all_##NAME(void) {                                                                        \
        T x[N], y[N], o[N];                                                                               \
        for (int i = 0; i < N; i++) x[i] = (T)0.1 * (T)(i + 1), y[i] = (T)1.7 / (T)(i + 3);               \
        map_##NAME(x, y, (T)0.3, o);                                                                      \
        for (int i = 0; i < N; i++)                                                                       \
            printf("%La %La %La\n", (long double)line_##NAME(x[i], y[i], (T)0.7),                         \
                   (long double)pair_##NAME(x[i], y[i], (T)0.7), (long double)o[i]);                      \
        printf("%La\n", (long double)dot_##NAME(x, y));                                                   \
    }

KERNELS(float, float)
KERNELS(double, double)
KERNELS(long double, long_double)

__attribute__((noinline)) static lanes line_lanes(lanes x, lanes y, lanes z) { return x * y + z; }

int main(void) {
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        all_float();
        all_double();
        all_long_double();
        volatile double a = 0.1, b = 1.3;
        lanes x = {a, b, a * 3, b * 7}, y = {b, a, b * 5, a * 11}, z = {a * 9, b * 2, a, b};
        lanes r = line_lanes(x, y, z);
        printf("%a %a %a %a\n", r[0], r[1], r[2], r[3]);
    }
}
