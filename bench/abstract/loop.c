/* A reactive system: a filter of second order and a controller, on a sensor that is off by up to 1e-3 and rounded. Its
 * saturations are out of reach in this scenario. The argument is the number of steps. */
#include <nonius.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 1000;
    double y = 0, y1 = 0, x1 = 0, x2 = 0, u = 0;
    for (long n = 0; n < steps; n++) {
        double x = 0.5 + 0.001 * (n % 7);
        nonius_input_error(&x, x - 1e-3, x + 1e-3, -1e-6, 1e-6);
        double z = 0.7 * x - 1.3 * x1 + 1.1 * x2 + 1.4 * y - 0.7 * y1;
        x2 = x1, x1 = x, y1 = y, y = z;
        u = 0.9 * u + 0.1 * (0.5 - y);
        if (u > 50) u = 50;
        if (u < -50) u = -50;
    }
    nonius_bounds(&y);
    printf("%g %g\n", y, u);
    return 0;
}
