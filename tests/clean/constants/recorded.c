// Values that are held against what such a program printed once. In exact arithmetic they never equal a number that has all
// the digits of its format; that they still do, or are as near, says nothing against them.
#include <math.h>
#include <stdio.h>

static const double printed[] = {0.9999999999999999, 0.6000000000000001, 0.30000000000000004};

__attribute__((noinline)) static double times(int n, double step) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += step;
    return sum;
}

__attribute__((noinline)) static int is_close(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

int main(void) {
    volatile double tenth = 0.1, fifth = 0.2;
    volatile float third = 0.1f;
    volatile int n = 10, first = 0;
    double sum = times(n, tenth);
    int same = sum == 0.9999999999999999;
    same += sum == printed[first];
    if (sum != printed[first]) same = -100;
    double gap = sum - 0.9999999999999999;
    if (gap != 0.0) same = -100;
    if (fabs(gap) > 1e-17) same = -100;
    same += fabs(sum - printed[first]) / printed[first] < 1e-17;
    same += is_close(sum, 0.9999999999999999, 1e-17);
    same += 1e-17 > fabs(sum - printed[first]) * 0.5;
    same += tenth + fifth + 0.3 == printed[first + 1];
    float small = third + third + third + third + third + third + third + third;
    same += small == 0.8000001f;
    printf("%d\n", same);
}
