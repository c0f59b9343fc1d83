// The angle between vectors by acos of a cosine that rounds to more than 1: NaN. Clamped, it is none.
#include <math.h>
#include <stdio.h>

static double clamped(double x)
{
    return x > 1 ? 1 : x;
}

int main(void)
{
    volatile double x = 0.1, y = 0.7, z = 0.3;
    double dot = x * x + y * y + z * z;
    double cosine = dot / (sqrt(dot) * sqrt(dot)) * (1 + 0x1p-50);
    double angle = acos(cosine);
    double sum = angle + 1;
    printf("%g %g\n", sum, acos(clamped(cosine)));
}
