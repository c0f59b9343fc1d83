// The stable twins of fire/folded/arrays.c: nothing is wrong, and nothing keeps the optimizer from folding it.
#include <math.h>
#include <stdio.h>

static double total(const double *terms, int count) {
    double sum = 0, lost = 0;
    for (int i = 0; i < count; i++) {
        double next = sum + terms[i];
        double part = next - sum;
        lost += (sum - (next - part)) + (terms[i] - part);
        sum = next;
    }
    return sum + lost;
}

static void roots(double a, double b, double c, double *root) {
    double q = -(b + copysign(sqrt(b * b - 4 * a * c), b)) / 2;
    root[0] = c / q;
    root[1] = q / a;
}

int main(void) {
    double terms[] = {1e16, 1, -1e16};
    printf("%.17g\n", total(terms, 3));
    double root[2];
    roots(1, 1e9, 1, root);
    printf("%.17g %.17g\n", root[0], root[1]);
    double time = 0;
    int steps = 0;
    while (time < 1.0) {
        time += 0.125;
        steps++;
    }
    printf("%d\n", steps);
    return 0;
}
