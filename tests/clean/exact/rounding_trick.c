// Adding and subtracting 1.5 * 2^52 rounds to an integer on purpose; likewise 1.5 * 2^23 in float.
#include <stdio.h>

#define MAGIC 6755399441055744.0
#define MAGIC_FLOAT 12582912.0f

static double to_integer(double x) { return (x + MAGIC) - MAGIC; }
static float to_integer_float(float x) { return (x + MAGIC_FLOAT) - MAGIC_FLOAT; }

int main(void) {
    volatile double xs[] = {0.3, 2.7, -3.4, 1234567.9, 0.5};
    for (int i = 0; i < 5; i++) {
        double n = to_integer(xs[i]);
        float f = to_integer_float((float)xs[i]);
        printf("%g %d %g %g\n", n, (int)n, (double)f, to_integer(xs[i] * 0.1 * 3)); // also of what has an error
    }
}
