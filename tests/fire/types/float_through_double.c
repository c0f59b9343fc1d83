// Computing in double and storing in float in between gives float's accuracy.
#include <stdio.h>

struct sample { float value; };

__attribute__((noinline)) double deviation(const struct sample *s, double mean) {
    return s->value - mean; //~ precision-loss: 40..53 bits lost
}

int main(void) {
    volatile double reading = 1234.5678, mean = 1234.5677;
    struct sample s = {(float)reading};
    printf("%g\n", deviation(&s, mean));
    printf("%g\n", reading - mean);
}
