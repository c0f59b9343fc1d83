// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// errno after calls that succeed, overflow, underflow or leave their domain, and that it stays otherwise.
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define TRY(call) (errno = 0, x = (call), printf("%d %d\n", errno, x > 0))

int main(void) {
    volatile double zero = 0, one = 1, two = 2, big = 1e300, minus = -1, x;
    TRY(sqrt(minus)), TRY(log(zero)), TRY(log(minus)), TRY(exp(big)), TRY(exp(-big)), TRY(pow(big, two)), TRY(pow(minus, 0.5));
    TRY(acos(two)), TRY(fmod(one, zero)), TRY(tgamma(zero)), TRY(ldexp(one, 99999)), TRY(sin(one)), TRY(hypot(1e308, 1.7e308));
    TRY(atanh(one)), TRY(expm1(big)), TRY(log1p(minus)), TRY(cosh(big)), TRY(remainder(one, zero)), TRY(sqrt(two));
    errno = 77;
    x = sin(one) + sqrt(two) * exp(one) / 3;
    double sum = 0;
    for (int i = 0; i < 100; i++) sum += one / (i + 1);
    printf("%d %a %a\n", errno, sum, x);
}
