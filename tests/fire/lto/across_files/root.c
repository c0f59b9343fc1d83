#include <math.h>

double small_root(double b, double c) {
    double d = sqrt(b * b - 4 * c);
    return (-b + d) / 2; //~ precision-loss: 45..53 bits lost
}

double stable_root(double b, double c) {
    double d = sqrt(b * b - 4 * c);
    return 2 * c / (-b - d);
}
