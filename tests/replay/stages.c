// Muller's sequence: value and ideal agree in the end, between its stages the error explodes. Heron's does not.
#include <nonius.h>
#include <stdio.h>

int main(void)
{
    volatile double first = 2.0, second = -4.0;
    double before = first, now = second, root = 1.0;
    for (int i = 3; i <= 32; i++) {
        nonius_stage_begin(0);
        double next = 111.0 - 1130.0 / now + 3000.0 / (now * before);
        before = now;
        now = next;
        nonius_stage_end(0);
        nonius_stage_begin(1);
        root = (root + first / root) / 2;
        nonius_stage_end(1);
    }
    printf("%.17g %.17g\n", now, root);
}
