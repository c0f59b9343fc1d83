// A jump of one half. bound: z 0.49 0.50001 alarm
#include <nonius.h>
int main(void) {
    float x = 0.25f, z;
    nonius_input_error(&x, 0.0, 1.0, -1e-7, 1e-7);
    if (x < 0.5f)
        z = x;
    else
        z = x + 0.5f;
    nonius_bounds(&z);
    return 0;
}
