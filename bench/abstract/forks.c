/* Tests that go both ways for some inputs, and whose ways meet at once. The argument is how many. */
#include <nonius.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long tests = argc > 1 ? atol(argv[1]) : 100;
    double y = 0;
    for (long n = 0; n < tests; n++) {
        double x = 0.25;
        nonius_input(&x, 0.0, 1.0);
        double z;
        if (x < 0.5)
            z = x;
        else
            z = 1 - x;
        y = 0.5 * y + z;
    }
    nonius_bounds(&y);
    printf("%g\n", y);
    return 0;
}
