// nonius: scale=0,200,-200
// The area of needle triangles with the terms in Kahan's order.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double area(double a, double b, double c) {
    return sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4;
}

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    printf("%.12g\n", area(ldexp(9.1, k), ldexp(9.1, k), ldexp(1, k - 50)));
    printf("%.12g\n", area(ldexp(100.01, k), ldexp(99.995, k), ldexp(0.025, k)));
}
