// A clock that counts tenths of a second in float: off by a second after an hour.
#include <stdio.h>

static float uptime;

__attribute__((noinline)) static void tick(float step) { uptime += step; } //~ precision-loss: 4..14 bits lost @store

int main(void) {
    volatile float step = 0.1f;
    for (int i = 0; i < 36000; i++) tick(step);
    printf("%.9g\n", (double)uptime);
}
