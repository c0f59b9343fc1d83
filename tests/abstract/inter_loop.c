// A table whose piece is found by a loop. bound: res 2.5e-7 1.45e-6
#include <nonius.h>
static const float at[5] = {0, 8, 32, 64, 100}, value[5] = {0, 4, 7, 6, 1.5f};
static const float slope[4] = {0.5f, 0.125f, -0.03125f, -0.125f};
static float interpolated(float E) {
    int i = 0;
    while (i < 3 && E >= at[i + 1]) i++;
    return value[i] + slope[i] * (E - at[i]);
}
int main(void) {
    float E = 20.0f, res;
    nonius_input_error(&E, 0.0, 100.0, -1e-7, 1e-7);
    res = interpolated(E);
    nonius_bounds(&res);
    return 0;
}
