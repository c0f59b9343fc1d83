// Fast Fourier transform, radix 2, in place: forward, scaled, and back. N is the logarithm of the length.
// bench: group=signal size=14x500 quick=12x330
#include "kernel.h"

struct complex_value {
    REAL re, im;
};

static void make_twiddles(int length, struct complex_value *twiddle)
{
    for (int k = 0; k < length / 2; k++) {
        REAL angle = (REAL)(-6.283185307179586 * k / length);
        twiddle[k].re = cos(angle);
        twiddle[k].im = sin(angle);
    }
}

HOT void reorder(int bits, struct complex_value *x)
{
    for (uint32_t i = 0; i < 1u << bits; i++) {
        uint32_t mirrored = __builtin_bitreverse32(i) >> (32 - bits);
        if (mirrored > i) {
            struct complex_value other = x[i];
            x[i] = x[mirrored];
            x[mirrored] = other;
        }
    }
}

HOT void transform(int bits, struct complex_value *restrict x, const struct complex_value *restrict twiddle, REAL direction)
{
    int length = 1 << bits;
    reorder(bits, x);
    for (int half = 1; half < length; half *= 2) {
        int stride = length / (2 * half);
        for (int start = 0; start < length; start += 2 * half)
            for (int k = 0; k < half; k++) {
                struct complex_value w = twiddle[k * stride], a = x[start + k], b = x[start + k + half];
                w.im *= direction;
                struct complex_value t = {b.re * w.re - b.im * w.im, b.re * w.im + b.im * w.re};
                x[start + k].re = a.re + t.re;
                x[start + k].im = a.im + t.im;
                x[start + k + half].re = a.re - t.re;
                x[start + k + half].im = a.im - t.im;
            }
    }
}

static void kernel(struct problem p)
{
    size_t length = (size_t)1 << p.n;
    struct complex_value *x = allocate(length, sizeof *x), *twiddle = allocate(length / 2, sizeof *twiddle);
    make_twiddles((int)length, twiddle);
    fill(&x->re, 2 * length);
    REAL scale = 1 / (REAL)length;
    for (int rep = 0; rep < p.reps; rep++) {
        transform(p.n, x, twiddle, 1);
        transform(p.n, x, twiddle, -1);
        for (size_t i = 0; i < length; i++) {
            x[i].re *= scale;
            x[i].im *= scale;
        }
    }
    digest(&x->re, 2 * length);
    free(x);
    free(twiddle);
}
