// The float and long double variants, and those with several results.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile float fs[] = {0.1f, 0.7f, 2.5f, 33};
    for (int i = 0; i < 4; i++) {
        float x = fs[i], whole, s;
        long double l = x;
        int e, q, sign = 0;
        printf("%a %a %a %a %a ", sinf(x), cosf(x), expf(x), logf(x), powf(x, 1.7f));
        printf("%a %a %a %a %a ", sqrtf(x), cbrtf(x), atan2f(x, 2), hypotf(x, 1), fmodf(x, 0.3f));
        printf("%La %La %La %La ", sinl(l), expl(l), sqrtl(l), powl(l, 1.7L));
        printf("%a %d ", frexpf(x, &e), e);
        printf("%a %a ", modff(x, &whole), whole);
        printf("%a %d ", remquof(x, 0.3f, &q), q & 7);
        printf("%a %ld %ld %lld ", ldexpf(x, 5), lroundf(x), lrintf(x), llrint(x * 2));
        printf("%a %d %a ", lgammaf(x), sign, scalbnf(x, -3));
        s = sinf(x) * sinf(x) + cosf(x) * cosf(x);
        printf("%a %d %d %d\n", s, ilogbf(x), isfinite(s), signbit(-x) != 0);
    }
}
