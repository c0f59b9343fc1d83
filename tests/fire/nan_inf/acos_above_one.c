// acos and asin of a cosine that came out an ulp above 1.
#include <math.h>
#include <stdio.h>

double angle(double cosine) { return acos(cosine); }                          //~ nan
double clamped(double cosine) { return acos(cosine > 1 ? 1 : cosine); }
float angle_float(float sine) { return asinf(sine); }                         //~ nan

int main(void) {
    volatile double c = 1 + 0x1p-52;
    volatile float s = 1 + 0x1p-23f;
    printf("%g\n", angle(c));
    printf("%g\n", clamped(c));
    printf("%g\n", (double)angle_float(s));
}
