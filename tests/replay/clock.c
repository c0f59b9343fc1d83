// A clock that adds up tenths of a second in float drifts (the Patriot's); counting ticks does not.
#include <stdio.h>

int main(void)
{
    volatile float tenth = 0.1f;
    volatile int ticks = 2000;
    float drifting = 0, steady = 0;
    for (int i = 0; i < ticks; i++) {
        drifting += tenth;
        steady = (float)i / 10;
    }
    printf("%.9g %.9g\n", drifting, steady);
}
