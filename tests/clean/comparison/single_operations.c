// One correctly rounded operation is as good as it gets: no comparison or cast of its result may flip.
#include <stdio.h>

int main(void) {
    volatile double a = 0.1, b = 0.2, c = 0.3, d = 1.15, e = 0.7;
    int n = 0;
    if (a + b == c) n += 1;
    if (c - b == a) n += 2;
    if (a * 3 == c) n += 4;
    if (c / a == 3) n += 8;
    printf("%d %d %d %d\n", n, (int)(d * 100), (int)(c / a), (int)(e / a));
}
