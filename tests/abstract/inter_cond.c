// A table of three pieces by tests. bound: res 3.7e-6 1.33e-5
#include <nonius.h>
int main(void) {
    const float start[3] = {0.0f, 5.0f * 2.25f, 5.0f * 2.25f + 20.0f * 1.1f};
    float E = 10.0f, res;
    nonius_input_error(&E, 0.0, 100.0, -1e-6, 1e-6);
    if (E < 5.0f)
        res = E * 2.25f + start[0];
    else if (E < 25.0f)
        res = (E - 5.0f) * 1.1f + start[1];
    else
        res = start[2];
    nonius_bounds(&res);
    return 0;
}
