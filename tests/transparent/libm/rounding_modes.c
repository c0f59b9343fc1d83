// nonius: flags=-frounding-math opt=O0,O1,O2,O3,O2-native,O2-contract
// All four rounding modes, set at run time.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#pragma STDC FENV_ACCESS ON

__attribute__((noinline)) static double work(double x, double y) { return x / y + x * y - sqrt(x) + (float)y; }

int main(void) {
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile double x = 0.1, y = 3.3;
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        double sum = 0;
        for (int k = 1; k < 50; k++) sum += work(x, y + k);
        printf("%a %a %ld %a %d\n", work(x, y), rint(x * 25), lrint(y * 2.5), sum, fegetround() == modes[i]);
    }
}
