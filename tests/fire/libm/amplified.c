// Functions that amplify: sin of a sum whose last place is 16, exp of a large one, pow to a high power.
#include <math.h>
#include <stdio.h>

double phase(double turns, double offset) { return sin(turns + offset); }         //~ precision-loss: 33..53 bits lost
double growth(double rate, double years) { return pow(1 + rate, years); }            //~ precision-loss: 33..53 bits lost
double stable_growth(double rate, double years) { return exp(years * log1p(rate)); }

int main(void) {
    volatile double turns = 1e17, offset = 3, rate = 1e-13;
    volatile double years = 1e12;
    printf("%g\n", phase(turns, offset));
    printf("%.17g\n", growth(rate, years));
    printf("%.17g\n", stable_growth(rate, years));
}
