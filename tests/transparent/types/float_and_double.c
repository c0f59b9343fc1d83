// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// Every operation of float and double on awkward operands.
#include <math.h>
#include <stdio.h>

static volatile double ds[] = {0.0, -0.0, 1, -1.5, 0.1, 1e308, -1e308, 4.9e-324, 2.2250738585072014e-308, 3.14159};
static volatile float fs[] = {0.0f, -0.0f, 1, -1.5f, 0.1f, 3e38f, -3e38f, 1.4e-45f, 1.17549435e-38f, 3.14159f};

int main(void) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            double a = ds[i], b = ds[j];
            float x = fs[i], y = fs[j];
            printf("%a %a %a ", a + b, a - b, a * b);
            printf("%a %a %a ", x + y, x - y, x * y);
            if (b != 0) printf("%a %a ", a / b, x / y);
            printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
            printf("%d%d%d %a %a\n", x < y, x == y, x >= y, -a, (double)-x);
        }
}
