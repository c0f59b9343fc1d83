// The softmax of a few scores, as the definition says it.
// exp overflows for a large score, and infinity divided by infinity is not a number.
#include <math.h>
#include <stdio.h>

static void softmax(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = exp(x[i]);
        sum += x[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] /= sum;
    }
}

int main(void) {
    double scores[] = {1000, 999, 0.5};
    softmax(scores, 3);
    printf("%g %g %g\n", scores[0], scores[1], scores[2]);
}
