// One NaN in a field spreads to its neighbours; only its origin is a finding.
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    double field[8] = {1, 1, 1, 1, 1, 1, 1, 1}, next[8];
    field[3] = zero / zero; //~ nan @operation
    for (int step = 0; step < 3; step++) {
        for (int i = 1; i < 7; i++) next[i] = (field[i - 1] + field[i + 1]) * 0.5;
        for (int i = 1; i < 7; i++) field[i] = next[i];
    }
    for (int i = 0; i < 8; i++) printf("%g ", field[i]);
    puts("");
}
