// nonius: opt=O0,O2
// The small term vanishes beside the big one; in another order it survives.
#include <stdio.h>

double big_first(double big, double small) {
    double sum = big + small;
    return sum - big; //~ precision-loss: 52..53 bits lost
}
double small_last(double big, double small) { return (big - big) + small; }

int main(void) {
    volatile double big = 1e16, small = 1;
    printf("%g %g\n", big_first(big, small), small_last(big, small));
}
