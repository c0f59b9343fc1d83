// What the optimizer works out through loops, arrays, structs and pointers is as wrong as what it folds at once.
#include <math.h>
#include <stdio.h>

struct point {
    double x, y;
};

static double total(const double *terms, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += terms[i]; //~ precision-loss: 52..53 bits lost @output
    return sum;
}

static void roots(double a, double b, double c, double *root) {
    double d = sqrt(b * b - 4 * a * c);
    root[0] = (-b + d) / (2 * a); //~ precision-loss: 52..53 bits lost @output
    root[1] = (-b - d) / (2 * a);
}

static double turn(struct point a, struct point b, struct point c) {
    double left = (b.x - a.x) * (c.y - a.y);
    double right = (b.y - a.y) * (c.x - a.x);
    return left - right; //~ precision-loss: 52..53 bits lost @output
}

int main(void) {
    double terms[] = {1e16, 1, -1e16};
    printf("%.17g\n", total(terms, 3));
    double root[2];
    roots(1, 1e9, 1, root);
    printf("%.17g %.17g\n", root[0], root[1]);
    // A float that grows no more.
    float count = 16777216;
    for (int i = 0; i < 1000; i++)
        count += 1; //~ precision-loss: 8..10 bits lost @output
    printf("%.9g\n", count);
    struct point a = {0, 0}, b = {94906267, 94906268}, c = {94906266, 94906267};
    printf("%.17g\n", turn(a, b, c));
    double tenth = 0.125 / 1.25, time = 0;
    int steps = 0;
    while (time < 1.0) { //~ branch-flip
        time += tenth;
        steps++;
    }
    printf("%d\n", steps);
    return 0;
}
