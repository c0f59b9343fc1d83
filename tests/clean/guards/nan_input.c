// nonius: stdin="1 nan 3 inf 5\n"
// NaN and infinity that were read, or are constants, are data; so is what follows from them.
#include <math.h>
#include <stdio.h>

int main(void) {
    double x, sum = 0, low = INFINITY, missing = NAN;
    int bad = 0;
    while (scanf("%lf", &x) == 1) {
        if (isnan(x)) {
            bad++;
            missing = x + missing * 2;
            continue;
        }
        low = fmin(low, x);
        if (isfinite(x)) sum += x;
        if (1 / x < 0.01) sum += 0.5;
    }
    printf("%g %g %d %d %g\n", sum, low, bad, isnan(missing), x > 0 ? -HUGE_VAL : 0);
}
