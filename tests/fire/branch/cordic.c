// A CORDIC-like search in float: after some twenty halvings the sign of what is left is chance.
#include <math.h>
#include <stdio.h>

int turns_left(float angle, const float *table, int steps) {
    float rest = angle;
    int ups = 0;
    for (int i = 0; i < steps; i++) {
        if (rest < 0) { //~ branch-flip
            rest += table[i];
        } else {
            rest -= table[i];
            ups++;
        }
    }
    return ups;
}

int main(void) {
    float table[30];
    volatile float angle = 0.03f;
    for (int i = 0; i < 30; i++) table[i] = atanf(ldexpf(1, -i));
    printf("%d\n", turns_left(angle, table, 30));
}
