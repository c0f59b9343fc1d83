// Losses and flips in computations with rounded constants that are far beyond how those were rounded.
#include <math.h>
#include <stdio.h>

volatile double one = 1;
volatile int n = 1000000;

// Ten times 0.1 is no less than 1, wherever within half an ulp the step lies: this counts eleven.
__attribute__((noinline)) static int steps(double end) {
    int count = 0;
    for (double t = 0; t < end; t += 0.1) //~ branch-flip @branch
        count++;
    return count;
}

int main(void) {
    printf("%d\n", steps(one));
    // The error of a million sums is a hundred thousand times what the constant's rounding adds up to.
    double s = 0;
    for (int i = 0; i < n; i++) s += 0.1;
    double rest = s - 1e5; //~ precision-loss: 50..53 bits lost @output
    printf("%g\n", rest);
    // The root is -8e-10, the sum 0: b and its square are of one constant, and move together.
    double b = one * 123456789.1, c = one * 0.1;
    double root = (-b + sqrt(b * b - 4 * c)) / 2; //~ precision-loss: 52..53 bits lost @output
    printf("%g\n", root);
    double x = one * 1.1e-8;
    double half = (1 - cos(x)) / (x * x); //~ precision-loss: 51..53 bits lost @output
    printf("%g\n", half);
    // Stable forms of the same.
    double sine = sin(x / 2) / x;
    printf("%g %g\n", -2 * c / (b + sqrt(b * b - 4 * c)), 2 * sine * sine);
}
