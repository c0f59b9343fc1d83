// Forty tests in a row that can each go both ways: their paths meet behind each of them.
// bound: y 4e-8 4.1e-8
#include <nonius.h>
#include <stdio.h>

int main(void) {
    double x = 0.3, y = 0;
    nonius_input_error(&x, 0.0, 1.0, -1e-9, 1e-9);
    for (int i = 1; i <= 40; i++) {
        double knot = i / 41.0;
        if (x < knot)
            y += x;
        else
            y += knot;
    }
    nonius_bounds(&y);
    printf("%.17g\n", y);
    return 0;
}
