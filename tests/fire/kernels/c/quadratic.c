// nonius: opt=O0,O2,O2-lto,O2-thin
// The textbook formula loses the small root when b*b dwarfs 4*a*c.
#include <math.h>
#include <stdio.h>

double textbook(double b, double c) { return (-b + sqrt(b * b - 4 * c)) / 2; } //~ precision-loss: 45..53 bits lost
double stable(double b, double c) { return 2 * c / (-b - sqrt(b * b - 4 * c)); }

int main(void) {
    volatile double b = 1e8, c = 1;
    printf("%.17g %.17g\n", textbook(b, c), stable(b, c));
}
