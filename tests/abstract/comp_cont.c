// bound: z 4.0e-5 5.03e-5
#include <nonius.h>
int main(void) {
    float x = 0.5f, z;
    nonius_input_error(&x, 0.0, 2.0, -1e-5, 1e-5);
    if (x < 1.0f)
        z = 4.0f * x - 3.0f;
    else
        z = x;
    nonius_bounds(&z);
    return 0;
}
