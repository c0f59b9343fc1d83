// Escape times: thousands of branches decided by floats.
#include <stdio.h>

__attribute__((noinline)) static int escape(double cx, double cy) {
    double x = 0, y = 0;
    int n = 0;
    for (; n < 200 && x * x + y * y < 4; n++) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    return n;
}

int main(void) {
    unsigned long sum = 0;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++) sum = sum * 31 + (unsigned long)escape(i / 25.0 - 1.9, j / 30.0 - 1);
    printf("%lu\n", sum);
}
