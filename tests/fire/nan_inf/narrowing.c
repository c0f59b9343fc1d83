// A double that does not fit a float becomes infinite in the conversion.
#include <stdio.h>

float narrow(double x) { return (float)x; } //~ inf

int main(void) {
    volatile double fits = 1e38, large = 1e39;
    printf("%g\n", (double)narrow(fits));
    printf("%g\n", (double)narrow(large));
}
