// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// The exception flags that exact, inexact, overflowing and invalid operations leave.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#pragma STDC FENV_ACCESS ON

#define TRY(expression) (feclearexcept(FE_ALL_EXCEPT), r = (expression), \
    printf("%2x %d\n", fetestexcept(FE_ALL_EXCEPT), r > 0))

int main(void) {
    volatile double one = 1, three = 3, zero = 0, big = 1e308, tiny = 1e-308, r;
    TRY(one + three), TRY(one / three), TRY(big * three), TRY(tiny * tiny), TRY(one / zero), TRY(zero / zero);
    TRY(three * 0.5), TRY(tiny * 0.5), TRY(sqrt(three)), TRY(sqrt(three + one)), TRY((float)one), TRY((float)(one / three));
    TRY((double)(int)three), TRY((double)(int)2.5 * one), TRY(three - one), TRY(three > zero);
}
