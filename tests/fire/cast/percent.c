// Percent of an accumulated share: 99 instead of 100, to long, unsigned and a small type alike.
#include <stdio.h>

double share(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

int main(void) {
    volatile double part = 0.1;
    double all = share(part, 10);
    long l = (long)(all * 100);                   //~ cast-flip
    unsigned u = (unsigned)(all * 100);           //~ cast-flip
    unsigned char c = (unsigned char)(all * 100); //~ cast-flip
    printf("%ld %u %d %ld\n", l, u, c, (long)(all * 100 + 1e-9));
}
