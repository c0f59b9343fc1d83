// The distance by a test: its ways meet. bound: z 2.0e-7 3.58e-7
#include <nonius.h>
int main(void) {
    float x = 0.25f, y = -0.5f, z;
    nonius_input_error(&x, -1.0, 1.0, -1e-7, 1e-7);
    nonius_input_error(&y, -1.0, 1.0, -1e-7, 1e-7);
    nonius_split();
    float d = x - y;
    if (d >= 0)
        z = d;
    else
        z = -d;
    nonius_merge(&z);
    nonius_bounds(&z);
    return 0;
}
