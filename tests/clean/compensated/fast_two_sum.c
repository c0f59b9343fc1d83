// Dekker's FastTwoSum, in float and through returned structs.
#include <stdio.h>

struct pair { float high, low; };

__attribute__((noinline)) static struct pair fast_two_sum(float a, float b) {
    float s = a + b;
    return (struct pair){s, b - (s - a)};
}

int main(void) {
    volatile float step = 0.1f;
    struct pair p = {1000, 0};
    for (int i = 0; i < 1000; i++) {
        struct pair q = fast_two_sum(p.high, step);
        p = fast_two_sum(q.high, p.low + q.low);
    }
    printf("%.9g\n", (double)p.high);
}
