// The same in float: half an ulp of a float is what its constants are uncertain by, also where they are widened.
#include <stdio.h>

volatile float minus_three = -3;
volatile int n = 200;

int main(void) {
    float q = minus_three * (1.0f / 3.0f);
    if (q * q * q + 1.0f == 0.0f) puts("a root");
    int equal = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        float third = (float)i * (1.0f / 3.0f);
        equal += third * 3.0f == (float)i;
        sum += (int)(third * 3.0f);
    }
    printf("%d %d\n", equal, sum);
}
