// lround and lrint of 5.4999999, which exactly is 5.5 and more; floor of 0.99999, which is 1 and more.
#include <math.h>
#include <stdio.h>

double sum_of(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

int main(void) {
    volatile double part = 0.1;
    long a = lround(sum_of(part, 55)); //~ cast-flip
    long b = lrint(sum_of(part, 55));  //~ cast-flip
    printf("%ld %ld\n", a, b);
    double c = floor(sum_of(part, 10)); //~ cast-flip
    printf("%g\n", c);
}
