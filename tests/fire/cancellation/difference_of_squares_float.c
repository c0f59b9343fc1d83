// x*x - y*y in float; (x-y)*(x+y) subtracts before anything is rounded.
#include <stdio.h>

float squares(float x, float y) { return x * x - y * y; } //~ precision-loss: 8..14 bits lost
float factored(float x, float y) { return (x - y) * (x + y); }

int main(void) {
    volatile float x = 4097.0f, y = 4096.0f;
    printf("%g\n", (double)squares(x, y));
    printf("%g\n", (double)factored(x, y));
}
