// Angles and times that should be whole periods: the quotient is one less, and the remainder a whole period off.
#include <math.h>
#include <stdio.h>

double sum_of(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

int main(void) {
    volatile double tenth = 0.1;
    volatile float tenthf = 0.1f;
    double one = sum_of(tenth, 10);
    printf("%g\n", fmod(one, 1.0));            //~ cast-flip
    printf("%g\n", fmod(-one, 1.0));           //~ cast-flip
    printf("%g\n", remainder(sum_of(tenth, 55), 1.0)); //~ cast-flip
    int quotient;
    printf("%g\n", remquo(sum_of(tenth, 55), 1.0, &quotient)); //~ cast-flip
    float sum = 0;
    for (int i = 0; i < 50; i++) sum += tenthf; // 4.999999, less than 5 exactly
    printf("%g\n", fmodf(sum, 5.0f));          //~ cast-flip
}
