// exp(x) - 1 and log(1 + x) for small x, beside the functions made for it.
#include <math.h>
#include <stdio.h>

double naive_exp(double x) { return (exp(x) - 1) / x; }  //~ precision-loss: 36..46 bits lost
double naive_log(double x) { return log(1 + x) / x; }    //~ precision-loss: 36..46 bits lost
double good_exp(double x) { return expm1(x) / x; }
double good_log(double x) { return log1p(x) / x; }

int main(void) {
    volatile double x = 1e-12;
    printf("%.17g %.17g\n", naive_exp(x), naive_log(x));
    printf("%.17g %.17g\n", good_exp(x), good_log(x));
}
