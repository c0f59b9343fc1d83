// A fast Fourier transform and back, with complex twiddle factors.
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 128

static void fft(double complex *x, int n, double sign) {
    if (n == 1) return;
    double complex even[n / 2], odd[n / 2];
    for (int i = 0; i < n / 2; i++) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
    fft(even, n / 2, sign);
    fft(odd, n / 2, sign);
    for (int k = 0; k < n / 2; k++) {
        double angle = sign * 2 * 3.14159265358979 * k / n;
        double complex t = __builtin_complex(cos(angle), sin(angle)) * odd[k];
        x[k] = even[k] + t, x[k + n / 2] = even[k] - t;
    }
}

int main(void) {
    double complex x[N];
    for (int i = 0; i < N; i++) x[i] = __builtin_complex(sin(i * 0.3), i % 7 / 3.0);
    fft(x, N, -1);
    for (int i = 0; i < N; i += 17) printf("%a %a\n", creal(x[i]), cimag(x[i]));
    fft(x, N, 1);
    for (int i = 0; i < N; i += 17) printf("%a %a\n", creal(x[i]) / N, cimag(x[i]) / N);
}
