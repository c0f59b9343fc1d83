// The textbook formula loses the small root when b*b dwarfs 4*a*c.
#include <math.h>
#include <stdio.h>

double textbook(double a, double b, double c) {
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a); //~ precision-loss: 45..53 bits lost
}
double stable(double a, double b, double c) {
    return 2 * c / (-b - sqrt(b * b - 4 * a * c));
}

int main(void) {
    volatile double a = 1, b = 1e8, c = 1;
    printf("%.17g\n", textbook(a, b, c));
    printf("%.17g\n", stable(a, b, c));
}
