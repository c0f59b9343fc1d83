// A loop that counts by 0.2 up to 2.0 makes one turn too many.
#include <stdio.h>

int turns(double step, double limit) {
    int n = 0;
    for (double x = 0; x < limit; x += step) n++; //~ branch-flip
    return n;
}
int turns_by_integer(double step, double limit) {
    int n = 0;
    while (n * step < limit) n++;
    return n;
}

int main(void) {
    volatile double step = 0.2, limit = 2.0;
    printf("%d %d\n", turns(step, limit), turns_by_integer(step, limit));
}
