// A difference of roots is all error for large arguments, and one double for a residue has no room for it: it takes
// residue-override a second execution to see. The rewritten difference is right.
#include <math.h>
#include <stdio.h>

int main(void)
{
    volatile double x = 1000;
    for (int i = 0; i < 20; i++) {
        double difference = sqrt(x + 1) - sqrt(x);
        double rewritten = 1 / (sqrt(x + 1) + sqrt(x));
        printf("%.17g %.17g\n", difference, rewritten);
        x = x * 1000;
    }
}
