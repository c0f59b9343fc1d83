// bound: z 0.099 0.10001 alarm
#include <nonius.h>
int main(void) {
    double x = 0.1, z;
    nonius_input_error(&x, 0.1 - 1e-8, 0.1 + 1e-8, -1e-8, 1e-8);
    if (x <= 0.1) {
        if (x <= 0.05)
            z = 0.3;
        else
            z = 0.1;
    } else
        z = 0.2;
    nonius_bounds(&z);
    return 0;
}
