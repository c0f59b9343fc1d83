// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// Every function of <math.h> at many arguments, bit for bit.
#include <math.h>
#include <stdio.h>

typedef double (*unary)(double);
static const unary functions[] = {sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, logb, sqrt, cbrt, erf, erfc, tgamma, lgamma, floor, ceil, trunc, round, rint, nearbyint, fabs};

static void show(double x) { isnan(x) ? printf("nan ") : printf("%a ", x); }

int main(void) {
    volatile double xs[] = {0.1, 0.9, 1, 2.5, -0.3, 30, 1e-300, 1e5, -7};
    for (int i = 0; i < 9; i++) {
        double x = xs[i];
        for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) show(functions[f](x));
        show(sin(x) + cos(x)), show(exp(x) * 2), show(log(fabs(x)) - 1), show(sqrt(fabs(x)) / 3);
        puts("");
        for (int j = 0; j < 9; j++) {
            double y = xs[j];
            show(pow(fabs(x), y)), show(atan2(x, y)), show(hypot(x, y)), show(fmod(x, y)), show(remainder(x, y));
            show(fmax(x, y)), show(fmin(x, y)), show(fdim(x, y)), show(copysign(x, y)), show(fma(x, y, 1)), show(nextafter(x, y));
        }
        puts("");
    }
}
