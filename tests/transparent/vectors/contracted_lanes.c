// nonius: flags=-ffp-contract=fast opt=O1,O2,O3,O2-native,O3-native,O2-contract
// Products and sums that meet as lanes of vectors, which the code generator takes apart and fuses, or moves behind the
// arithmetic: shadows of the lanes must not keep it from either.
#include <stdio.h>

#define N 37

__attribute__((noinline)) static void apart(const double *restrict a, const double *restrict b, double u, double v,
                                            double *o) {
    double x = u, y = v;
    for (int i = 0; i < N; i++) {
        double next = (x + a[i]) - (y + a[i]);
        y = (y * b[i]) + (y * x);
        x = next;
        if (!(x < 100 && x > -100)) x = u;
        if (!(y < 100 && y > -100)) y = v;
        o[i] = x + y;
    }
}

__attribute__((noinline)) static void behind(const float *a, const float *b, float u, float v, float *restrict o) {
    float x = u, y = v;
    for (int i = 0; i < N; i++) {
        float next = (y * a[i]) + (-a[i]);
        y = (x * x) - (b[i] * x);
        x = next;
        if (!(x < 100 && x > -100)) x = u;
        if (!(y < 100 && y > -100)) y = v;
        o[i] = x + y;
    }
}

__attribute__((noinline)) static void turned(const double *a, const double *b, double *restrict o) {
    for (int i = 0; i + 1 < N; i += 2) {
        double re = a[i] * b[i] - a[i + 1] * b[i + 1], im = a[i] * b[i + 1] + a[i + 1] * b[i];
        o[i] = re * b[i] - im;
        o[i + 1] = im * b[i] + re;
    }
}

typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));

// A lane of a vector's square, with calls between the square and what is subtracted from it.
__attribute__((noinline)) static double squared(const volatile float *a) {
    float8 x = (float8)(a[0]) * (float8)(0x1p-11f);
    float8 first = x * x;
    printf("%a %a\n", (double)first[0], (double)first[7]);
    float4 sum = (float4)(x[7]) + (float4)(0x1p-24f);
    float4 difference = sum * sum - (float4)(x[7]) * (float4)(x[7]);
    printf("%a\n", (double)a[1]);
    return difference[3];
}

// With a stride, products of all lanes of which half are used: their lanes are taken before they are fused. `twice` has
// a square that is computed once for two uses, and fused with neither.
__attribute__((noinline)) static void strided(const double *restrict a, const double *restrict b, double v,
                                              double *restrict o, double *restrict p) {
    for (int i = 0; i + 1 < N; i += 2) {
        double s = v * a[i] - a[i] * b[i], t = a[i] * v + b[i] * b[i];
        o[i] = s < 8 && s > -8 ? s : v;
        p[i] = t < 8 && t > -8 ? t : v;
    }
}

__attribute__((noinline)) static void added(const double *restrict a, const double *restrict b, double u,
                                            double *restrict o) {
    for (int i = 0; i + 1 < N; i += 2) o[i] = b[i] * a[i] + u * u;
}

__attribute__((noinline)) static void nested(const double *a, const double *b, double s, double v, double *o) {
    for (int i = 0; i + 1 < N; i += 2) {
        double w = (b[i] * a[i] + (b[i] - a[i + 1])) * ((v - a[i + 1]) * (s - a[i]));
        o[i] = w * s + s * a[i + 1];
    }
}

__attribute__((noinline)) static void twice(const float *restrict a, const float *restrict b, float u, float t,
                                            float *restrict o) {
    for (int i = 0; i + 1 < N; i += 2) {
        float w = (a[i] * a[i] + b[i]) * (a[i + 1] * a[i + 1] * (t + t));
        o[i] = w * w + a[i] * u + u * b[i] + b[i] * a[i];
    }
}

int main(void) {
    double a[N], b[N], o[N] = {0};
    float af[N], bf[N], of[N];
    for (int i = 0; i < N; i++) {
        af[i] = (float)(a[i] = 1.0 / (i + 3) - 0.1);
        bf[i] = (float)(b[i] = 0.7 - 1.0 / (i + 1.3));
    }
    apart(a, b, 0.37, -0.61, o);
    behind(af, bf, 0.37f, -0.61f, of);
    for (int i = 0; i < N; i++) printf("%a %a\n", o[i], (double)of[i]);
    turned(a, b, o);
    for (int i = 0; i < N; i++) printf("%a\n", o[i]);
    for (int i = 0; i + 1 < N; i++) printf("%a\n", squared(af + i));
    double p[N] = {0};
    strided(a, b, 0.37, o, p);
    for (int i = 0; i < N; i++) printf("%a %a\n", o[i], p[i]);
    added(a, b, 0.37, o);
    nested(a, b, 0.37, -0.61, p);
    twice(af, bf, 0.37f, -0.61f, of);
    for (int i = 0; i + 1 < N; i += 2) printf("%a %a %a\n", o[i], p[i], (double)of[i]);
}
