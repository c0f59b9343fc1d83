// A union that is written as a double and read as a vector: the sum's noise has one lane, the value has two.
#include <stdio.h>
typedef double v2 __attribute__((vector_size(16)));
union both { double one; v2 two; };
static v2 out;
int main(void) {
    volatile double a = 0.1, b = 0.3, c = 0.7;
    union both u;
    u.one = a * b + c * a;
    out = u.two;
    printf("%a\n", out[0]);
    return 0;
}
