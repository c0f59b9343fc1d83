// The other examples as they should be written. Nothing is found here.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The large root has no cancellation, and the product of both roots is c.
static double small_root(double b, double c) {
    double d = sqrt(b * b - 4 * c);
    return 2 * c / (-b - d);
}

// Two passes: the differences from the mean are small numbers with all their digits.
static double variance(const double *x, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
    }
    double mean = sum / n;
    for (int i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
    }
    return squares / n;
}

// Only differences of scores matter, so the largest may as well be 0.
static void softmax(double *x, int n) {
    double max = x[0], sum = 0;
    for (int i = 1; i < n; i++) {
        max = fmax(max, x[i]);
    }
    for (int i = 0; i < n; i++) {
        x[i] = exp(x[i] - max);
        sum += x[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] /= sum;
    }
}

int main(int argc, char **argv) {
    double large = argc > 1 ? atof(argv[1]) : 1e8;
    printf("root: %.17g\n", small_root(large, 1));

    double data[] = {large + 1, large + 2, large + 3};
    printf("variance: %g\n", variance(data, 3));

    double scores[] = {large, large - 1, 0.5};
    softmax(scores, 3);
    printf("softmax: %g %g %g\n", scores[0], scores[1], scores[2]);

    // Count in integers, and make the time from the count.
    double step = large / 1e9, time = 0;
    for (int steps = 1; steps <= 10; steps++) {
        time = steps * step;
    }
    printf("time: %g\n", time);
}
